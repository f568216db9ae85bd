import { type FileFieldType, isFileFieldType } from '../../definitions/field-file.ts'
import type { DescribedField } from './described-object.ts'

/** Types of a describe that correspond to several field types. */
const SEVERAL: Readonly<Record<string, (field: DescribedField) => FileFieldType>> = {
  string: ({ autoNumber, calculated, length }) => {
    if (autoNumber) return 'autonumber'
    // A describe gives text formulas a length of 1,300 characters, which few values reach.
    return length > 255 && !calculated ? 'longtextarea' : 'string'
  },
  textarea: ({ extraTypeInfo, filterable, htmlFormatted }) => {
    if (htmlFormatted || extraTypeInfo === 'richtextarea') return 'richtextarea'
    return filterable ? 'textarea' : 'longtextarea'
  },
}

/** The field type of a described field; undefined when there is none. */
export function findFieldType(field: DescribedField): FileFieldType | undefined {
  if (Object.hasOwn(SEVERAL, field.type)) return SEVERAL[field.type]!(field)
  return isFileFieldType(field.type) ? field.type : undefined
}

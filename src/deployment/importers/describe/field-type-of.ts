import { type FileFieldType, isFileFieldType } from '../../definitions/field-file.ts'
import type { DescribedField } from './described-object.ts'

/** Types of a describe that stand for several of ours. */
const SEVERAL: Readonly<Record<string, (field: DescribedField) => FileFieldType>> = {
  string: ({ autoNumber, calculated, length }) => {
    if (autoNumber) return 'autonumber'
    // A formula's text is said to have 1,300 characters; few have.
    return length > 255 && !calculated ? 'longtextarea' : 'string'
  },
  textarea: ({ extraTypeInfo, filterable, htmlFormatted }) => {
    if (htmlFormatted || extraTypeInfo === 'richtextarea') return 'richtextarea'
    return filterable ? 'textarea' : 'longtextarea'
  },
}

/** Our type of a described field; undefined: we have none for it. */
export function fieldTypeOf(field: DescribedField): FileFieldType | undefined {
  if (Object.hasOwn(SEVERAL, field.type)) return SEVERAL[field.type]!(field)
  return isFileFieldType(field.type) ? field.type : undefined
}

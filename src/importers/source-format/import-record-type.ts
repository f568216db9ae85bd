import { decodePercent } from '../../base/url-encoding.ts'
import type { RecordTypeFile } from '../../definitions/formats/object-file.ts'
import type { Project } from './fields/field-source.ts'
import type { MetadataElement } from './project/metadata-element.ts'

/** Makes a record type with its allowed picklist values. */
export function importRecordType(
  object: string,
  name: string,
  xml: MetadataElement,
  { pad }: Project,
): RecordTypeFile {
  const [label, description] = [xml.text('label'), xml.text('description')]
  const allowedValues = xml.all('picklistValues').map((list) => {
    const field = list.text('picklist') ?? ''
    // Values are percent-encoded: `Proposal%2FQuote`.
    const values = list.all('values').map((value) => decodePercent(value.text('fullName') ?? ''))
    const defaultValue = list.all('values').find((value) => value.isTrue('default'))
    if (defaultValue !== undefined) {
      pad.add(
        'recordType',
        `${object}.${name}`,
        `its own default of ${field}: ${decodePercent(defaultValue.text('fullName')!)}`,
      )
    }
    return [field, values] as const
  })
  xml.all('fullName')
  const inactive = xml.text('active') === 'false'
  for (const unread of xml.unread()) pad.collect('display', `${object}.${name}`, unread)
  return {
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
    ...(inactive && { inactive }),
    ...(allowedValues.length > 0 && { picklists: Object.fromEntries(allowedValues) }),
  }
}

import { LABELS } from '../definitions/definition.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'

/**
 * Most characters of the names and labels of the records of a metadata type.
 * @param type API name
 */
export const maxRecordName = (type: string): number => (type === LABELS.type ? 80 : 40)

/**
 * The fields that a metadata type has beside its own. A deployment fills them.
 * @param type API name
 */
export function getMetadataTypeFields(type: string): readonly FieldDefinition[] {
  const length = maxRecordName(type)
  const named = { type: 'string', length, required: true } as const
  return [
    { name: 'DeveloperName', label: 'Custom Metadata Record Name', ...named },
    { name: 'MasterLabel', label: 'Label', ...named, nameField: true },
    { name: 'Label', label: 'Label', ...named },
    {
      name: 'Language',
      label: 'Master Language',
      type: 'picklist',
      length: 40,
      required: true,
      values: [{ value: 'en_US', label: 'English' }],
      restricted: true,
    },
    { name: 'NamespacePrefix', label: 'Namespace Prefix', type: 'string', length: 15 },
    { name: 'QualifiedApiName', label: 'Qualified API Name', ...named, length: length + 30 },
  ]
}

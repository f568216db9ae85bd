import type { FieldDefinition } from '../definitions/definition.ts'

/** The fields that every metadata type has beside its own. A deployment fills them. */
export const METADATA_TYPE_FIELDS: readonly FieldDefinition[] = [
  { name: 'DeveloperName', label: 'Custom Metadata Record Name', type: 'string', length: 40, required: true },
  { name: 'MasterLabel', label: 'Label', type: 'string', length: 40, required: true, nameField: true },
  { name: 'Label', label: 'Label', type: 'string', length: 40, required: true },
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
  { name: 'QualifiedApiName', label: 'Qualified API Name', type: 'string', length: 70, required: true },
]

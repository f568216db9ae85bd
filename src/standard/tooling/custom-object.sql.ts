import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { withCheckCharacters } from '../views/check-characters.sql.ts'
import {
  DEVELOPER_NAME,
  NAMESPACE_PREFIX,
  SHARING_MODEL,
  SHARING_MODELS,
} from '../views/entity-definition.sql.ts'
import { longText, makeViewObject, nameText, picklist, text } from '../views/view-object.ts'

/** SQL text of the id of an object of the org. */
export const customObjectId = withCheckCharacters(`'01IOB0z00000' || (object.definition ->> 'keyPrefix')`)

export const IS_CUSTOM = `object.name ~ '__(c|mdt|e)$'`

/** SQL text of the time of all definitions, which change together. */
export const CHANGED: Readonly<Record<string, string>> = {
  createddate: 'schema.changed_at',
  lastmodifieddate: 'schema.changed_at',
  systemmodstamp: 'schema.changed_at',
}

export const FROM_OBJECTS = `"$org"._object object cross join (select changed_at from "$org"._schema_version) schema`

export const manageableState = picklist('ManageableState', 'Manageable State', ['unmanaged', 'installed'])

/** The object that a definition is part of. */
export const entityDefinitionId: FieldDefinition = {
  ...text('EntityDefinitionId', 'Entity Definition ID'),
  to: ['EntityDefinition'],
  toBy: 'DurableId',
  relationship: 'EntityDefinition',
}

/** SQL text of its value, by the prefix of a package. */
export const stateBy = (prefix: string): string =>
  `case when ${prefix} is null then 'unmanaged' else 'installed' end`

/** The org's own objects, metadata types and platform events. */
export const CUSTOM_OBJECT = makeViewObject(
  { name: 'CustomObject', label: 'Custom Object', labelPlural: 'Custom Objects', keyPrefix: '01I' },
  [
    nameText('DeveloperName', 'Developer Name', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    { ...text('FullName', 'Full Name', 80), help: 'The API name.' },
    manageableState,
    picklist('SharingModel', 'Sharing Model', SHARING_MODELS),
    longText('Description', 'Description'),
  ],
  {
    from: `${FROM_OBJECTS} where ${IS_CUSTOM}`,
    columns: {
      ...CHANGED,
      id: customObjectId,
      developername: DEVELOPER_NAME,
      namespaceprefix: NAMESPACE_PREFIX,
      fullname: 'object.name',
      manageablestate: stateBy(NAMESPACE_PREFIX),
      sharingmodel: SHARING_MODEL,
      description: `object.definition ->> 'description'`,
    },
  },
)

import { withCheckCharacters } from './check-characters.sql.ts'
import { flag, makeViewObject, nameText, picklist, text } from './view-object.ts'

export const SHARING_MODELS = ['Private', 'Read', 'ReadWrite', 'ControlledByParent']

/** The bare name, without namespace and suffix. */
export const DEVELOPER_NAME = `regexp_replace(object.name, '^([A-Za-z][A-Za-z0-9]*__(?=.+__))|(__[a-z]+$)', '', 'g')`

/** SQL text of the prefix of the package that the object comes from. */
export const NAMESPACE_PREFIX = `substring(object.name from '^([A-Za-z][A-Za-z0-9_]*?)__.+__')`

/** SQL text of the sharing model. */
export const SHARING_MODEL = `case object.definition ->> 'sharing' when 'private' then 'Private' when 'read' then 'Read'
  when 'controlledByParent' then 'ControlledByParent' else 'ReadWrite' end`

/** The objects of the org as records. A caller finds those that the caller may see. */
export const ENTITY_DEFINITION = makeViewObject(
  { name: 'EntityDefinition', label: 'Object', labelPlural: 'Objects', keyPrefix: '4ie' },
  [
    text('DurableId', 'Durable ID'),
    text('DeveloperName', 'Developer Name', 80),
    text('MasterLabel', 'Master Label', 80),
    text('Label', 'Label', 80),
    text('PluralLabel', 'Plural Label', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    nameText('QualifiedApiName', 'Qualified API Name', 80),
    text('KeyPrefix', 'Key Prefix', 3),
    flag('IsCustomizable', 'Customizable'),
    flag('IsQueryable', 'Queryable'),
    flag('IsSearchable', 'Searchable'),
    flag('IsCustomSetting', 'Custom Setting'),
    flag('IsTriggerable', 'Triggerable'),
    flag('IsLayoutable', 'Layoutable'),
    picklist('InternalSharingModel', 'Internal Sharing Model', SHARING_MODELS),
    picklist('ExternalSharingModel', 'External Sharing Model', SHARING_MODELS),
  ],
  {
    from: `"$org"._object object cross join (select changed_at from "$org"._schema_version) schema`,
    columns: {
      id: withCheckCharacters(`'4ieOB0z00000' || (object.definition ->> 'keyPrefix')`),
      durableid: 'object.name',
      developername: DEVELOPER_NAME,
      masterlabel: `object.definition ->> 'label'`,
      label: `object.definition ->> 'label'`,
      plurallabel: `object.definition ->> 'labelPlural'`,
      namespaceprefix: NAMESPACE_PREFIX,
      qualifiedapiname: 'object.name',
      keyprefix: `object.definition ->> 'keyPrefix'`,
      iscustomizable: `object.definition ->> 'view' is null or right(object.name, 3) = '__e'`,
      isqueryable: `right(object.name, 3) <> '__e'`,
      issearchable: `coalesce(object.definition ->> 'searchable', 'true') <> 'false'`,
      iscustomsetting: `object.definition ->> 'setting' is not null`,
      istriggerable: `object.definition ->> 'view' is null and right(object.name, 5) <> '__mdt'`,
      islayoutable: 'true',
      internalsharingmodel: SHARING_MODEL,
      externalsharingmodel: SHARING_MODEL,
      createddate: 'schema.changed_at',
      lastmodifieddate: 'schema.changed_at',
      systemmodstamp: 'schema.changed_at',
    },
  },
)

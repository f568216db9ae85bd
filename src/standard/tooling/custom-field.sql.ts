import { withCheckCharacters } from '../views/check-characters.sql.ts'
import { longText, makeViewObject, nameText, text, whole } from '../views/view-object.ts'
import {
  CHANGED,
  customObjectId,
  entityDefinitionId,
  FROM_OBJECTS,
  IS_CUSTOM,
  manageableState,
  stateBy,
} from './custom-object.sql.ts'

/** SQL text of a property of the field's definition. */
const property = (name: string) => `field.definition ->> '${name}'`

const NAME = property('name')
const PREFIX = `substring(${NAME} from '^([A-Za-z][A-Za-z0-9_]*?)__.+__c$')`

/** The fields of the org that end with `__c`, of its own objects and of standard ones. */
export const CUSTOM_FIELD = makeViewObject(
  { name: 'CustomField', label: 'Custom Field', labelPlural: 'Custom Fields', keyPrefix: '00N' },
  [
    nameText('DeveloperName', 'Developer Name', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    { ...text('FullName', 'Full Name'), help: 'With the object: Account.Key__c.' },
    {
      ...text('TableEnumOrId', 'Custom Object Definition ID', 80),
      help: 'The name of a standard object, the id of a CustomObject.',
    },
    entityDefinitionId,
    manageableState,
    whole('Length', 'Length'),
    whole('Precision', 'Precision'),
    whole('Scale', 'Scale'),
    longText('Description', 'Description'),
    text('InlineHelpText', 'Inline Help Text', 510),
  ],
  {
    from: `${FROM_OBJECTS} cross join jsonb_array_elements(object.definition -> 'fields') as field (definition)
      where right(${NAME}, 3) = '__c'`,
    columns: {
      ...CHANGED,
      id: withCheckCharacters(`'00N' || (object.definition ->> 'keyPrefix') || substr(md5(${NAME}), 1, 9)`),
      developername: `regexp_replace(${NAME}, '^([A-Za-z][A-Za-z0-9]*__(?=.+__))|(__c$)', '', 'g')`,
      namespaceprefix: PREFIX,
      fullname: `object.name || '.' || (${NAME})`,
      tableenumorid: `case when ${IS_CUSTOM} then ${customObjectId} else object.name end`,
      entitydefinitionid: 'object.name',
      manageablestate: stateBy(PREFIX),
      length: property('length'),
      precision: property('precision'),
      scale: property('scale'),
      description: property('description'),
      inlinehelptext: property('help'),
    },
  },
)

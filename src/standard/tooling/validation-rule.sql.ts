import { withCheckCharacters } from '../views/check-characters.sql.ts'
import { flag, longText, makeViewObject, nameText, text } from '../views/view-object.ts'
import { CHANGED, entityDefinitionId, FROM_OBJECTS, manageableState, stateBy } from './custom-object.sql.ts'

/** SQL text of a property of the rule's definition. */
const property = (name: string) => `rule.definition ->> '${name}'`

const NAME = property('name')
const PREFIX = `substring(${NAME} from '^([A-Za-z][A-Za-z0-9_]*?)__.+$')`

/** The validation rules of all objects. */
export const VALIDATION_RULE = makeViewObject(
  { name: 'ValidationRule', label: 'Validation Rule', labelPlural: 'Validation Rules', keyPrefix: '03d' },
  [
    nameText('ValidationName', 'Validation Name', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    { ...text('FullName', 'Full Name'), help: 'With the object: Account.Has_Key.' },
    entityDefinitionId,
    manageableState,
    flag('Active', 'Active'),
    text('ErrorDisplayField', 'Error Location', 80),
    text('ErrorMessage', 'Error Message'),
    longText('Description', 'Description'),
  ],
  {
    from: `${FROM_OBJECTS}
      cross join jsonb_array_elements(coalesce(object.definition -> 'validations', '[]')) as rule (definition)`,
    columns: {
      ...CHANGED,
      id: withCheckCharacters(`'03d' || (object.definition ->> 'keyPrefix') || substr(md5(${NAME}), 1, 9)`),
      validationname: NAME,
      namespaceprefix: PREFIX,
      fullname: `object.name || '.' || (${NAME})`,
      entitydefinitionid: 'object.name',
      manageablestate: stateBy(PREFIX),
      active: `coalesce(${property('active')}, 'true')`,
      errordisplayfield: property('field'),
      errormessage: property('message'),
      description: property('description'),
    },
  },
)

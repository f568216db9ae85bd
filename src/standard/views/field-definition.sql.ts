import { onlyId } from './check-characters.sql.ts'
import { flag, longText, makeViewObject, nameText, text, whole } from './view-object.ts'

const KEY_PREFIX = '4fd'

/** The fields that the caller may see, of the objects that a query names. Statements make the rows. */
export const FIELD_DEFINITION = makeViewObject(
  { name: 'FieldDefinition', label: 'Field', labelPlural: 'Fields', keyPrefix: KEY_PREFIX },
  [
    text('DurableId', 'Durable ID'),
    nameText('QualifiedApiName', 'Qualified API Name', 80),
    {
      ...text('EntityDefinitionId', 'Entity Definition ID'),
      to: ['EntityDefinition'],
      toBy: 'DurableId',
      relationship: 'EntityDefinition',
    },
    text('DeveloperName', 'Developer Name', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    text('Label', 'Label', 80),
    text('MasterLabel', 'Master Label', 80),
    { ...text('DataType', 'Data Type'), help: 'As people see it: Text(80).' },
    text('ValueTypeId', 'Value Type', 40),
    whole('Length', 'Length'),
    whole('Precision', 'Precision'),
    whole('Scale', 'Scale'),
    flag('IsCalculated', 'Calculated'),
    flag('IsCompound', 'Compound'),
    flag('IsNameField', 'Name Field'),
    flag('IsNillable', 'Nillable'),
    flag('IsIndexed', 'Indexed'),
    flag('IsApiFilterable', 'Filterable'),
    flag('IsApiGroupable', 'Groupable'),
    flag('IsApiSortable', 'Sortable'),
    flag('IsPolymorphicForeignKey', 'Polymorphic Foreign Key'),
    text('RelationshipName', 'Relationship Name', 80),
    longText('ReferenceTo', 'Reference To'),
    longText('Description', 'Description'),
    text('SecurityClassification', 'Security Classification', 40),
    text('ComplianceGroup', 'Compliance Group'),
  ],
  {
    perCaller: true,
    needsFilter: true,
    from: '(values (0)) none where false',
    columns: { id: onlyId(KEY_PREFIX) },
  },
)

import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import { makeEnum } from './scalars.ts'

/** Types that describe objects and their fields; the same for every org. (docs/reference/api/graphql.md#descriptions) */

type Fields = GraphQLFieldConfigMap<unknown, unknown>

const makeFields = (type: GraphQLOutputType, ...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, { type }]))

const flags = (...names: string[]) => makeFields(new GraphQLNonNull(GraphQLBoolean), ...names)
const texts = (...names: string[]) => makeFields(GraphQLString, ...names)
const numbers = (...names: string[]) => makeFields(GraphQLInt, ...names)
const textLists = (...names: string[]) => makeFields(new GraphQLList(GraphQLString), ...names)

const DataType = makeEnum('DataType', [
  'ADDRESS',
  'ANYTYPE',
  'BASE64',
  'BOOLEAN',
  'COMBOBOX',
  'COMPLEXVALUE',
  'CURRENCY',
  'DATE',
  'DATETIME',
  'DOUBLE',
  'EMAIL',
  'ENCRYPTEDSTRING',
  'INT',
  'JSON',
  'JUNCTIONIDLIST',
  'LOCATION',
  'LONG',
  'MULTIPICKLIST',
  'PERCENT',
  'PHONE',
  'PICKLIST',
  'REFERENCE',
  'STRING',
  'TEXTAREA',
  'TIME',
  'URL',
])

const FieldExtraTypeInfo = makeEnum('FieldExtraTypeInfo', [
  'EXTERNAL_LOOKUP',
  'IMAGE_URL',
  'INDIRECT_LOOKUP',
  'PERSONNAME',
  'PLAINTEXTAREA',
  'RICHTEXTAREA',
  'SWITCHABLE_PERSONNAME',
])

const ReferenceToInfo = new GraphQLObjectType({
  name: 'ReferenceToInfo',
  fields: { ...texts('ApiName'), ...textLists('nameFields') },
})

const FilteredLookupInfo = new GraphQLObjectType({
  name: 'FilteredLookupInfo',
  fields: { ...textLists('controllingFields'), ...flags('dependent', 'optionalFilter') },
})

const fieldMembers: Fields = {
  ...makeFields(new GraphQLNonNull(GraphQLString), 'ApiName'),
  ...flags(
    'calculated',
    'compound',
    'createable',
    'custom',
    'filterable',
    'htmlFormatted',
    'nameField',
    'polymorphicForeignKey',
    'reference',
    'required',
    'searchPrefilterable',
    'sortable',
    'unique',
    'updateable',
  ),
  ...flags('highScaleNumber'),
  ...texts(
    'compoundComponentName',
    'compoundFieldName',
    'controllerName',
    'inlineHelpText',
    'label',
    'referenceTargetField',
    'relationshipName',
  ),
  ...textLists('controllingFields'),
  ...numbers('length', 'precision', 'scale'),
  dataType: { type: DataType },
  extraTypeInfo: { type: FieldExtraTypeInfo },
  filteredLookupInfo: { type: FilteredLookupInfo },
  referenceToInfos: { type: new GraphQLList(ReferenceToInfo) },
}

const Field = new GraphQLInterfaceType({ name: 'Field', fields: fieldMembers })

const PicklistFieldValue = new GraphQLObjectType({
  name: 'PicklistFieldValue',
  fields: { ...texts('label', 'value'), validFor: { type: new GraphQLList(GraphQLInt) } },
})

const ControllerValue = new GraphQLObjectType({
  name: 'ControllerValue',
  fields: { ...texts('apiName'), ...numbers('index') },
})

const PicklistValuesByRecordTypeID = new GraphQLObjectType({
  name: 'PicklistValuesByRecordTypeID',
  fields: {
    recordTypeID: { type: GraphQLID },
    picklistValues: { type: new GraphQLList(PicklistFieldValue) },
    defaultValue: { type: PicklistFieldValue },
    controllerValues: { type: new GraphQLList(ControllerValue) },
  },
})

/** A field with a picklist. Its values are returned if the query requests them for record types. */
export const PicklistField = new GraphQLObjectType({
  name: 'PicklistField',
  interfaces: [Field],
  fields: {
    ...fieldMembers,
    picklistValuesByRecordTypeIDs: { type: new GraphQLList(PicklistValuesByRecordTypeID) },
  },
})

/** Any other field. */
export const PlainField = new GraphQLObjectType({
  name: 'PlainField',
  interfaces: [Field],
  fields: fieldMembers,
})

const RecordTypeInfo = new GraphQLObjectType({
  name: 'RecordTypeInfo',
  fields: {
    ...flags('available', 'defaultRecordTypeMapping', 'master'),
    ...texts('name'),
    recordTypeId: { type: GraphQLID },
  },
})

const ThemeInfo = new GraphQLObjectType({ name: 'ThemeInfo', fields: texts('color', 'iconUrl') })

const DependentField: GraphQLObjectType = new GraphQLObjectType({
  name: 'DependentField',
  fields: () => ({
    ...texts('controllingField'),
    dependentFields: { type: new GraphQLList(DependentField) },
  }),
})

export const ObjectInfo: GraphQLObjectType = new GraphQLObjectType({
  name: 'ObjectInfo',
  fields: () => ({
    ...makeFields(new GraphQLNonNull(GraphQLString), 'ApiName'),
    childRelationships: { type: new GraphQLList(ChildRelationship) },
    ...flags(
      'createable',
      'custom',
      'deletable',
      'feedEnabled',
      'layoutable',
      'mruEnabled',
      'queryable',
      'searchable',
      'updateable',
    ),
    defaultRecordTypeId: { type: GraphQLID },
    dependentFields: { type: new GraphQLList(DependentField) },
    fields: { type: new GraphQLList(Field) },
    ...texts('keyPrefix', 'label', 'labelPlural', 'locale'),
    ...textLists('nameFields'),
    recordTypeInfos: { type: new GraphQLList(RecordTypeInfo) },
    themeInfo: { type: ThemeInfo },
  }),
})

const ChildRelationship = new GraphQLObjectType({
  name: 'ChildRelationship',
  fields: {
    ...texts('childObjectApiName', 'fieldName', 'relationshipName'),
    ...textLists('junctionIdListNames', 'junctionReferenceTo'),
    objectInfo: { type: ObjectInfo },
  },
})

export const ObjectInfoInput = new GraphQLInputObjectType({
  name: 'ObjectInfoInput',
  fields: {
    apiName: { type: new GraphQLNonNull(GraphQLString) },
    recordTypeIds: { type: new GraphQLList(new GraphQLNonNull(GraphQLID)) },
    fieldNames: { type: new GraphQLList(GraphQLString) },
  },
})

const RelatedListColumn = new GraphQLObjectType({
  name: 'RelatedListColumn',
  fields: { ...texts('fieldApiName', 'label'), dataType: { type: DataType }, ...flags('sortable') },
})

const RelatedListOrder = new GraphQLObjectType({
  name: 'RelatedListOrder',
  fields: { ...texts('fieldApiName', 'label'), ...flags('isAscending') },
})

export const RelatedListInfo = new GraphQLObjectType({
  name: 'RelatedListInfo',
  fields: {
    ...texts('childApiName', 'fieldApiName', 'label', 'parentApiName', 'relatedListName'),
    displayColumns: { type: new GraphQLList(RelatedListColumn) },
    orderedByInfo: { type: new GraphQLList(RelatedListOrder) },
  },
})

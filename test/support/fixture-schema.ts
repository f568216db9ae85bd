import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'

const text = (name: string, rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name,
  label: name,
  type: 'string',
  length: 80,
  ...rest,
})

const plain = (name: string, type: FieldDefinition['type']): FieldDefinition => ({ name, label: name, type })

const decimal = (name: string, type: FieldDefinition['type']): FieldDefinition => ({
  ...plain(name, type),
  precision: 18,
  scale: 3,
})

const several = (name: string, values: FieldDefinition['values']): FieldDefinition => ({
  ...plain(name, 'multipicklist'),
  length: 200,
  values,
})

const lookup = (
  name: string,
  to: readonly string[],
  children: string,
  rest: Partial<FieldDefinition> = {},
): FieldDefinition => ({
  name: `${name}__c`,
  label: name,
  type: 'reference',
  to,
  relationship: `${name}__r`,
  children,
  ...rest,
})

const object = (
  name: string,
  fields: readonly FieldDefinition[],
  rest: Partial<ObjectDefinition> = {},
): ObjectDefinition => ({
  name,
  label: name,
  labelPlural: `${name}s`,
  keyPrefix: '',
  fields: [text('Name', { nameField: true }), ...fields],
  ...rest,
})

/**
 * Objects with a field of every type that a query can compare, and with ways of every kind between them: to one object,
 * to itself, to a master, to several objects, to users and queues.
 */
export const FIXTURE_SCHEMA: readonly ObjectDefinition[] = [
  object(
    'Bed__c',
    [
      plain('Rank__c', 'int'),
      plain('Open__c', 'boolean'),
      {
        ...plain('Kind__c', 'picklist'),
        length: 40,
        values: ['Sunny', { value: 'Dim', label: 'Half shade' }, 'Dark', 'arid'],
      },
      several('Risks__c', ['Frost', 'slugs', 'Drought']),
      plain('Dug__c', 'date'),
      plain('Place__c', 'location'),
      lookup('Parent', ['Bed__c'], 'Corners__r'),
    ],
    { queueable: true },
  ),
  object('Plant__c', [
    text('Key__c', { unique: true, caseSensitive: true }),
    text('Latin__c'),
    { ...plain('Notes__c', 'textarea'), length: 255 },
    text('Mail__c', { type: 'email' }),
    text('Phone__c', { type: 'phone' }),
    text('Web__c', { type: 'url' }),
    { ...plain('Habit__c', 'combobox'), length: 40, values: ['bush', 'tree'] },
    {
      ...plain('Color__c', 'picklist'),
      length: 40,
      values: ['white', 'Red', 'blue', { value: 'green', label: 'Leaf green' }, 'Black'],
    },
    several('Uses__c', ['Food', 'Dye', 'Tea', { value: 'Art', label: 'Decoration' }]),
    plain('Count__c', 'int'),
    decimal('Height__c', 'double'),
    decimal('Price__c', 'currency'),
    decimal('Share__c', 'percent'),
    plain('Sown__c', 'date'),
    plain('Watered__c', 'datetime'),
    plain('Opens__c', 'time'),
    plain('Hardy__c', 'boolean'),
    plain('Found__c', 'location'),
    { ...plain('Story__c', 'longtextarea'), length: 1000 },
    lookup('Bed', ['Bed__c'], 'Plants__r'),
    lookup('Twin', ['Plant__c'], 'Twins__r'),
  ]),
  object(
    'Leaf__c',
    [
      lookup('Plant', ['Plant__c'], 'Leaves__r', { masterDetail: 0 }),
      lookup('Fell_On', ['Bed__c'], 'Fallen_Leaves__r'),
      plain('Size__c', 'int'),
      decimal('Weight__c', 'percent'),
      plain('Fell__c', 'date'),
      plain('Green__c', 'boolean'),
      { ...plain('Shape__c', 'picklist'), length: 40, values: ['round', 'Lobed', 'needle'] },
    ],
    { ownerless: true },
  ),
  object('Remark__c', [
    lookup('About', ['Bed__c', 'Plant__c', 'Leaf__c'], 'Remarks__r'),
    lookup('Author', ['User'], 'Remarks__r'),
    text('Words__c'),
    several('Topics__c', ['Care', 'praise', 'Pests']),
    plain('Level__c', 'int'),
    plain('Said__c', 'datetime'),
  ]),
  /** One bed has more of these than fit on a page of children. */
  object('Seed__c', [lookup('Bed', ['Bed__c'], 'Seeds__r'), plain('Size__c', 'int')], { ownerless: true }),
]

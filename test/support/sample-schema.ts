import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'

/** A field of every type that a client can fill, with three values in ascending order as literals of a query. */
interface Sample {
  readonly field: FieldDefinition
  /** As a create takes them. */
  readonly values: readonly [unknown, unknown, unknown]
  /** As a query writes them. */
  readonly literals: readonly [string, string, string]
  readonly operators: readonly ('order' | 'like')[]
}

const text = (values: readonly [string, string, string]) => ({
  values,
  literals: values.map((value) => `'${value}'`) as unknown as Sample['literals'],
  operators: ['order', 'like'] as const,
})

const ordered = (values: Sample['values'], literals?: Sample['literals']) => ({
  values,
  literals: literals ?? (values.map(String) as unknown as Sample['literals']),
  operators: ['order'] as const,
})

/** References are filled by the tests, which know ids. */
export const SAMPLES: readonly Sample[] = [
  {
    field: { name: 'String__c', label: 'String', type: 'string', length: 80 },
    ...text(['alpha', 'Beta', 'gamma']),
  },
  {
    field: {
      name: 'Exact__c',
      label: 'Exact',
      type: 'string',
      length: 80,
      unique: true,
      caseSensitive: true,
    },
    ...text(['Gamma', 'alpha', 'beta']),
  },
  {
    field: { name: 'Textarea__c', label: 'Textarea', type: 'textarea', length: 255 },
    ...text(['one line', 'Other line', 'third line']),
  },
  {
    field: { name: 'Email__c', label: 'Email', type: 'email', length: 80 },
    ...text(['ada@example.com', 'Bob@example.com', 'cy@example.com']),
  },
  {
    field: { name: 'Phone__c', label: 'Phone', type: 'phone', length: 40 },
    ...text(['+1 555 01', '+1 555 02', '+1 555 03']),
  },
  {
    field: { name: 'Url__c', label: 'Url', type: 'url', length: 255 },
    ...text(['http://a.example', 'http://B.example', 'http://c.example']),
  },
  {
    field: {
      name: 'Picklist__c',
      label: 'Picklist',
      type: 'picklist',
      length: 40,
      values: ['apple', 'Bean', 'cherry'],
    },
    ...text(['apple', 'Bean', 'cherry']),
  },
  {
    field: { name: 'Combobox__c', label: 'Combobox', type: 'combobox', length: 40, values: ['apple'] },
    ...text(['apple', 'Bean', 'cherry']),
  },
  {
    field: { name: 'Int__c', label: 'Int', type: 'int' },
    ...ordered([-7, 0, 12_345_678]),
  },
  {
    field: { name: 'Double__c', label: 'Double', type: 'double', precision: 18, scale: 4 },
    ...ordered([-0.5, 0.25, 1000.1234]),
  },
  {
    field: { name: 'Currency__c', label: 'Currency', type: 'currency', precision: 18, scale: 2 },
    ...ordered([-1000.5, 0, 99_999_999.99]),
  },
  {
    field: { name: 'Percent__c', label: 'Percent', type: 'percent', precision: 5, scale: 2 },
    ...ordered([0.01, 50, 100]),
  },
  {
    field: { name: 'Date__c', label: 'Date', type: 'date' },
    ...ordered(['1700-01-01', '2024-02-29', '4000-12-31']),
  },
  {
    field: { name: 'Datetime__c', label: 'Datetime', type: 'datetime' },
    ...ordered(
      ['1999-12-31T23:59:59.000+0000', '2024-02-29T12:00:00.000+0000', '2024-02-29T12:00:01.000+0000'],
      ['1999-12-31T23:59:59Z', '2024-02-29T14:00:00+02:00', '2024-02-29t12:00:01.000z'],
    ),
  },
  {
    field: { name: 'Time__c', label: 'Time', type: 'time' },
    ...ordered(
      ['00:00:00.000Z', '09:30:00.000Z', '23:59:59.999Z'],
      ['00:00:00Z', '09:30:00.000Z', '23:59:59.999Z'],
    ),
  },
]

/** Types that a query can select and nothing else. */
export const UNFILTERABLE: readonly FieldDefinition[] = [
  { name: 'Long__c', label: 'Long', type: 'longtextarea', length: 1000 },
  { name: 'Rich__c', label: 'Rich', type: 'richtextarea', length: 1000 },
  { name: 'Secret__c', label: 'Secret', type: 'encryptedstring', length: 100 },
  { name: 'Place__c', label: 'Place', type: 'location' },
]

export const SAMPLE: ObjectDefinition = {
  name: 'Sample__c',
  label: 'Sample',
  labelPlural: 'Samples',
  keyPrefix: '',
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
    ...SAMPLES.map((sample) => sample.field),
    ...UNFILTERABLE,
    { name: 'Boolean__c', label: 'Boolean', type: 'boolean' },
    { name: 'Tags__c', label: 'Tags', type: 'multipicklist', length: 200, values: ['Red', 'Green', 'Blue'] },
    { name: 'Number__c', label: 'Number', type: 'autonumber', format: 'S-{000}' },
    {
      name: 'Account__c',
      label: 'Account',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account__r',
      children: 'Samples__r',
    },
    {
      name: 'Parent__c',
      label: 'Parent',
      type: 'reference',
      to: ['Sample__c'],
      relationship: 'Parent__r',
      children: 'Children__r',
    },
  ],
}

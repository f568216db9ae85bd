import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { FieldFile } from '../../src/definitions/formats/field-file.ts'
import type { DefinitionFiles, ObjectFile } from '../../src/definitions/formats/object-file.ts'

/** Few names, so that one schema changes what another one said. */
const OBJECTS = ['Box__c', 'Lid__c', 'Pot__c'] as const
const FIELDS = ['A__c', 'B__c', 'C__c', 'D__c'] as const

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const rarely = maybe(fc.constant(true))

const label = maybe(fc.constantFrom('Colour', 'Größe "1"', 'it’s: {a}', '- x', 'yes'))
const common = { label, help: label, description: label }

const values = fc.uniqueArray(fc.constantFrom('Red', 'Green', 'Blue', 'No', '1'), {
  minLength: 1,
  maxLength: 4,
})

const short = (type: 'string' | 'email' | 'phone' | 'url') =>
  fc.record({
    type: fc.constant(type),
    ...common,
    length: maybe(fc.integer({ min: 20, max: 200 })),
    unique: rarely,
    externalId: rarely,
    default: type === 'string' ? maybe(fc.constantFrom('x', "it's", 'true')) : fc.constant(undefined),
  })

const long = (type: 'textarea' | 'longtextarea' | 'richtextarea' | 'encryptedstring') =>
  fc.record({ type: fc.constant(type), ...common, length: maybe(fc.integer({ min: 50, max: 170 })) })

const decimal = (type: 'double' | 'currency' | 'percent') =>
  fc.record({
    type: fc.constant(type),
    ...common,
    precision: maybe(fc.integer({ min: 10, max: 18 })),
    scale: maybe(fc.integer({ min: 0, max: 4 })),
    default: maybe(fc.constantFrom(0, 1.5, -3)),
  })

const list = (type: 'picklist' | 'multipicklist' | 'combobox') =>
  fc
    .record({
      type: fc.constant(type),
      ...common,
      values,
      memberships: fc.boolean(),
      restricted: rarely,
      inactive: fc.boolean(),
    })
    .map(({ values: texts, memberships, inactive, ...rest }) => ({
      ...rest,
      values: texts.map((value, at) => {
        if (at === 0 && memberships) return { value, default: true }
        return at === 1 && inactive ? { value, label: `Old ${value}`, inactive: true } : value
      }),
    }))

const plain = (type: 'date' | 'datetime' | 'time' | 'base64' | 'location' | 'address' | 'boolean' | 'int') =>
  fc.record({ type: fc.constant(type), ...common })

const reference = fc.record({
  type: fc.constant('reference' as const),
  ...common,
  to: fc.constantFrom('Account', 'Contact', ['Account', 'Contact'], ...OBJECTS),
  onDelete: maybe(fc.constantFrom('clear', 'cascade', 'restrict')),
})

const autonumber = fc.record({
  type: fc.constant('autonumber' as const),
  ...common,
  format: maybe(fc.constantFrom('N-{0000}', '{0}', "it's {00}")),
})

const field = fc
  .oneof(
    short('string'),
    short('email'),
    short('phone'),
    short('url'),
    long('textarea'),
    long('longtextarea'),
    long('richtextarea'),
    long('encryptedstring'),
    decimal('double'),
    decimal('currency'),
    decimal('percent'),
    list('picklist'),
    list('multipicklist'),
    list('combobox'),
    plain('date'),
    plain('datetime'),
    plain('time'),
    plain('base64'),
    plain('location'),
    plain('address'),
    plain('boolean'),
    plain('int'),
    reference,
    autonumber,
  )
  .map((file) => JSON.parse(JSON.stringify(file)) as FieldFile)

const fields = fc.dictionary(fc.constantFrom(...FIELDS), field, { maxKeys: 4, noNullPrototype: true })

const objectFile: fc.Arbitrary<ObjectFile> = fc
  .record({
    ...common,
    sharing: maybe(fc.constantFrom('private', 'read')),
    ownerless: rarely,
    activities: rarely,
    fields,
    recordTypes: maybe(
      fc.dictionary(
        fc.constantFrom('Big', 'Small'),
        fc.record({ label, default: fc.constant(undefined), inactive: rarely }),
        { minKeys: 1, noNullPrototype: true },
      ),
    ),
    index: maybe(fc.constantFrom(...FIELDS)),
  })
  .map(({ index, help: _, ...file }) => {
    const indexed = index === undefined ? undefined : file.fields[index]
    const bare = ['longtextarea', 'richtextarea', 'encryptedstring', 'base64', 'address', 'location']
    const indexes = indexed !== undefined && !bare.includes(indexed.type!) ? [[index, 'Name']] : undefined
    return JSON.parse(JSON.stringify({ ...file, indexes }))
  })

const metadataField = fc
  .oneof(
    short('string'),
    decimal('double'),
    list('picklist'),
    plain('date'),
    plain('boolean'),
    fc.record({ type: fc.constant('reference' as const), ...common, to: fc.constant('Rule__mdt') }),
  )
  .map((file) => JSON.parse(JSON.stringify(file)) as FieldFile)

/** Values that fields of these types have. */
const VALUES: Partial<Record<NonNullable<FieldFile['type']>, readonly (string | number | boolean | null)[]>> =
  {
    string: ['a', "it's", null],
    double: [1, -2.5],
    picklist: ['Red', 'Green'],
    date: ['2024-02-29'],
    boolean: [true, false, null],
    reference: ['One', 'Two'],
  }

const recordNames = fc.uniqueArray(fc.constantFrom('One', 'Two', 'Three'), { maxLength: 3 })

/** A metadata type with records, which may not fit. */
const metadataType: fc.Arbitrary<ObjectFile> = fc
  .record({
    label,
    fields: fc.dictionary(fc.constantFrom(...FIELDS), metadataField, { maxKeys: 3, noNullPrototype: true }),
    names: recordNames,
    at: fc.nat(2),
  })
  .map(({ names, at, ...file }) => {
    const values = (index: number) =>
      Object.entries(file.fields).flatMap(([name, { type, unique }]) => {
        const samples = VALUES[type!]!
        return unique === true && index > 0 ? [] : [[name, samples[(at + index) % samples.length]]]
      })
    const records = names.map((name, index) => [name, { values: Object.fromEntries(values(index)) }])
    return JSON.parse(JSON.stringify({ ...file, records: Object.fromEntries(records) }))
  })

/** References between the objects only where there are both. */
const whole = (objects: Record<string, ObjectFile>) =>
  readDefinitions({ objects, valueSets: {} }).problems.length === 0

/** Definition files in which nothing is wrong. */
export const definitionFiles: fc.Arbitrary<DefinitionFiles> = fc
  .dictionary(fc.constantFrom(...OBJECTS), objectFile, { maxKeys: 3, noNullPrototype: true })
  .chain((objects) =>
    fc.record({
      objects: fc.tuple(maybe(fields), maybe(metadataType)).map(([account, rule]) => ({
        ...objects,
        ...(account !== undefined && { Account: { fields: account } }),
        ...(rule !== undefined && { Rule__mdt: rule }),
      })),
      valueSets: fc.constant({}),
    }),
  )
  .filter(({ objects }) => whole(objects as Record<string, ObjectFile>))

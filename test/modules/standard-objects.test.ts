import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition, PicklistValue } from '../../src/schema/fields/field-definition.ts'
import type { FieldTypeName } from '../../src/schema/fields/registry.ts'
import { expandFields, isSystemField } from '../../src/schema/objects/expand-definition.ts'
import { STANDARD_OBJECTS } from '../../src/standard/standard-objects.ts'

interface Location {
  readonly object: ObjectDefinition
  readonly field: FieldDefinition
  /** `Account.Name`, for messages. */
  readonly name: string
}

const FIELDS: readonly Location[] = STANDARD_OBJECTS.flatMap((object) =>
  object.fields.map((field) => ({ object, field, name: `${object.name}.${field.name}` })),
)

const REFERENCES = FIELDS.filter(({ field }) => field.type === 'reference')

const TEXTS: ReadonlySet<FieldTypeName> = new Set([
  'string',
  'textarea',
  'longtextarea',
  'richtextarea',
  'email',
  'phone',
  'url',
  'picklist',
  'multipicklist',
  'combobox',
  'personname',
  'encryptedstring',
])
const DECIMALS: ReadonlySet<FieldTypeName> = new Set(['double', 'currency', 'percent'])
const LISTS: ReadonlySet<FieldTypeName> = new Set(['picklist', 'multipicklist', 'combobox'])

/** The names that occur a second time, without regard to case. */
function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => {
    const known = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    return known
  })
}

function namesOf(locations: readonly Location[]): string[] {
  return locations.map(({ name }) => name)
}

/** The entry as an object: a bare string is a value. */
function entryOf(entry: string | PicklistValue): PicklistValue {
  return typeof entry === 'string' ? { value: entry } : entry
}

test('no two standard objects share a name or a key prefix', () => {
  assert.deepEqual(repeated(STANDARD_OBJECTS.map((object) => object.name)), [])
  const prefixes = STANDARD_OBJECTS.map((object) => object.keyPrefix)
  assert.equal(new Set(prefixes).size, prefixes.length)
  for (const prefix of prefixes) assert.match(prefix, /^[0-9A-Za-z]{3}$/)
})

test('no two fields of an object share a name, with the parts of compound fields and the system fields', () => {
  for (const object of STANDARD_OBJECTS) {
    assert.deepEqual(repeated(expandFields(object).map((field) => field.name)), [], object.name)
  }
})

test('a definition leaves the system fields and the owner to the platform', () => {
  // The owner of what a view makes is a value like the others.
  const written = FIELDS.filter(
    ({ object, field }) =>
      isSystemField(field.name) || (field.name === 'OwnerId' && object.view === undefined),
  )
  assert.deepEqual(namesOf(written), [])
})

test('an object has at most one name field', () => {
  for (const object of STANDARD_OBJECTS) {
    const names = object.fields.filter((field) => field.nameField)
    assert.ok(names.length <= 1, object.name)
  }
})

test('every text has a length', () => {
  const without = FIELDS.filter(({ field }) => TEXTS.has(field.type) && !(field.length! > 0))
  assert.deepEqual(namesOf(without), [])
})

test('a textarea holds at most 255 characters; a longer one is a long textarea', () => {
  const wrong = FIELDS.filter(({ field }) => field.type === 'textarea' && field.length! > 255)
  assert.deepEqual(namesOf(wrong), [])
})

test('every decimal number has a precision of at most 18 and no more digits after the point than in all', () => {
  const wrong = FIELDS.filter(
    ({ field }) =>
      DECIMALS.has(field.type) &&
      !(field.precision! <= 18 && field.scale! >= 0 && field.precision! >= field.scale!),
  )
  assert.deepEqual(namesOf(wrong), [])
})

test('only decimal numbers have a precision and a scale', () => {
  const wrong = FIELDS.filter(
    ({ field }) => !DECIMALS.has(field.type) && (field.precision !== undefined || field.scale !== undefined),
  )
  assert.deepEqual(namesOf(wrong), [])
})

/** The platform has no way up by these. */
const WITHOUT_WAY_UP = ['Event.RecurrenceActivityId', 'Opportunity.ContactId', 'Task.RecurrenceActivityId']

test('every reference points to standard objects and has the name of a way up, but for those of the platform without one', () => {
  const names = new Set(STANDARD_OBJECTS.map((object) => object.name))
  for (const { field, name } of REFERENCES) {
    assert.ok(field.to !== undefined && field.to.length > 0, name)
    assert.deepEqual(repeated(field.to), [], name)
    assert.deepEqual(
      field.to.filter((target) => !names.has(target)),
      [],
      name,
    )
    const expected = WITHOUT_WAY_UP.includes(name) ? undefined : field.name.replace(/Id$/, '')
    assert.equal(field.relationship, expected, name)
  }
})

test('only references have targets, ways up or down, and a rule for deletes', () => {
  const wrong = FIELDS.filter(
    ({ field }) =>
      field.type !== 'reference' &&
      field.toBy === undefined &&
      [field.to, field.relationship, field.children, field.onDelete].some((part) => part !== undefined),
  )
  assert.deepEqual(namesOf(wrong), [])
})

/** The references that are a way down with a name from an object. */
const waysDownFrom = (object: string) =>
  REFERENCES.filter(
    ({ field }) =>
      field.children && field.to!.includes(object) && field.noChildrenOn?.includes(object) !== true,
  )

test('no two ways down from an object share a name', () => {
  for (const object of STANDARD_OBJECTS) {
    const down = waysDownFrom(object.name)
    assert.deepEqual(repeated(down.map(({ field }) => field.children!)), [], object.name)
  }
})

test('a way down does not have the name of a field or of a way up', () => {
  for (const object of STANDARD_OBJECTS) {
    const taken = object.fields.flatMap((field) => [field.name, field.relationship ?? []].flat())
    const down = waysDownFrom(object.name)
    const names = new Set(taken.map((name) => name.toLowerCase()))
    assert.deepEqual(
      down.filter(({ field }) => names.has(field.children!.toLowerCase())),
      [],
      object.name,
    )
  }
})

test('a required reference is never cleared by deleting its target', () => {
  const wrong = REFERENCES.filter(({ field }) => field.required && (field.onDelete ?? 'clear') === 'clear')
  assert.deepEqual(namesOf(wrong), [])
})

test('a picklist names each value once and at most one of them as its default', () => {
  for (const { field, name } of FIELDS) {
    if (field.values === undefined) continue
    assert.ok(LISTS.has(field.type), name)
    const values = field.values.map(entryOf)
    assert.deepEqual(repeated(values.map(({ value }) => value)), [], name)
    assert.ok(values.filter((value) => value.default).length <= 1, name)
    for (const { value } of values) assert.ok(value.length <= field.length!, `${name} ${value}`)
  }
})

test("a picklist's default is one of its values", () => {
  for (const { field, name } of FIELDS) {
    if (!LISTS.has(field.type) || field.default === undefined) continue
    assert.ok(
      field.values?.some((entry) => entryOf(entry).value === field.default),
      name,
    )
  }
})

test('a restricted picklist has values', () => {
  const wrong = FIELDS.filter(({ field }) => field.restricted && !(field.values && field.values.length > 0))
  assert.deepEqual(namesOf(wrong), [])
})

test('a default is of the kind of its field', () => {
  const kinds: Partial<Record<FieldTypeName, string>> = {
    boolean: 'boolean',
    int: 'number',
    double: 'number',
    currency: 'number',
    percent: 'number',
  }
  for (const { field, name } of FIELDS) {
    if (field.default === undefined) continue
    assert.equal(typeof field.default, kinds[field.type] ?? 'string', name)
  }
})

test('a part of a compound field names a field of its object', () => {
  const wrong = FIELDS.filter(
    ({ object, field }) =>
      field.compound !== undefined && !object.fields.some((other) => other.name === field.compound),
  )
  assert.deepEqual(namesOf(wrong), [])
})

test('an address is named so that its parts can be', () => {
  const wrong = FIELDS.filter(({ field }) => field.type === 'address' && !field.name.endsWith('Address'))
  assert.deepEqual(namesOf(wrong), [])
})

test('every autonumber has a format with digits', () => {
  const wrong = FIELDS.filter(
    ({ field }) => field.type === 'autonumber' && !/\{0+\}/.test(field.format ?? ''),
  )
  assert.deepEqual(namesOf(wrong), [])
})

test('the objects that support record types are those that a record type can be made for', () => {
  const recordType = STANDARD_OBJECTS.find((object) => object.name === 'RecordType')!
  const allowedValues = recordType.fields.find((field) => field.name === 'SobjectType')!.values
  const supporting = FIELDS.filter(
    ({ object, field }) => field.name === 'RecordTypeId' && object.view === undefined,
  ).map(({ object }) => object.name)
  assert.deepEqual(allowedValues, supporting.sort())
})

test('definitions survive the way to JSON and back', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(STANDARD_OBJECTS)), STANDARD_OBJECTS)
})

import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import { same } from '../checks/checking.ts'
import {
  COMMON,
  type FieldAt,
  findReference,
  findViewField,
  listAddresses,
  listStandardFields,
  PREFIXES,
  STANDARD,
  type ViewField,
} from './find-view-field.ts'

/** A field of a list view with the name that it has in source format. */
interface NamedField {
  readonly name: string
  readonly field: ViewField
}

/** `StageName` is STAGE_NAME. */
const toUpperSnake = (name: string) => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase()

/** The last one, where two prefixes stand for an object. */
const findPrefix = (object: string) => [...PREFIXES].findLast(([, standard]) => standard === object)?.[0]

/** Objects whose records are people, and have full names. */
const PEOPLE = ['Contact', 'Lead']

/** Names that mean a path in every object. */
const listCommonNames = (path: string) =>
  [...COMMON].filter(([, field]) => same(field.path, path)).map(([name]) => name)

const addPrefix = (object: string, name: string) => {
  const prefix = findPrefix(object)
  return prefix === undefined ? name : `${prefix}.${name}`
}

/** `BillingCity` is ADDRESS1_CITY. */
function* nameAddressParts(standard: ObjectDefinition, path: string): Generator<string> {
  for (const [at, address] of listAddresses(standard).entries()) {
    // The parts of an address without a prefix are fields as others are.
    if (address === '' || !path.startsWith(address)) continue
    const part = path.slice(address.length).replace('PostalCode', 'Zip')
    yield `ADDRESS${at + 1}_${part.toUpperCase()}`
  }
}

/** The field of a standard object that a path is, or that the path shows by the name of its record. */
function findStandardField(standard: ObjectDefinition, path: string): FieldDefinition | undefined {
  const [relationship = '', inner, ...more] = path.split('.')
  if (inner === undefined) return listStandardFields(standard).find(({ name }) => same(name, path))
  if (more.length > 0 || !same(inner, 'Name')) return undefined
  return listStandardFields(standard).find(
    (one) => one.relationship !== undefined && same(one.relationship, relationship),
  )
}

/** Names of their own that fields of a standard object have. */
function* nameByTable({ name: object }: ObjectDefinition, field: FieldDefinition): Generator<string> {
  for (const [key, name] of STANDARD) {
    const [owner, special = ''] = key.split('.')
    // A case has the name of its contact.
    if (owner === object && name === field.name)
      yield special === 'NAME' ? special : addPrefix(object, special)
  }
}

/** Names that are made of those of fields of a standard object. */
function* nameByRule(standard: ObjectDefinition, { name }: FieldDefinition): Generator<string> {
  yield* nameAddressParts(standard, name)
  if (name === 'LastModifiedDate') yield 'LAST_UPDATE'
  if (name.startsWith('Is')) yield toUpperSnake(name.slice('Is'.length))
  yield toUpperSnake(name)
}

/** Names of fields of another standard object that a reference leads to. */
function* nameParentField(standard: ObjectDefinition, path: string): Generator<string> {
  const [relationship = '', ...rest] = path.split('.')
  for (const target of new Set(PREFIXES.values())) {
    if (target === standard.name || !same(findReference(standard, target) ?? '', relationship)) continue
    const parent = findStandardObject(target)!
    const inner = rest.join('.')
    const field = findStandardField(parent, inner)
    if (field !== undefined) {
      yield* nameByTable(parent, field)
      for (const name of nameByRule(parent, field)) yield addPrefix(target, name)
    } else if (inner.endsWith('__c')) yield addPrefix(target, inner)
    for (const name of listCommonNames(inner)) yield addPrefix(target, name)
  }
}

/** Names that a field of an object may have, the usual ones first. */
function* listNames(object: string, path: string): Generator<string> {
  const standard = findStandardObject(object)
  const common = listCommonNames(path)
  if (standard === undefined) yield* common
  else {
    if (PEOPLE.includes(object) && same(path, 'Name')) yield 'FULL_NAME'
    const field = findStandardField(standard, path)
    if (field !== undefined) yield* nameByTable(standard, field)
    yield* nameParentField(standard, path)
    if (common.includes('RECORDTYPE')) yield addPrefix(object, 'RECORDTYPE')
    const made =
      field === undefined ? [] : [...nameByRule(standard, field)].map((name) => addPrefix(object, name))
    // Owners have two names: the later is that of standard objects.
    yield* path.includes('.') ? [...common.reverse(), ...made] : [...made, ...common]
  }
  if (/__c$|__r\.Name$/i.test(path)) yield path.replace(/__r\.Name$/i, '__c')
}

/**
 * Names a field of a list view as source format does: the inverse of `findViewField`.
 * @param path `Account.Name`, as queries of the object have it
 * @returns undefined: list views of that format cannot show or compare it
 */
export function nameViewField(fieldAt: FieldAt, object: string, path: string): NamedField | undefined {
  for (const name of listNames(object, path)) {
    const field = findViewField(fieldAt, object, name)
    if (field !== undefined && same(field.path, path)) return { name, field }
  }
  return undefined
}

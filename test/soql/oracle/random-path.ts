import fc from 'fast-check'
import type { Field } from '../../../src/schema/fields/field.ts'
import { NAME_ENTITY } from '../../../src/schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../../src/schema/snapshot/snapshot.ts'

/** A field as a query names it from the queried object. */
export interface Path {
  readonly text: string
  readonly field: Field
  /** The object that the field is one of. */
  readonly object: ObjectType
}

const MAX_HOPS = 5

/** Of the standard objects only what the oracle knows of their records. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  User: ['Id', 'Name', 'FirstName', 'LastName', 'Alias', 'Username', 'Email', 'IsActive'],
  Group: ['Id', 'Name', 'Type'],
  Name: [
    'Id',
    'Name',
    'FirstName',
    'LastName',
    'Alias',
    'Username',
    'Email',
    'IsActive',
    'Type',
    'NameOrAlias',
  ],
}

export function knownFields(object: ObjectType): readonly Field[] {
  return object.fields.filter((field) => KNOWN[object.name]?.includes(field.name) ?? true)
}

/** The object behind a reference; behind one to several, the Name entity. */
function findParent(field: Field, schema: SchemaSnapshot): ObjectType {
  return field.referenceTo.length > 1 ? NAME_ENTITY : schema.object(field.referenceTo[0]!)!
}

/** The ways up; those to objects that lead further stand more often. */
function findWays(object: ObjectType): readonly Field[] {
  const ways = knownFields(object).filter((field) => field.definition.relationship !== undefined)
  const further = ways.filter((field) => field.name.endsWith('__c'))
  return [...further, ...further, ...ways]
}

/** A field that is accepted, of an object or of one of its parents. The object itself must have one. */
export function pathFrom(
  object: ObjectType,
  schema: SchemaSnapshot,
  accepts: (field: Field) => boolean,
): fc.Arbitrary<Path> {
  const hops = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fc.nat(99), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(fc.nat(99), { minLength: 3, maxLength: MAX_HOPS }) },
  )
  const any = fc.noBias(fc.nat(999))
  return fc.tuple(hops, any, any).map(([turns, kind, choice]) => {
    const walked = [{ prefix: '', at: object }]
    for (const turn of turns) {
      const { prefix, at } = walked.at(-1)!
      const ways = findWays(at)
      const field = ways[turn % ways.length]
      if (field === undefined) break
      walked.push({ prefix: `${prefix}${field.definition.relationship}.`, at: findParent(field, schema) })
    }
    // The last stop that has such a field; every stop before it has been walked through.
    const { prefix, at } = walked.findLast((stop) => knownFields(stop.at).some(accepts))!
    // Each type as often as any other.
    const types = [...Map.groupBy(knownFields(at).filter(accepts), ({ type }) => type.name).values()]
    const fields = types[kind % types.length]!
    const field = fields[choice % fields.length]!
    return { text: prefix + field.name, field, object: at }
  })
}

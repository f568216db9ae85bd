import fc from 'fast-check'
import type { Field } from '../../../src/schema/fields/field.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../../src/schema/snapshot/snapshot.ts'
import { FIXTURE_SCHEMA } from '../../support/fixture-schema.ts'
import { combined, conditionOn, makeLeft, sometimes } from './random-condition.ts'
import { knownFields, pathFrom } from './random-path.ts'

/** Material of random queries. */
export interface Soil {
  readonly schema: SchemaSnapshot
  /** Ids of an object's records. */
  idsOf(object: string): readonly string[]
}

/** The objects that are queried. */
export const FIXTURE = FIXTURE_SCHEMA.map(({ name }) => name)
export const isFixtures = (name: string) => FIXTURE.includes(name)

const isFilterable = ({ type }: Field) => type.operators.length > 0 || type.name === 'location'

export const condition = (object: ObjectType, { schema, idsOf }: Soil): fc.Arbitrary<string> =>
  pathFrom(object, schema, isFilterable)
    .chain((path) => makeLeft(path, idsOf))
    .chain(conditionOn)

export const clause = (word: string) => (text: string | undefined) =>
  text === undefined ? '' : ` ${word} ${text}`

export const direction = fc
  .tuple(fc.constantFrom('', ' ASC', ' DESC'), fc.constantFrom('', ' NULLS FIRST', ' NULLS LAST'))
  .map((words) => words.join(''))

/** `Id NOT IN (SELECT Plant__c FROM Leaf__c WHERE ...)`: an id of ours, an inner one of the same object. */
function semiJoin(object: ObjectType, soil: Soil): fc.Arbitrary<string> {
  const pointsTo = (field: Field, of: ObjectType) => (field.name === 'Id' ? [of.name] : field.referenceTo)
  const ids = (of: ObjectType) => knownFields(of).filter((field) => field.type.literal === 'id')
  const pairs = ids(object).flatMap((outer) =>
    FIXTURE.filter((name) => name !== object.name).flatMap((name) => {
      const inner = soil.schema.object(name)!
      const targets = pointsTo(outer, object)
      const fitting = ids(inner).filter((field) =>
        pointsTo(field, inner).some((target) => targets.includes(target)),
      )
      return fitting.map((field) => ({ outer, inner, field }))
    }),
  )
  return fc
    .constantFrom(...pairs)
    .chain(({ outer, inner, field }) =>
      fc
        .tuple(fc.constantFrom('IN', 'NOT IN'), sometimes(combined(condition(inner, soil)), 2))
        .map(
          ([word, where]) =>
            `${outer.name} ${word} (SELECT ${field.name} FROM ${inner.name}${clause('WHERE')(where)})`,
        ),
    )
}

/** The conditions of a whole query: among them semi-joins, which stand at the top. */
export function where(object: ObjectType, soil: Soil): fc.Arbitrary<string | undefined> {
  const plain = combined(condition(object, soil))
  const joined = fc
    .tuple(fc.array(semiJoin(object, soil), { minLength: 1, maxLength: 2 }), sometimes(plain, 2))
    .map(([joins, others]) => [...joins, ...(others === undefined ? [] : [`(${others})`])].join(' AND '))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: joined },
  )
}

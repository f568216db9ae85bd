import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import type { Field } from '../../src/schema/fields/field.ts'
import type { ObjectType } from '../../src/schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../src/schema/snapshot/snapshot.ts'
import { DATE_FUNCTIONS } from '../../src/soql/parse/function-names.ts'
import { type Fixture, openFixture } from '../soql/oracle/fixture.ts'
import { type Path, pathFrom } from '../soql/oracle/random-path.ts'
import { FIXTURE } from '../soql/oracle/random-where.ts'
import type { Group } from '../support/aggregate.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchUiapi } from '../support/graphql.ts'
import { propertySeed } from '../support/property-seed.ts'
import { runs } from '../support/runs.ts'

/*
 * Random groupings of random records, asked for in both languages: what comes out is the same. The query language has an
 * oracle of its own. PROPERTY_SEED asks others.
 */

const RUNS = runs(30)
const SEED = propertySeed()

let fixture: Fixture

before(async () => {
  fixture = await openFixture(SEED)
})

/** One thing that is told of a group: `sum` of `Bed__r.Rank__c`, or the key where there is no member. */
interface Reported {
  /** `Bed__r.Rank__c` */
  readonly path: string
  readonly member: string
  /** As the query language writes it. */
  readonly text: string
  /** Its name in both. */
  readonly name: string
}

/** Of seeds there are so many that their groups would not come at once. */
const OBJECTS = FIXTURE.filter((name) => name !== 'Seed__c')

interface Key {
  readonly path: string
  readonly part: string | undefined
}

interface Question {
  readonly object: string
  readonly keys: readonly Key[]
  readonly sums: readonly { readonly path: string; readonly member: string }[]
  readonly type: 'GROUP_BY' | 'ROLLUP' | 'CUBE'
  readonly scope: 'EVERYTHING' | 'MINE'
}

const isOwned = (object: ObjectType) => object.field('OwnerId') !== undefined
const camel = (text: string) => text.toLowerCase().replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase())

/** True if every step of a path leads to one object. */
function leadsToOne({ text }: Path, object: ObjectType, schema: SchemaSnapshot): boolean {
  let at = object
  for (const name of text.split('.').slice(0, -1)) {
    const { referenceTo } = at.parent(name)!
    if (referenceTo.length > 1) return false
    at = schema.object(referenceTo[0]!)!
  }
  return true
}

const FUNCTIONS = ['count', 'countDistinct', 'min', 'max']
const functionsOf = ({ type }: Field) =>
  type.literal === 'int' || type.literal === 'double' ? [...FUNCTIONS, 'sum', 'avg'] : FUNCTIONS

const DATES = DATE_FUNCTIONS.filter((name) => name !== 'DAY_ONLY' && name !== 'HOUR_IN_DAY')

function makeKey({ text: path, field }: Path): fc.Arbitrary<Key> {
  const parts = (names: readonly string[]) => fc.constantFrom(...names).map((part) => ({ path, part }))
  const whole = fc.constant({ path, part: undefined })
  if (field.type.name === 'datetime') return parts(DATE_FUNCTIONS)
  return field.type.name === 'date' ? fc.oneof(whole, parts(DATES)) : whole
}

/** Keys below one parent stand together, as they do in `groupBy`. */
function together(keys: readonly Key[], depth = 0): readonly Key[] {
  const below = [...Map.groupBy(keys, ({ path }) => path.split('.')[depth]).values()]
  return below.flatMap((some) => (some.length === 1 ? some : together(some, depth + 1)))
}

function question(schema: SchemaSnapshot): fc.Arbitrary<Question> {
  const isKey = ({ type }: Field) => (type.groupable && type.name !== 'textarea') || type.name === 'datetime'
  const isSummed = ({ type }: Field) => type.aggregatable && type.name !== 'time'
  return fc.constantFrom(...OBJECTS.map((name) => schema.object(name)!)).chain((object) => {
    const path = (accepts: (field: Field) => boolean) =>
      pathFrom(object, schema, accepts).filter((found) => leadsToOne(found, object, schema))
    const keys = fc.uniqueArray(path(isKey).chain(makeKey), { maxLength: 3, selector: ({ path }) => path })
    const sum = path(isSummed).chain((found) =>
      fc.constantFrom(...functionsOf(found.field)).map((member) => ({ path: found.text, member })),
    )
    return keys
      .map((some) => together(some))
      .chain((grouped) => {
        const plain = grouped.filter(({ part }) => part === undefined).map((key) => key.path)
        return fc.record({
          object: fc.constant(object.name),
          keys: fc.constant(grouped),
          sums: fc.array(
            sum.filter((one) => !plain.includes(one.path)),
            { minLength: 1, maxLength: 4 },
          ),
          type: fc.constantFrom('GROUP_BY', 'GROUP_BY', 'ROLLUP', 'CUBE'),
          scope: isOwned(object) ? fc.constantFrom('EVERYTHING', 'MINE') : fc.constant('EVERYTHING'),
        })
      })
  })
}

/** All that is told of a group, in an order that leaves no doubt. */
function findReported({ keys, sums, type }: Question): readonly Reported[] {
  const reported = [
    ...keys.map(({ path, part }) => ({
      path,
      member: part === undefined ? 'value' : camel(part),
      text: part === undefined ? path : `${part}(${path})`,
    })),
    ...keys
      .filter(({ part }) => type !== 'GROUP_BY' && part === undefined)
      .map(({ path }) => ({ path, member: 'grouping', text: `GROUPING(${path})` })),
    ...sums.map(({ path, member }) => ({
      path,
      member,
      text: `${member === 'countDistinct' ? 'COUNT_DISTINCT' : member.toUpperCase()}(${path})`,
    })),
  ]
  return reported.map((one, i) => ({ ...one, name: `x${i}` }))
}

/** In the query language. */
function makeQuery({ object, keys, type, scope }: Question, reported: readonly Reported[]): string {
  const items = reported.map(({ text, name }) => `${text} ${name}`).join(', ')
  const start = `SELECT ${items} FROM ${object}${scope === 'MINE' ? ' USING SCOPE mine' : ''}`
  if (keys.length === 0) return start
  const list = keys.map(({ path, part }) => (part === undefined ? path : `${part}(${path})`))
  return `${start} GROUP BY ${type === 'GROUP_BY' ? list : `${type}(${list})`}`
}

/** `Bed__r { Rank__c { x1: sum { value } } }` */
function makeSelection({ path, member, name }: Reported): string {
  const steps = path.split('.')
  const inner = `${name}: ${member}${member === 'value' ? '' : ' { value }'}`
  return `${steps.join(' { ')} { ${inner} ${'} '.repeat(steps.length)}`
}

/** `{ Bed__r: { Rank__c: { group: true } } }` */
function makeGroupBy({ keys, type }: Question): object {
  // biome-ignore lint/suspicious/noExplicitAny: it is as deep as the paths are
  const groupBy: any = { type }
  for (const { path, part } of keys) {
    const steps = path.split('.')
    let at = groupBy
    for (const step of steps) {
      at[step] ??= {}
      at = at[step]
    }
    Object.assign(at, part === undefined ? { group: true } : { function: part })
  }
  return groupBy
}

function reportedBy(group: Group, { path, member, name }: Reported): unknown {
  const field = path.split('.').reduce((at, step) => at[step], group)
  return member === 'value' ? field[name] : field[name].value
}

/** Moments are spelled in two ways. */
const spelled = (value: unknown) => (typeof value === 'string' ? value.replace('.000+0000', '.000Z') : value)

const sortRows = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort()

test('Groups are those that the query language gives', async () => {
  const { o, world } = fixture
  await fc.assert(
    fc.asyncProperty(question(world.schema), async (requested) => {
      const reported = findReported(requested)
      const records = await fetchRecords(o, makeQuery(requested, reported))
      const { object: name } = requested
      const document = `query ($by: ${name}_GroupBy) { uiapi { aggregate { ${name}(groupBy: $by, scope: ${requested.scope}) {
        totalCount edges { node { aggregate { ${reported.map(makeSelection).join('\n')} } } } } } } }`
      const { aggregate } = await fetchUiapi(o, document, { variables: { by: makeGroupBy(requested) } })
      const groups: readonly Group[] = aggregate[name].edges.map(({ node }: Group) => node.aggregate)
      assert.deepEqual(
        sortRows(groups.map((group) => reported.map((one) => reportedBy(group, one)))),
        sortRows(records.map((record) => reported.map((one) => spelled(record[one.name])))),
      )
      assert.equal(aggregate[name].totalCount, records.length)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

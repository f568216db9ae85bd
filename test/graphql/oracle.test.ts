import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { makeApiVersion } from '../../src/base/api-version.ts'
import { compileQuery } from '../../src/soql/compile/compile.ts'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import type { RecordPlan } from '../../src/soql/plan/plan.ts'
import { evaluateRecords } from '../soql/oracle/evaluate-plan.ts'
import { type Fixture, openFixture } from '../soql/oracle/fixture.ts'
import { pathFrom } from '../soql/oracle/random-path.ts'
import { clause, direction, FIXTURE, where } from '../soql/oracle/random-where.ts'
import { sendDocument } from '../support/graphql.ts'
import { propertySeed } from '../support/property-seed.ts'
import { runs } from '../support/runs.ts'
import { makeOrder, makeWhere, Unsayable } from './from-soql.ts'

/*
 * Random filters and orders over random records: GraphQL gives what the oracle of the query language says, which looks at
 * every record in memory. PROPERTY_EFFORT sends more; PROPERTY_SEED asks others.
 */

const RUNS = runs(100)
const SEED = propertySeed()

let fixture: Fixture

before(async () => {
  fixture = await openFixture(SEED)
})

/** `SELECT Id FROM Plant__c WHERE ... ORDER BY ...` */
function randomQuestion(): fc.Arbitrary<string> {
  const { schema } = fixture.world
  const soil = { schema, idsOf: (object: string) => fixture.world.ids(object) }
  return fc.constantFrom(...FIXTURE).chain((name) => {
    const object = schema.object(name)!
    const key = pathFrom(object, schema, ({ type }) => type.sortable)
    const item = fc.tuple(key, direction).map(([path, way]) => path.text + way)
    const order = fc
      .array(item, { maxLength: 3 })
      .map((items) => (items.length === 0 ? '' : ` ORDER BY ${items.join(', ')}`))
    return fc
      .tuple(where(object, soil), order)
      .map(([filter, by]) => `SELECT Id FROM ${name}${clause('WHERE')(filter)}${by}`)
  })
}

async function assertSame(text: string): Promise<void> {
  const { o, world, asker } = fixture
  const { plan } = compileQuery(text, world.schema, makeApiVersion(64)) as { plan: RecordPlan }
  const { object } = plan.sources[0]
  const query = parseQuery(text)
  const location = { object, schema: world.schema }
  const variables = {
    where: query.where === undefined ? {} : makeWhere(query.where, location),
    orderBy: makeOrder(query.orderBy, location),
  }
  const document = `query($where: ${object.name}_Filter, $orderBy: ${object.name}_OrderBy) { uiapi { query {
    ${object.name}(first: 2000, where: $where, orderBy: $orderBy) { totalCount edges { node { Id } } } } } }`
  const { data, errors } = await sendDocument(o, document, { variables })
  // The query language compares whole numbers with others too.
  if (errors.some(({ message }) => /Int cannot represent/.test(message))) throw new Unsayable('half a whole')
  assert.deepEqual(errors, [], text)
  const found = data.uiapi.query
  const ids = found[object.name].edges.map(({ node }: { node: { Id: string } }) => node.Id)
  const { records } = evaluateRecords(plan, world, asker)
  const expected = records.map(({ Id }) => Id)
  const shown = `${text}\n${JSON.stringify(variables)}`
  assert.deepEqual(ids, expected, shown)
  assert.equal(found[object.name].totalCount, expected.length, shown)
}

test('filters and orders mean what they mean in the query language, record for record', async () => {
  let said = 0
  await fc.assert(
    fc.asyncProperty(randomQuestion(), async (text) => {
      try {
        await assertSame(text)
        said++
      } catch (error) {
        if (!(error instanceof Unsayable)) throw error
      }
    }),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(said > RUNS / 2, `${said} of ${RUNS}`)
})

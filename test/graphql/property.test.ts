import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { openRecordingServer, type RecordingServer } from '../support/recording-server.ts'
import { runs } from '../support/runs.ts'
import { SAMPLE, SAMPLES } from '../support/sample-schema.ts'
import { RandomDocuments } from './random-document.ts'

/*
 * Random documents that are valid in the schema are answered, and with no more statements than they have connections.
 * PROPERTY_EFFORT asks for more runs than usual.
 */
const RUNS = runs(100)

let o: TestOrg
let server: RecordingServer
let schema: GraphQLSchema

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  server = await openRecordingServer(o)
  const account = await o.create('Account', { Name: 'Acme', Industry: 'Energy', BillingCity: 'Oslo' })
  for (const i of [0, 1, 2]) {
    const values = SAMPLES.map(({ field, values: given }) => [field.name, given[i]])
    await o.create('Sample__c', { Name: `s${i}`, Account__c: account, ...Object.fromEntries(values) })
    await o.create('Contact', { LastName: `c${i}`, AccountId: account })
    await o.create('Case', { Subject: `case ${i}`, AccountId: account })
  }
  const { data } = await sendDocument(o, getIntrospectionQuery())
  schema = buildClientSchema(data)
})
after(() => server.close())

describe('a document that is valid in the schema', () => {
  test('is answered with data, or with errors that say why not, by one statement for each connection at most', async () => {
    await sendDocument(server, '{ __typename }')
    for (const family of ['query', 'aggregate'] as const) {
      const answered = { whole: 0, partly: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (generate) => {
          const { text, connections } = new RandomDocuments(schema, generate).make(family)
          server.statements()
          const { data, errors } = await sendDocument(server, text)
          const sent = server.statements()
          assert.ok(sent.length <= connections, `${sent.length} statements for ${connections} connections`)
          for (const { message, extensions } of errors) {
            assert.ok(['DataFetchingException', 'ValidationError'].includes(extensions.ErrorType))
            assert.doesNotMatch(message, /undefined|unexpected|\[object/i, message)
          }
          if (errors.length === 0) answered.whole++
          else if (data.uiapi === undefined) answered.refused++
          else answered.partly++
          if (data.uiapi === undefined)
            assert.match(errors[0]!.message, /at most|levels|one level down|does not support/)
        }),
        { numRuns: RUNS },
      )
      // Most of them are not refused for one and the same reason.
      assert.ok(answered.whole > RUNS / 20, JSON.stringify(answered))
    }
  })

  test('with parents and children is one statement', async () => {
    const text = `{ uiapi { query { Account(first: 50) { totalCount pageInfo { hasNextPage } edges { node { Name { value } Owner { Name { value } }
      Contacts(first: 5) { totalCount edges { node { LastName { value } Account { Name { value } } } } } Cases { pageResultCount } } } } } } }`
    await sendDocument(server, text)
    server.statements()
    const { errors } = await sendDocument(server, text)
    assert.deepEqual(errors, [])
    assert.equal(server.statements().length, 1)
  })
})

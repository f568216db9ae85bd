import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  buildClientSchema,
  getIntrospectionQuery,
  graphqlSync,
  type IntrospectionQuery,
  validateSchema,
} from 'graphql'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const copies = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

/** Refused as a whole: nothing of it has been carried out. */
async function assertRefused(document: string, message: RegExp) {
  const { data, errors } = await sendDocument(o, document)
  assert.deepEqual(data, {})
  assert.equal(errors.length, 1)
  assert.match(errors[0]!.message, message)
  assert.equal(errors[0]!.extensions.ErrorType, 'ValidationError')
}

const TOO_MUCH_SCHEMA = /^The document asks for more of the schema than three usual introspections do$/
const TOO_MANY_FIELDS = /^The document asks for more than 10000 fields/

describe('an introspection costs no more than three usual ones', () => {
  test('120 aliases are refused', async () => {
    await assertRefused(
      `{ __schema { ${copies(120, (i) => `a${i}: types { fields { name } }`)} } }`,
      TOO_MUCH_SCHEMA,
    )
    await assertRefused(
      `{ __schema { ${copies(120, () => '...t')} } } fragment t on __Schema { ${copies(120, (i) => `a${i}: types { fields { name } }`)} }`,
      TOO_MANY_FIELDS,
    )
    await assertRefused(
      `{ ${copies(4, (i) => `s${i}: __schema { types { ...f ...g } }`)} } fragment f on __Type { fields { args { type { fields { name } } } } } fragment g on __Type { inputFields { type { inputFields { name } } } }`,
      TOO_MUCH_SCHEMA,
    )
  })

  test('500 aliases of all types are refused, however little is asked of each', async () => {
    await assertRefused(`{ __schema { ${copies(500, (i) => `a${i}: types { name }`)} } }`, TOO_MUCH_SCHEMA)
  })

  const USUAL = [
    getIntrospectionQuery(),
    getIntrospectionQuery({ descriptions: false }),
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  ]

  for (const [number, document] of USUAL.entries()) {
    test(`a usual one is answered with the schema, ${number + 1}`, async () => {
      const { data, errors } = await sendDocument(o, document)
      assert.deepEqual(errors, [])
      const schema = buildClientSchema(data as IntrospectionQuery)
      assert.deepEqual(validateSchema(schema), [])
      // graphql-js gives the same answer from the schema that was described.
      const again = JSON.parse(JSON.stringify(graphqlSync({ schema, source: document }).data))
      const sorted = (types: readonly { name: string }[]) =>
        types.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      assert.deepEqual(sorted(data.__schema.types), sorted(again.__schema.types))
      assert.deepEqual(sorted(data.__schema.directives), sorted(again.__schema.directives))
      assert.deepEqual((await sendDocument(o, document)).data, data)
    })
  }

  test('types are asked for with variables, aliases and fragments, each with its own answer', async () => {
    const document = `query ($name: String!, $old: Boolean = false) {
      one: __type(name: $name) { ...t __typename } none: __type(name: "Nothing") { name }
      __schema { queryType { n: name } __typename }
    } fragment t on __Type { kind name fields(includeDeprecated: $old) { name } enumValues { name } ofType { name } }`
    for (const name of ['PageInfo', 'Account', 'ResultOrder', 'PageInfo']) {
      const { data, errors } = await sendDocument(o, document, { variables: { name } })
      assert.deepEqual(errors, [])
      assert.equal(data.one.name, name)
      assert.equal(data.one.__typename, '__Type')
      assert.equal(data.one.fields === null, name === 'ResultOrder')
      assert.equal(data.none, null)
      assert.deepEqual(data.__schema, { queryType: { n: 'Query' }, __typename: '__Schema' })
    }
  })

  test('a field that is added to the org is in the next answer', async () => {
    const ask = async () =>
      (await sendDocument(o, '{ __type(name: "Account") { fields { name } } }')).data.__type.fields.map(
        ({ name }: { name: string }) => name,
      )
    assert.ok(!(await ask()).includes('Added__c'))
    const account = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001' }
    await o.deploy([{ ...account, fields: [{ name: 'Added__c', type: 'boolean', label: 'Added' }] }])
    assert.ok((await ask()).includes('Added__c'))
  })
})

describe('fields count wherever their fragment is spread', () => {
  const requested = (selection: string) =>
    `{ uiapi { query { Account { edges { node { ${selection} } } } } } }`

  test('fragments that double thirty times are refused', async () => {
    const doubling = copies(
      30,
      (i) => `fragment f${i} on Account { ${i === 29 ? 'Id' : `...f${i + 1} ...f${i + 1}`} }`,
    )
    await assertRefused(`${requested('...f0')} ${doubling}`, TOO_MANY_FIELDS)
  })

  test('1,500 spreads of 500 fields are refused', async () => {
    const fragment = `fragment f on Account { ${copies(500, (i) => `a${i}: Name { value }`)} }`
    await assertRefused(`${requested(copies(1500, () => '...f'))} ${fragment}`, TOO_MANY_FIELDS)
  })

  test('aliases of parents of parents are refused', async () => {
    const levels = copies(
      5,
      (i) =>
        `fragment p${i} on User { ${copies(20, (n) => `a${n}: Manager { ${i === 4 ? 'Id' : `...p${i + 1}`} }`)} }`,
    )
    await assertRefused(
      `{ uiapi { query { User { edges { node { ...p0 } } } } } } ${levels}`,
      TOO_MANY_FIELDS,
    )
  })

  test('one that spreads itself is refused in the words of the language', async () => {
    await assertRefused(
      `${requested('...f')} fragment f on Account { Id ...f }`,
      /^Cannot spread fragment "f" within itself/,
    )
  })

  test('a hundred fragments in a row are carried out', async () => {
    const row = copies(100, (i) => `fragment f${i} on Account { Id ${i === 99 ? '' : `...f${i + 1}`} }`)
    const { errors } = await sendDocument(o, `${requested('...f0')} ${row}`)
    assert.deepEqual(errors, [])
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  isInputObjectType,
  isObjectType,
  isUnionType,
  validateSchema,
} from 'graphql'
import { sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'
import { SAMPLE } from '../support/sample-schema.ts'

/* The schema as clients download it. (docs/reference/api/graphql.md#endpoint, docs/reference/api/graphql.md#schema) */

let o: TestOrg
let schema: GraphQLSchema

async function download(client: Pick<TestOrg, 'call'>, version?: number): Promise<GraphQLSchema> {
  const { data, errors } = await sendDocument(client, getIntrospectionQuery(), {
    operationName: 'IntrospectionQuery',
    version,
  })
  assert.deepEqual(errors, [])
  return buildClientSchema(data)
}

before(async () => {
  o = await openOrg()
  await o.deploy([SAMPLE])
  schema = await download(o)
})

/** The members of a type, each with its own type. */
function members(name: string, of = schema): Record<string, string> {
  const type = of.getType(name)
  assert.ok(isObjectType(type) || isInputObjectType(type), name)
  return Object.fromEntries(
    Object.entries(type.getFields()).map(([field, { type: its }]) => [field, String(its)]),
  )
}

describe('the schema', () => {
  test('is valid, and has a connection for every object', () => {
    assert.deepEqual(validateSchema(schema), [])
    const query = members('RecordQuery')
    assert.equal(query.Account, 'AccountConnection')
    assert.equal(query.Sample__c, 'Sample__cConnection')
    assert.deepEqual(members('AccountConnection'), {
      edges: '[AccountEdge]',
      pageInfo: 'PageInfo!',
      totalCount: 'Int!',
      pageResultCount: 'Int!',
    })
    assert.deepEqual(members('AccountEdge'), { node: 'Account', cursor: 'String!' })
    const args = schema.getQueryType()!.getFields().uiapi!.type
    assert.equal(String(args), 'UIAPI!')
  })

  test('describes every type and field, those of objects by label or help text (GraphiQL)', () => {
    const bare: string[] = []
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue
      if (!type.description || type.description === type.name) bare.push(type.name)
      if (!isObjectType(type) && !isInputObjectType(type)) continue
      for (const field of Object.values(type.getFields())) {
        if (!field.description) bare.push(`${type.name}.${field.name}`)
      }
    }
    // Labels that are the name.
    const isLabel = (name: string) => name === 'Name' || schema.getType(`${name}Connection`) !== undefined
    assert.deepEqual(
      bare.filter((name) => !isLabel(name)),
      [],
    )
    const account = schema.getType('Account')!
    assert.ok(isObjectType(account))
    const { AnnualRevenue, Contacts } = account.getFields()
    assert.equal(AnnualRevenue!.description, 'Annual Revenue')
    assert.equal(Contacts!.description, 'The Contacts whose Account ID is this record.')
  })

  test('wraps every kind of field in its own type', () => {
    const sample = members('Sample__c')
    const expected = {
      ...{ Id: 'ID!', ApiName: 'String!', WeakEtag: 'Long!', DisplayValue: 'String', Name: 'StringValue' },
      ...{
        String__c: 'StringValue',
        Textarea__c: 'TextAreaValue',
        Email__c: 'EmailValue',
        Phone__c: 'PhoneNumberValue',
      },
      ...{ Url__c: 'UrlValue', Picklist__c: 'PicklistValue', Combobox__c: 'StringValue', Int__c: 'IntValue' },
      ...{
        Double__c: 'DoubleValue',
        Currency__c: 'CurrencyValue',
        Percent__c: 'PercentValue',
        Date__c: 'DateValue',
      },
      ...{
        Datetime__c: 'DateTimeValue',
        Time__c: 'TimeValue',
        Long__c: 'LongTextAreaValue',
        Rich__c: 'RichTextAreaValue',
      },
      ...{
        Secret__c: 'EncryptedStringValue',
        Place__c: 'LocationValue',
        Place__Latitude__s: 'LatitudeValue',
      },
      ...{ Place__Longitude__s: 'LongitudeValue', Boolean__c: 'BooleanValue', Tags__c: 'MultiPicklistValue' },
      ...{
        Number__c: 'StringValue',
        Account__c: 'IDValue',
        Account__r: 'Account',
        Children__r: 'Sample__cConnection',
      },
    }
    for (const [name, type] of Object.entries(expected)) assert.equal(sample[name], type, name)
    assert.equal(members('Account').BillingAddress, 'AddressValue')
    assert.equal(members('Attachment').Body, 'Base64Value')
  })

  test('knows records by what they share, and parents of several kinds by a union', () => {
    const record = schema.getType('Record')!
    assert.ok(isObjectType(schema.getType('Account')))
    assert.ok(
      (schema.getType('Account') as { getInterfaces?(): unknown[] }).getInterfaces!().includes(record),
    )
    const owner = schema.getType('Case_Owner')
    assert.ok(isUnionType(owner))
    assert.deepEqual(
      owner
        .getTypes()
        .map(({ name }) => name)
        .sort(),
      ['Group', 'Name', 'User'],
    )
    assert.deepEqual(Object.keys(members('Case_Owner_Filters')).sort(), ['Group', 'Name', 'User'])
    assert.deepEqual(Object.keys(members('Case_Owner_OrderBys')).sort(), ['Group', 'Name', 'User'])
  })

  test('offers in filters what can be asked, and in orders what can be sorted', () => {
    const filter = members('Sample__c_Filter')
    assert.equal(filter.Id, 'IdOperators')
    assert.equal(filter.Datetime__c, 'DateTimeOperators')
    assert.equal(filter.Place__c, 'GeolocationOperators')
    assert.equal(filter.Long__c, 'LongTextAreaOperators')
    assert.deepEqual([filter.Rich__c, filter.Secret__c], [undefined, undefined])
    assert.deepEqual([filter.and, filter.not], ['[Sample__c_Filter]', 'Sample__c_Filter'])
    const order = members('Sample__c_OrderBy')
    assert.deepEqual([order.String__c, order.Tags__c, order.Long__c], ['OrderByClause', undefined, undefined])
    assert.equal(members('JoinInput').ApiName, 'String')
  })

  test('lets write the raw values of what may be written', () => {
    const create = members('Sample__cCreateRepresentation')
    assert.equal(create.Account__c, 'IdOrRef')
    assert.equal(create.Currency__c, 'Currency')
    assert.deepEqual(
      [create.Id, create.CreatedDate, create.Number__c, create.Place__c],
      Array(4).fill(undefined),
    )
    assert.deepEqual(members('Sample__cUpdateInput'), {
      Id: 'IdOrRef!',
      Sample__c: 'Sample__cUpdateRepresentation!',
    })
    assert.deepEqual(members('RecordDeletePayload'), { Id: 'ID' })
  })

  test('says what @optional is for', () => {
    assert.deepEqual(schema.getDirective('optional')?.locations, ['FIELD'])
  })

  test('can be asked for a single type', async () => {
    const { data } = await sendDocument(
      o,
      '{ __type(name: "AccountEdge") { name fields { name } } none: __type(name: "Nope") { name } }',
    )
    assert.deepEqual(data, {
      __type: { name: 'AccountEdge', fields: [{ name: 'node' }, { name: 'cursor' }] },
      none: null,
    })
  })
})

test('a variable may be of any input type of the schema', async () => {
  for (const type of [
    'StringOperators',
    'Sample__c_OrderBy',
    'DateInput',
    'JoinInput',
    'ACCOUNT_SCOPE',
    'Case_Owner_Filters',
  ]) {
    const { errors } = await sendDocument(
      o,
      `query($v: ${type}) { uiapi { query { Account { totalCount } } } }`,
    )
    assert.match(errors[0]!.message, /"\$v" is never used/, type)
  }
})

describe('the schema is that of the caller', () => {
  test('objects and fields that the caller cannot see are not in it', async () => {
    const person = await addPerson(o, 'reader')
    await allow(o, person.setId, 'Account', 'Read')
    const narrow = await download(person)
    assert.deepEqual(Object.keys(members('RecordQuery', narrow)).includes('Contact'), false)
    const account = members('Account', narrow)
    assert.equal(account.Name, 'StringValue')
    assert.deepEqual(
      [account.Phone, account.Contacts, members('Account_Filter', narrow).Phone],
      Array(3).fill(undefined),
    )
    assert.equal(narrow.getMutationType() ?? undefined, undefined)
  })

  test('it is that of the version of the request', async () => {
    const early = await download(o, 57)
    assert.equal(early.getMutationType() ?? undefined, undefined)
    assert.equal(members('Account', early).BillingAddress, undefined)
    assert.equal(early.getDirective('optional') ?? undefined, undefined)
    const connection = (early.getType('RecordQuery') as ReturnType<typeof Object>).getFields().Account
    assert.equal(
      connection.args.some(({ name }: { name: string }) => name === 'upperBound'),
      false,
    )
  })

  test('it has each field from its deployment on', async () => {
    const field = { name: 'Fresh__c', label: 'Fresh', type: 'string', length: 20 } as const
    const text = '{ uiapi { query { Sample__c { edges { node { Fresh__c { value } } } } } } }'
    assert.match(
      (await sendDocument(o, text)).errors[0]!.message,
      /'Fresh__c' in type 'Sample__c' is undefined/,
    )
    await o.deploy([{ ...SAMPLE, fields: [...SAMPLE.fields, field] }])
    assert.deepEqual((await sendDocument(o, text)).errors, [])
  })
})

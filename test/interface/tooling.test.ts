import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { ACCOUNT } from '../../src/standard/sales/account.ts'
import { TOOLING_OBJECTS } from '../../src/standard/tooling/tooling-schema.ts'
import { ask, withoutAttributes } from '../support/ask.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField } from '../support/people.ts'

const TOOLING = '/services/data/v64.0/tooling'

const askTooling = (o: Pick<TestOrg, 'call'>, text: string, more = ''): Promise<Answer> =>
  o.call('GET', `/tooling/query?q=${encodeURIComponent(text)}${more}`)

async function fetchTooling(
  o: Pick<TestOrg, 'call'>,
  text: string,
): Promise<ReturnType<typeof withoutAttributes>[]> {
  const { status, body, text: said } = await askTooling(o, text)
  assert.equal(status, 200, `${text}: ${said}`)
  return body.records.map(withoutAttributes)
}

const VISIT: ObjectDefinition = {
  name: 'Visit__c',
  label: 'Visit',
  labelPlural: 'Visits',
  keyPrefix: '',
  description: 'Of a customer.',
  sharing: 'read',
  fields: [
    { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
    {
      name: 'Key__c',
      label: 'Key',
      type: 'string',
      length: 40,
      description: 'Of the plan.',
      help: 'As planned.',
    },
    { name: 'Cost__c', label: 'Cost', type: 'double', precision: 8, scale: 2 },
    { name: 'pack__Part__c', label: 'Part', type: 'string', length: 20 },
  ],
  validations: [
    { name: 'Has_Key', condition: 'ISBLANK(Key__c)', message: 'A key is required', field: 'Key__c' },
    {
      name: 'Is_Cheap',
      condition: 'Cost__c > 10',
      message: 'Too much',
      active: false,
      description: 'Later.',
    },
  ],
}
const PARCEL = { ...VISIT, name: 'pack__Parcel__c', label: 'Parcel', labelPlural: 'Parcels', validations: [] }

const TIER = { name: 'Tier__c', label: 'Tier', type: 'string', length: 10 } as const

describe('the tooling API', () => {
  let o: TestOrg

  before(async () => {
    o = await openOrg()
    await o.deploy([{ ...ACCOUNT, fields: [...ACCOUNT.fields, TIER] }, VISIT, PARCEL])
  })

  test('has no SourceMember, so that clients do not track changes', async () => {
    const { status, body } = await o.call('GET', '/tooling/sobjects/SourceMember/describe')
    assert.equal(status, 404)
    const message = 'The requested resource does not exist'
    assert.deepEqual(body, [{ errorCode: 'NOT_FOUND', message, fields: [] }])
    assert.equal((await askTooling(o, 'SELECT Id FROM SourceMember')).status, 400)
  })

  test('finds the objects of the org as CustomObject', async () => {
    const records = await fetchTooling(
      o,
      'SELECT DeveloperName, NamespacePrefix, FullName, ManageableState, SharingModel, Description FROM CustomObject ORDER BY FullName',
    )
    const visit = {
      DeveloperName: 'Visit',
      NamespacePrefix: null,
      FullName: 'Visit__c',
      ManageableState: 'unmanaged',
      SharingModel: 'Read',
      Description: 'Of a customer.',
    }
    const parcel = {
      ...visit,
      DeveloperName: 'Parcel',
      NamespacePrefix: 'pack',
      FullName: 'pack__Parcel__c',
      ManageableState: 'installed',
    }
    assert.deepEqual(
      records.filter(({ FullName }) => [visit.FullName, parcel.FullName].includes(String(FullName))),
      [parcel, visit],
    )
  })

  test('finds the fields of the org as CustomField, those of standard objects by their name', async () => {
    const [visit] = await fetchTooling(o, "SELECT Id FROM CustomObject WHERE DeveloperName = 'Visit'")
    const fields = await fetchTooling(
      o,
      `SELECT DeveloperName, FullName, TableEnumOrId, Length, Precision, Scale, Description, InlineHelpText, EntityDefinition.Label
       FROM CustomField WHERE TableEnumOrId = '${visit!.Id}' ORDER BY FullName`,
    )
    assert.deepEqual(
      fields.map(({ FullName }) => FullName),
      ['Visit__c.Cost__c', 'Visit__c.Key__c', 'Visit__c.pack__Part__c'],
    )
    assert.deepEqual(fields[1], {
      DeveloperName: 'Key',
      FullName: 'Visit__c.Key__c',
      TableEnumOrId: visit!.Id,
      Length: 40,
      Precision: null,
      Scale: null,
      Description: 'Of the plan.',
      InlineHelpText: 'As planned.',
      EntityDefinition: { Label: 'Visit' },
    })
    const [tier] = await fetchTooling(
      o,
      "SELECT Id, TableEnumOrId FROM CustomField WHERE DeveloperName = 'Tier'",
    )
    assert.equal(tier!.TableEnumOrId, 'Account')
    // The short form of the id leads to it, so its check characters are right.
    const short = String(tier!.Id).slice(0, 15)
    assert.deepEqual(await fetchTooling(o, `SELECT DeveloperName FROM CustomField WHERE Id = '${short}'`), [
      { DeveloperName: 'Tier' },
    ])
  })

  test('finds validation rules', async () => {
    const rules = await fetchTooling(
      o,
      `SELECT ValidationName, Active, ErrorMessage, ErrorDisplayField, Description, FullName FROM ValidationRule
       WHERE EntityDefinition.QualifiedApiName = 'Visit__c' ORDER BY ValidationName`,
    )
    assert.deepEqual(rules, [
      {
        ValidationName: 'Has_Key',
        Active: true,
        ErrorMessage: 'A key is required',
        ErrorDisplayField: 'Key__c',
        Description: null,
        FullName: 'Visit__c.Has_Key',
      },
      {
        ValidationName: 'Is_Cheap',
        Active: false,
        ErrorMessage: 'Too much',
        ErrorDisplayField: null,
        Description: 'Later.',
        FullName: 'Visit__c.Is_Cheap',
      },
    ])
  })

  test('finds EntityDefinition and FieldDefinition as the data API does', async () => {
    for (const text of [
      "SELECT DurableId, Label FROM EntityDefinition WHERE QualifiedApiName = 'Visit__c'",
      "SELECT DurableId FROM FieldDefinition WHERE EntityDefinition.QualifiedApiName = 'Visit__c'",
    ]) {
      const records = await fetchTooling(o, text)
      assert.ok(records.length > 0)
      assert.deepEqual(records, (await ask(o, text)).body.records.map(withoutAttributes))
    }
  })

  test('finds nothing of what an org has not, by any of its fields', async () => {
    for (const { name, description, fields } of TOOLING_OBJECTS) {
      if (description !== 'Has no records here.') continue
      const selected = ['Id', 'CreatedBy.Name', ...fields.map((field) => field.name)]
      const parents = fields.flatMap((field) => {
        if (field.relationship === undefined) return []
        return (field.to ?? []).length > 1 ? [`${field.relationship}.Name`] : [`${field.relationship}.Id`]
      })
      const text = `SELECT ${[...selected, ...parents].join(', ')} FROM ${name} ORDER BY Id`
      assert.deepEqual(await fetchTooling(o, text), [], text)
    }
  })

  test('counts and groups', async () => {
    const { body } = await askTooling(
      o,
      "SELECT COUNT() FROM CustomField WHERE EntityDefinitionId = 'Visit__c'",
    )
    assert.deepEqual(body, { size: 3, totalSize: 3, done: true, records: [] })
    const groups = await fetchTooling(
      o,
      "SELECT EntityDefinitionId name, COUNT(Id) n FROM CustomField WHERE EntityDefinitionId IN ('Account', 'Visit__c') GROUP BY EntityDefinitionId ORDER BY EntityDefinitionId",
    )
    assert.deepEqual(groups, [
      { name: 'Account', n: 1 },
      { name: 'Visit__c', n: 3 },
    ])
  })

  test('has addresses of its own in records, which lead to the record', async () => {
    const text = "SELECT Id, LastModifiedBy.Name FROM CustomField WHERE FullName = 'Visit__c.Key__c'"
    const [{ attributes, Id, LastModifiedBy: user }] = (await askTooling(o, text)).body.records
    assert.deepEqual(attributes, { type: 'CustomField', url: `${TOOLING}/sobjects/CustomField/${Id}` })
    const { body } = await o.call('GET', attributes.url)
    assert.deepEqual([body.attributes, body.DeveloperName, body.Length], [attributes, 'Key', 40])
    const some = await o.call('GET', `${TOOLING}/sobjects/customfield/${Id.slice(0, 15)}?fields=FullName`)
    assert.deepEqual(some.body, { attributes, FullName: 'Visit__c.Key__c', Id })
    assert.equal((await o.call('GET', user.attributes.url)).body.Name, user.Name)
    for (const path of [
      `CustomField/${Id.slice(0, 14)}x`,
      'CustomField/00N000000000001AAA',
      'ApexLog/07L000000000001AAA',
      'ApexLog/07L000000000001AAA/Body',
      'FieldDefinition/4fd000000000001AAA',
      'Account/001000000000001AAA',
    ])
      assert.equal((await o.call('GET', `${TOOLING}/sobjects/${path}`)).status, 404, path)
    const unknown = await o.call('GET', `${attributes.url}?fields=Nothing`)
    assert.deepEqual([unknown.status, unknown.body[0].errorCode], [400, 'INVALID_FIELD'])
  })

  test('pages results; its locators and those of the data API are apart', async () => {
    const fields = Array.from({ length: 210 }, (_, number) => ({
      name: `F${number}__c`,
      label: `F${number}`,
      type: 'boolean' as const,
    }))
    await o.deploy([
      {
        ...VISIT,
        name: 'Wide__c',
        label: 'Wide',
        labelPlural: 'Wides',
        validations: [],
        fields: [VISIT.fields[0]!, ...fields],
      },
    ])
    const headers = { 'svc-query-options': 'batchSize=200' }
    const page = (path: string) => o.call('GET', path, { headers })
    for (const order of ['Id', 'FullName']) {
      const text = `SELECT FullName FROM CustomField WHERE EntityDefinitionId = 'Wide__c' ORDER BY ${order}`
      const first = (await page(`/tooling/query?q=${encodeURIComponent(text)}`)).body
      assert.deepEqual([first.totalSize, first.done, first.records.length], [210, false, 200])
      assert.ok(first.nextRecordsUrl.startsWith(`${TOOLING}/query/0r9`))
      const second = (await page(first.nextRecordsUrl)).body
      assert.deepEqual([second.totalSize, second.size, second.done], [210, 210, true])
      const names = [...first.records, ...second.records].map(({ FullName }) => FullName)
      assert.equal(new Set(names).size, 210)
      const refused = await page(first.nextRecordsUrl.replace('/tooling', ''))
      assert.deepEqual([refused.status, refused.body[0].errorCode], [400, 'INVALID_QUERY_LOCATOR'])
    }
    const fieldsOf = "SELECT Id FROM FieldDefinition WHERE EntityDefinitionId = 'Wide__c'"
    const data = (await ask(o, fieldsOf, headers)).body
    assert.equal(data.done, false)
    const refused = await page(data.nextRecordsUrl.replace('/query', '/tooling/query'))
    assert.deepEqual([refused.status, refused.body[0].errorCode], [400, 'INVALID_QUERY_LOCATOR'])
  })

  test('queries nothing that is data, as if it were unknown', async () => {
    const { status, body } = await askTooling(o, 'SELECT Id FROM Account')
    assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_TYPE'])
    assert.match(body[0].message, /^sObject type 'Account' is not supported\./)
    assert.equal((await o.call('GET', '/tooling/sobjects/Account/describe')).status, 404)
  })

  test('refuses a call without a query, and an unknown field', async () => {
    const missing = await o.call('GET', '/tooling/query')
    assert.deepEqual([missing.status, missing.body[0].errorCode], [400, 'MALFORMED_QUERY'])
    const unknown = await askTooling(o, 'SELECT Nothing FROM CustomField')
    assert.deepEqual([unknown.status, unknown.body[0].errorCode], [400, 'INVALID_FIELD'])
    const locator = await o.call('GET', '/tooling/query/nothing')
    assert.deepEqual([locator.status, locator.body[0].errorCode], [400, 'INVALID_QUERY_LOCATOR'])
  })

  test('has its objects alone: no other part of the interface knows them', async () => {
    const { body } = await o.call('GET', '/sobjects')
    const known: string[] = body.sobjects.map(({ name }: { name: string }) => name)
    const standard = ['ApexClass', 'ApexTrigger']
    for (const { name } of TOOLING_OBJECTS) {
      assert.ok(!known.includes(name) && !standard.includes(name), name)
      assert.equal((await o.call('GET', `/sobjects/${name}/describe`)).status, 404, name)
      assert.equal((await ask(o, `SELECT Id FROM ${name}`)).body[0].errorCode, 'INVALID_TYPE', name)
    }
    const graphql = await o.call('POST', '/graphql', {
      body: { query: '{ uiapi { query { CustomField { totalCount } } } }' },
    })
    assert.match(graphql.body.errors[0].message, /CustomField/)
    const search = `/search?q=${encodeURIComponent('FIND {Visit} RETURNING CustomField(Id)')}`
    assert.equal((await o.call('GET', search)).status, 400)
  })

  test('describes its objects, with addresses of its own', async () => {
    const { status, body } = await o.call('GET', '/tooling/sobjects')
    assert.equal(status, 200)
    const names: string[] = body.sobjects.map(({ name }: { name: string }) => name)
    for (const name of [...TOOLING_OBJECTS.map((object) => object.name), 'EntityDefinition', 'ApexClass'])
      assert.ok(names.includes(name), name)
    assert.ok(!names.includes('Account') && !names.includes('Visit__c'))
    assert.deepEqual(names, names.toSorted())
    for (const name of names) {
      const described = await o.call('GET', `/tooling/sobjects/${name}/describe`)
      assert.equal(described.status, 200, name)
      assert.equal(described.body.urls.describe, `${TOOLING}/sobjects/${name}/describe`)
    }
    const plain = await o.call('GET', '/sobjects/EntityDefinition/describe')
    assert.equal(plain.body.urls.describe, '/services/data/v64.0/sobjects/EntityDefinition/describe')
  })

  test('shows definitions to those who may see what is defined', async () => {
    const person = await addPerson(o, 'tooling-reader')
    const visits = "FROM CustomField WHERE EntityDefinitionId = 'Visit__c' ORDER BY FullName"
    assert.deepEqual(
      await fetchTooling(person, "SELECT Id FROM CustomObject WHERE FullName = 'Visit__c'"),
      [],
    )
    assert.deepEqual(await fetchTooling(person, `SELECT Id ${visits}`), [])
    const hidden = await askTooling(person, 'SELECT Id FROM ValidationRule')
    assert.equal(hidden.body[0].errorCode, 'INVALID_TYPE')

    const grant = { PermissionsViewSetup: true }
    assert.equal(
      (await o.call('PATCH', `/sobjects/Profile/${person.profileId}`, { body: grant })).status,
      204,
    )
    const rules = "SELECT ValidationName FROM ValidationRule WHERE EntityDefinitionId = 'Visit__c'"
    assert.deepEqual(await fetchTooling(person, rules), [])

    await allow(o, person.setId, 'Visit__c', 'Read')
    assert.equal((await fetchTooling(person, rules)).length, 2)
    await allowField(o, person.setId, 'Visit__c.Key__c', 'Read')
    assert.equal(
      (await fetchTooling(person, "SELECT Id FROM CustomObject WHERE FullName = 'Visit__c'")).length,
      1,
    )
    assert.deepEqual(await fetchTooling(person, `SELECT FullName ${visits}`), [
      { FullName: 'Visit__c.Key__c' },
    ])
  })

  test('has addresses for what it answers, and one in the list of resources', async () => {
    assert.equal((await o.call('GET', '/')).body.tooling, TOOLING)
    const { body } = await o.call('GET', '/tooling/')
    for (const address of [body.sobjects, body.executeAnonymous, body.runTestsSynchronous])
      assert.equal((await o.call('GET', address)).status, 200, address)
    assert.equal((await o.call('GET', body.query)).status, 400)
    assert.equal((await o.call('POST', body.composite, { body: {} })).status, 400)
  })

  test('executes no code, and says where code goes', async () => {
    const { status, body } = await o.call(
      'GET',
      `/tooling/executeAnonymous?anonymousBody=${encodeURIComponent("System.debug('x');")}`,
    )
    assert.equal(status, 200)
    const { compileProblem, ...others } = body
    assert.match(compileProblem, /^Code is TypeScript here: .*deployment/)
    assert.deepEqual(others, {
      line: 1,
      column: 1,
      compiled: false,
      success: false,
      exceptionStackTrace: null,
      exceptionMessage: null,
    })
  })

  test('runs no tests, whatever is asked for', async () => {
    const tests = { tests: [{ className: 'OrderTest' }] }
    for (const sent of [
      ['GET', undefined],
      ['POST', tests],
      ['POST', []],
    ] as const) {
      const [method, body] = sent
      const synchronous = await o.call(method, '/tooling/runTestsSynchronous', { body })
      assert.deepEqual(synchronous.body, {
        numTestsRun: 0,
        numFailures: 0,
        totalTime: 0,
        successes: [],
        failures: [],
        codeCoverage: [],
        codeCoverageWarnings: [],
        flowCoverage: [],
        flowCoverageWarnings: [],
      })
      const queued = await o.call(method, '/tooling/runTestsAsynchronous', { body })
      assert.equal(queued.status, 200)
      assert.match(queued.body, /^707[A-Za-z0-9]{15}$/)
    }
  })

  test('makes composites and batches of its queries, and describes in them', async () => {
    const find = (name: string) =>
      `${TOOLING}/query?q=${encodeURIComponent(`SELECT Id FROM CustomObject WHERE DeveloperName = '${name}'`)}`
    const { body } = await o.call('POST', '/tooling/composite', {
      body: {
        compositeRequest: [
          { method: 'GET', url: find('Visit'), referenceId: 'visit' },
          {
            method: 'GET',
            url: `${TOOLING}/query?q=SELECT+FullName+FROM+CustomField+WHERE+TableEnumOrId='@{visit.records[0].Id}'+ORDER+BY+FullName`,
            referenceId: 'fields',
          },
          { method: 'GET', url: `${TOOLING}/sobjects/SourceMember/describe`, referenceId: 'tracking' },
        ],
      },
    })
    const [visit, fields, tracking] = body.compositeResponse
    assert.equal(visit.body.totalSize, 1)
    assert.equal(fields.body.records[0].FullName, 'Visit__c.Cost__c')
    assert.equal(tracking.httpStatusCode, 404)
    const batch = await o.call('POST', '/tooling/composite/batch', {
      body: { batchRequests: [{ method: 'GET', url: find('Visit').replace('/services/data/', '') }] },
    })
    assert.equal(batch.body.results[0].result.totalSize, 1)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, TICKET, ...HIERARCHY_SCHEMA])
})

const get = (path: string, headers?: Record<string, string>) => org.call('GET', path, { headers })
const words = (text: string) => text.trim().split(/\s+/)

const BRIEF_KEYS =
  words(`activateable associateEntityType associateParentEntity createable custom customSetting
  deepCloneable deletable deprecatedAndHidden feedEnabled hasSubtypes isInterface isSubtype keyPrefix label
  labelPlural layoutable mergeable mruEnabled name queryable replicateable retrieveable searchable triggerable
  undeletable updateable urls`)

const FULL_KEYS = [
  ...BRIEF_KEYS,
  ...words(`actionOverrides childRelationships compactLayoutable defaultImplementation extendedBy extendsInterfaces
    fields implementedBy implementsInterfaces listviewable lookupLayoutable namedLayoutInfos networkScopeFieldName
    recordTypeInfos searchLayoutable sobjectDescribeOption supportedScopes`),
].sort()

const FIELD_KEYS = words(`aggregatable aiPredictionField autoNumber byteLength calculated calculatedFormula
  cascadeDelete caseSensitive compoundFieldName controllerName createable custom defaultValue defaultValueFormula
  defaultedOnCreate dependentPicklist deprecatedAndHidden digits displayLocationInDecimal encrypted externalId
  extraTypeInfo filterable filteredLookupInfo formulaTreatNullNumberAsZero groupable highScaleNumber htmlFormatted
  idLookup inlineHelpText label length mask maskType name nameField namePointing nillable permissionable
  picklistValues polymorphicForeignKey precision queryByDistance referenceTargetField referenceTo relationshipName
  relationshipOrder restrictedDelete restrictedPicklist scale searchPrefilterable soapType sortable type unique
  updateable writeRequiresMasterRead`)

const BRIEF_URLS = words(
  'approvalLayouts compactLayouts describe layouts listviews quickActions rowTemplate sobject',
)

// biome-ignore lint/suspicious/noExplicitAny: a describe body
type Body = any

describe('the describe global', () => {
  test('lists every object, sorted by name, each with the same keys', async () => {
    const { status, body } = await get('/sobjects/')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['encoding', 'maxBatchSize', 'sobjects'])
    assert.equal(body.encoding, 'UTF-8')
    assert.equal(body.maxBatchSize, 200)
    const names = body.sobjects.map((object: Body) => object.name)
    assert.deepEqual(names, [...names].sort())
    for (const name of ['Account', 'User', 'Organization', 'Specimen__c']) assert.ok(names.includes(name))
    for (const object of body.sobjects) {
      assert.deepEqual(Object.keys(object).sort(), BRIEF_KEYS)
      assert.deepEqual(Object.keys(object.urls).sort(), BRIEF_URLS)
    }
  })

  test('tells where an object is, in the version of the call', async () => {
    const { body } = await get('/services/data/v52.0/sobjects')
    const account = body.sobjects.find((object: Body) => object.name === 'Account')
    assert.equal(account.keyPrefix, '001')
    assert.equal(account.urls.sobject, '/services/data/v52.0/sobjects/Account')
    assert.equal(account.urls.rowTemplate, '/services/data/v52.0/sobjects/Account/{ID}')
  })
})

describe('the describe of an object', () => {
  test('has all keys, and its fields have all 57', async () => {
    for (const name of ['Account', 'Specimen__c', 'User']) {
      const { status, body } = await get(`/sobjects/${name.toLowerCase()}/describe/`)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body).sort(), FULL_KEYS)
      assert.equal(body.name, name)
      assert.equal(FIELD_KEYS.length, 57)
      for (const field of body.fields) assert.deepEqual(Object.keys(field).sort(), FIELD_KEYS, field.name)
      const urls = [...BRIEF_URLS, 'defaultValues', 'uiDetailTemplate', 'uiEditTemplate', 'uiNewRecord']
      assert.deepEqual(Object.keys(body.urls).sort(), urls.sort())
      assert.equal(body.fields[0].name, 'Id')
      assert.equal(body.sobjectDescribeOption, 'FULL')
    }
  })

  test('has the master record type', async () => {
    const { body } = await get('/sobjects/Account/describe')
    const layout = '/services/data/v64.0/sobjects/Account/describe/layouts/012000000000000AAA'
    assert.deepEqual(body.recordTypeInfos, [
      {
        active: true,
        available: true,
        defaultRecordTypeMapping: true,
        developerName: 'Master',
        master: true,
        name: 'Master',
        recordTypeId: '012000000000000AAA',
        urls: { layout },
      },
    ])
  })

  test('has the ways down to other objects, with what a delete does there', async () => {
    const down = async (object: string) => (await get(`/sobjects/${object}/describe`)).body.childRelationships
    const contacts = (await down('Account')).find((child: Body) => child.relationshipName === 'Contacts')
    assert.deepEqual(contacts, {
      cascadeDelete: true,
      childSObject: 'Contact',
      deprecatedAndHidden: false,
      field: 'AccountId',
      junctionIdListNames: [],
      junctionReferenceTo: [],
      relationshipName: 'Contacts',
      restrictedDelete: false,
    })
    const houses = new Map((await down('House__c')).map((child: Body) => [child.relationshipName, child]))
    const rules = ['Rooms__r', 'Sent__r', 'Leases__r'].map((name) => {
      const { cascadeDelete, restrictedDelete } = houses.get(name) as Body
      return [cascadeDelete, restrictedDelete]
    })
    assert.deepEqual(rules, [
      [true, false],
      [false, false],
      [false, true],
    ])
  })

  test('tells clients what a create needs: createable, not nillable, not defaulted', async () => {
    const needed = async (object: string) =>
      (await get(`/sobjects/${object}/describe`)).body.fields
        .filter((field: Body) => field.createable && !field.nillable && !field.defaultedOnCreate)
        .map((field: Body) => field.name)
    assert.deepEqual(await needed('Lead'), ['LastName', 'Company'])
    assert.deepEqual(await needed('Specimen__c'), [])
    assert.deepEqual(await needed('Ticket__c'), ['Title__c', 'Room__c', 'Account__c'])
    assert.deepEqual(await needed('Room__c'), ['House__c'])
  })

  test('shows picklist values with label, default and whether they are active', async () => {
    const { body } = await get('/sobjects/Specimen__c/describe')
    const size = body.fields.find((field: Body) => field.name === 'Size__c')
    assert.deepEqual(size.picklistValues, [
      { active: true, defaultValue: false, label: 'Small', validFor: null, value: 'S' },
      { active: true, defaultValue: true, label: 'Medium', validFor: null, value: 'M' },
      { active: true, defaultValue: false, label: 'L', validFor: null, value: 'L' },
      { active: false, defaultValue: false, label: 'XXL', validFor: null, value: 'XXL' },
    ])
    assert.deepEqual([size.restrictedPicklist, size.defaultedOnCreate, size.defaultValue], [true, true, 'M'])
  })

  test('of an object that does not exist is not found', async () => {
    for (const path of ['/sobjects/Nothing__c', '/sobjects/Nothing__c/describe']) {
      assertRefused(await get(path), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })
})

describe('the basic information of an object', () => {
  test('is the brief describe with the recent records, and the full describe beside them', async () => {
    const { body } = await get('/sobjects/Account/')
    const brief = (await get('/sobjects')).body.sobjects.find((object: Body) => object.name === 'Account')
    assert.deepEqual(body.objectDescribe, brief)
    assert.deepEqual(body.recentItems, [])
    const { objectDescribe, recentItems, ...rest } = body
    assert.deepEqual(rest, (await get('/sobjects/Account/describe')).body)
  })
})

describe('a describe changes only with the org, so a client may keep it', () => {
  const PATHS = [
    '/sobjects',
    '/sobjects/Account',
    '/sobjects/Account/describe',
    '/sobjects/Ticket__c/describe',
  ]

  test('all of them have one ETag and one date', async () => {
    const answers = await Promise.all(PATHS.map((path) => get(path)))
    assert.match(String(answers[0]!.headers.etag), /^"[0-9a-f]{8}"$/)
    assert.match(String(answers[0]!.headers['last-modified']), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    for (const { headers } of answers) {
      assert.equal(headers.etag, answers[0]!.headers.etag)
      assert.equal(headers['last-modified'], answers[0]!.headers['last-modified'])
    }
  })

  test('If-Modified-Since gives 304 with the same headers, as long as nothing was deployed', async () => {
    for (const path of PATHS) {
      const whole = await get(path)
      const date = String(whole.headers['last-modified'])
      const kept = await get(path, { 'if-modified-since': date })
      assert.deepEqual([kept.status, kept.text], [304, ''])
      assert.equal(kept.headers.etag, whole.headers.etag)
      assert.equal(kept.headers['last-modified'], date)
      const older = new Date(Date.parse(date) - 1000).toUTCString()
      assert.equal((await get(path, { 'if-modified-since': older })).status, 200)
      assert.equal((await get(path, { 'if-modified-since': 'yesterday' })).status, 200)
    }
  })

  test('If-Unmodified-Since gives 412 when something was deployed later', async () => {
    const date = String((await get('/sobjects')).headers['last-modified'])
    assert.equal((await get('/sobjects', { 'if-unmodified-since': date })).status, 200)
    const older = new Date(Date.parse(date) - 1000).toUTCString()
    assertRefused(
      await get('/sobjects', { 'if-unmodified-since': older }),
      412,
      'PRECONDITION_FAILED',
      'The metadata was modified after the given date',
    )
  })

  test('a deployment shows at once, with another ETag', async () => {
    const fresh = await openOrg()
    const before = await fresh.call('GET', '/sobjects')
    await fresh.deploy([TICKET])
    const after = await fresh.call('GET', '/sobjects')
    assert.notEqual(after.headers.etag, before.headers.etag)
    assert.equal(after.body.sobjects.length, before.body.sobjects.length + 1)
    assert.equal((await fresh.call('GET', '/sobjects/Ticket__c/describe')).status, 200)
  })
})

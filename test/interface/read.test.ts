import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_KEY, NO_RESOURCE } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg
let id: string

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN])
  id = await org.create('Contact', { FirstName: 'Ada', LastName: 'King', MailingCity: 'London' })
})

const get = (path: string) => org.call('GET', `/sobjects/${path}`)

/** One more character at the end of an id, and the id of a record that never was. */
const unknownId = (known: string) => `${known.slice(0, 14)}z`

describe('a record read by id', () => {
  test('has attributes first, then every field in the order of the describe, nulls and compounds included', async () => {
    const { status, body } = await get(`Contact/${id}`)
    assert.equal(status, 200)
    const describeBody = (await get('Contact/describe')).body
    const names = describeBody.fields.map((field: { name: string }) => field.name)
    assert.deepEqual(Object.keys(body), ['attributes', ...names])
    const url = `/services/data/v64.0/sobjects/Contact/${id}`
    assert.deepEqual(body.attributes, { type: 'Contact', url })
    assert.equal(body.Id, id)
    assert.equal(body.Phone, null)
    assert.equal(body.Name, 'Ada King')
    assert.equal(body.OtherAddress, null)
    assert.deepEqual(body.MailingAddress, {
      city: 'London',
      country: null,
      geocodeAccuracy: null,
      latitude: null,
      longitude: null,
      postalCode: null,
      state: null,
      street: null,
    })
  })

  test('is found by 15 characters and by any case of the object, and answers in the canonical spelling', async () => {
    for (const path of [`contact/${id.slice(0, 15)}`, `CONTACT/${id}/`, `Contact/${id.slice(0, 15)}.json`]) {
      const { body } = await get(path)
      assert.equal(body.Id, id)
      assert.equal(body.attributes.url, `/services/data/v64.0/sobjects/Contact/${id}`)
    }
  })

  test('has the version of the call in its address', async () => {
    const { body } = await org.call('GET', `/services/data/v31.0/sobjects/Contact/${id}`)
    assert.equal(body.attributes.url, `/services/data/v31.0/sobjects/Contact/${id}`)
  })

  test('is found by the key Id too', async () => {
    assert.equal((await get(`Contact/Id/${id}`)).body.Id, id)
    assert.equal((await get(`Contact/id/${id.slice(0, 15)}`)).body.Id, id)
  })

  test('answers HEAD with the headers alone', async () => {
    const whole = await get(`Contact/${id}`)
    const head = await org.call('HEAD', `/sobjects/Contact/${id}`)
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-type'], whole.headers['content-type'])
    assert.equal((await org.call('HEAD', `/sobjects/Contact/${unknownId(id)}`)).status, 404)
  })
})

describe('a record that cannot be read', () => {
  test('never was, or is of another type: not found', async () => {
    assertRefused(await get(`Contact/${unknownId(id)}`), 404, 'NOT_FOUND', NO_RESOURCE)
    assertRefused(await get(`Account/${id}`), 404, 'NOT_FOUND', NO_KEY(id))
    assertRefused(await get(`Contact/Id/${org.userId}`), 404, 'NOT_FOUND', NO_KEY(org.userId))
  })

  test('was deleted: not found', async () => {
    const gone = await org.create('Contact', { LastName: 'Gone' })
    await org.call('DELETE', `/sobjects/Contact/${gone}`)
    assertRefused(await get(`Contact/${gone}`), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('has no id at all: the segment is named', async () => {
    const wrongCheck = `${id.slice(0, 15)}${id.endsWith('A') ? 'AAB' : 'AAA'}`
    for (const segment of [
      '-1',
      'INVALID ID',
      '001',
      `${id}A`,
      id.slice(0, 17),
      wrongCheck,
      'é'.repeat(15),
    ]) {
      const answer = await get(`Contact/${encodeURIComponent(segment)}`)
      assertRefused(answer, 404, 'NOT_FOUND', NO_KEY(segment))
    }
  })

  test('is of an object that does not exist: not found', async () => {
    assertRefused(await get(`Nothing__c/${id}`), 404, 'NOT_FOUND', NO_RESOURCE)
    assertRefused(await get(`Nothing__c/Key__c/1`), 404, 'NOT_FOUND', NO_RESOURCE)
  })
})

describe('?fields=', () => {
  const keys = async (fields: string) => Object.keys((await get(`Contact/${id}?fields=${fields}`)).body)

  test('chooses fields in the asked order, and Id comes last when it was not asked for', async () => {
    assert.deepEqual(await keys('LastName,FirstName'), ['attributes', 'LastName', 'FirstName', 'Id'])
    assert.deepEqual(await keys('Id,LastName'), ['attributes', 'Id', 'LastName'])
  })

  test('takes names without case, with blanks around them, and shows a repeated one once', async () => {
    assert.deepEqual(await keys('lastname,%20EMAIL%20,LastName'), ['attributes', 'LastName', 'Email', 'Id'])
  })

  test('may ask for compound fields and their parts', async () => {
    const { body } = await get(`Contact/${id}?fields=MailingAddress,MailingCity,Name`)
    assert.deepEqual(Object.keys(body), ['attributes', 'MailingAddress', 'MailingCity', 'Name', 'Id'])
    assert.equal(body.MailingAddress.city, 'London')
  })

  test('refuses a name that is no field, an empty one and a path', async () => {
    const cases = [
      ['Foo', 'Foo'],
      ['LastName,', ''],
      ['', ''],
      ['Account.Name', 'Account.Name'],
      ['__proto__', '__proto__'],
      ['*', '*'],
    ]
    for (const [requested, named] of cases) {
      assertRefused(
        await get(`Contact/${id}?fields=${requested}`),
        400,
        'INVALID_FIELD',
        `No such column '${named}' on entity 'Contact'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.`,
      )
    }
  })
})

describe('a record read by key', () => {
  const specimen = (fields: Record<string, unknown>) => org.create('Specimen__c', fields)
  const found = async (path: string) => {
    const { status, body } = await get(`Specimen__c/${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.Id
  }

  test('is found without case, unless the key is case-sensitive', async () => {
    const one = await specimen({ Key__c: 'Kê-1', Exact__c: 'aB' })
    assert.equal(await found('Key__c/k%C3%8A-1'), one)
    assert.equal(await found('key__C/K%C3%AA-1?fields=Name'), one)
    assert.equal(await found('Exact__c/aB'), one)
    assertRefused(await get('Specimen__c/Exact__c/ab'), 404, 'NOT_FOUND', NO_RESOURCE)
  })

  test('may have slashes, blanks, plus signs, dots, percent signs and any script in its key', async () => {
    const values = [
      'a/b',
      'a b',
      'a+b',
      'x.json',
      'a@b.inc',
      '100%',
      '日本 😀',
      '?#&=;:',
      "o'neil",
      '...',
      'é'.repeat(100),
    ]
    for (const value of values) {
      const one = await specimen({ Key__c: value })
      assert.equal(await found(`Key__c/${encodeURIComponent(value)}`), one, value)
    }
  })

  test('takes a plus sign for itself first and for a blank when only that exists', async () => {
    const blank = await specimen({ Key__c: 'two words' })
    assert.equal(await found('Key__c/two+words'), blank)
    const plus = await specimen({ Key__c: 'two+words' })
    assert.equal(await found('Key__c/two+words'), plus)
    assert.equal(await found('Key__c/two%20words'), blank)
  })

  test('is found by a number in any spelling', async () => {
    const one = await specimen({ Numeral__c: 1700, Ordinal__c: 17 })
    for (const value of ['1700', '1700.0', '1.7e3', '%2B1700']) {
      assert.equal(await found(`Numeral__c/${value}`), one)
    }
    assert.equal(await found('Ordinal__c/17'), one)
  })

  test('is found by standard keys: an email, the name of what is no account and no person', async () => {
    const person = await org.create('Contact', { LastName: 'Noether', Email: 'emmy@example.com' })
    assert.equal((await get('Contact/Email/EMMY@example.com')).body.Id, person)
    const product = await org.create('Product2', { Name: 'Ring' })
    assert.equal((await get('Product2/Name/ring')).body.Id, product)
  })

  test('is found by the name of an account, contact or lead or the subject of an event only where the setting is lenient', async () => {
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    for (const [where, status] of [
      [org, 404],
      [lenient, 200],
    ] as const) {
      await where.create('Account', { Name: 'Göttingen' })
      await where.create('Contact', { LastName: 'Emmy' })
      await where.create('Lead', { LastName: 'Emmy', Company: 'x' })
      const times = { StartDateTime: '2026-05-01T10:00:00Z', DurationInMinutes: 5 }
      await where.create('Event', { Subject: 'Talk', ...times })
      for (const path of [
        'Account/Name/G%C3%B6ttingen',
        'Contact/Name/Emmy',
        'Lead/Name/Emmy',
        'Event/Subject/Talk',
      ]) {
        assert.equal((await where.call('GET', `/sobjects/${path}`)).status, status, path)
        const [object, key] = path.split('/')
        const upsert = { object, operation: 'upsert', externalIdFieldName: key }
        assert.equal(
          (await where.call('POST', '/jobs/ingest', { body: upsert })).status,
          status === 200 ? 200 : 400,
        )
        const list = await where.call('PATCH', `/composite/sobjects/${object}/${key}`, {
          body: { records: [] },
        })
        assert.equal(list.status === 404, status === 404, list.text)
      }
    }
  })

  test('is not found when no record has the key, or none could have it', async () => {
    for (const path of [
      'Key__c/none',
      'Key__c/%20',
      'Key__c/%00',
      `Key__c/${'x'.repeat(5000)}`,
      'Numeral__c/ten',
      'Numeral__c/1e300',
      'Ordinal__c/1.5',
      'Ordinal__c/99999999999',
    ]) {
      assertRefused(await get(`Specimen__c/${path}`), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test('that several records have gives 300 with the addresses of all', async () => {
    const ids = [await specimen({ Loose__c: 'Twin' }), await specimen({ Loose__c: 'twin' })]
    const answer = await get('Specimen__c/Loose__c/TWIN')
    assert.equal(answer.status, 300)
    assert.deepEqual(
      answer.body,
      ids.map((one) => `/services/data/v64.0/sobjects/Specimen__c/${one}`),
    )
  })

  test('is not looked for in a field that is no key', async () => {
    for (const field of ['Text__c', 'Nothing__c', 'OwnerId', 'Bytes__c']) {
      assertRefused(await get(`Specimen__c/${field}/x`), 404, 'NOT_FOUND', NO_KEY(field))
    }
    assertRefused(await get('Specimen__c/Key__c/'), 404, 'NOT_FOUND', NO_KEY('Key__c'))
  })
})

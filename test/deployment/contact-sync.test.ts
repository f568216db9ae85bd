import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { fetchNames } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

// Every response of the contact sync example.

const EXAMPLE = resolve(import.meta.dirname, '../../examples/contact-sync')

describe('the example contact-sync', () => {
  let o: TestOrg
  const call = (method: string, path = '', body?: unknown) =>
    o.call(method, `/services/customrest/contact-sync${path}`, { body })
  const ada = {
    externalId: 'C-1',
    lastName: 'Lovelace',
    firstName: 'Ada',
    email: 'ada@example.com',
    phone: '1',
  }

  before(async () => {
    o = await openOrg({ deployment: EXAMPLE })
    const { files } = loadDefinitions(EXAMPLE)
    await fetchSteps(o, files.objects, files)
  })

  test('POST creates a contact: 201 with the record', async () => {
    const { status, body } = await call('POST', '', ada)
    const { attributes, Id, ...fields } = body
    assert.equal(status, 201)
    assert.deepEqual(fields, {
      ...{
        ExternalId__c: 'C-1',
        FirstName: 'Ada',
        LastName: 'Lovelace',
        Email: 'ada@example.com',
        Phone: '1',
      },
    })
    assert.deepEqual(attributes, { type: 'Contact', url: `/services/data/v68.0/sobjects/Contact/${Id}` })
  })

  test('GET gives the record, without the fields that are empty', async () => {
    await call('POST', '', { externalId: 'C/2 é', lastName: 'Hopper' })
    const { status, body } = await call('GET', '/C%2F2%20%C3%A9')
    const { attributes: _, Id, ...fields } = body
    assert.deepEqual([status, fields], [200, { ExternalId__c: 'C/2 é', LastName: 'Hopper' }])
  })

  test('GET of a blank id is 400, of an unknown one 404, each with {error}', async () => {
    for (const path of ['', '/', '/%20']) {
      const { status, body } = await call('GET', path)
      assert.deepEqual([status, body], [400, { error: 'externalId is required' }])
    }
    const { status, body } = await call('GET', '/nobody')
    assert.deepEqual([status, body], [404, { error: 'There is no contact nobody' }])
  })

  test('POST without a required member, or with what the org refuses, is 400 with {error} and creates nothing', async () => {
    const REFUSED = [
      [{ lastName: 'Nobody' }, 'externalId is required'],
      [{ externalId: 'N-1' }, 'lastName is required'],
      [{ externalId: 'N-1', lastName: ' ' }, 'lastName is required'],
      [
        { externalId: 'N-1', lastName: 'Nobody', email: 'no address' },
        'Email: invalid email address: no address',
      ],
      [['N-1'], 'The body must be a JSON object'],
      [undefined, 'The body must be a JSON object'],
    ] as const
    for (const [sent, error] of REFUSED) {
      const { status, body } = await call('POST', '', sent)
      assert.deepEqual([status, body], [400, { error }])
    }
    assert.deepEqual(await fetchNames(o, "Contact WHERE Name = 'Nobody'"), [])
  })

  test('PUT changes what it names: 200 with the record', async () => {
    await call('POST', '', { externalId: 'C-3', lastName: 'Liskov', phone: '3' })
    const { status, body } = await call('PUT', '', { externalId: 'C-3', firstName: 'Barbara' })
    const { attributes: _, Id, ...fields } = body
    assert.deepEqual(
      [status, fields],
      [200, { ExternalId__c: 'C-3', FirstName: 'Barbara', LastName: 'Liskov', Phone: '3' }],
    )
  })

  test('PUT of nothing is 400, of an unknown contact 404, of what the org refuses 400, each with {error}', async () => {
    const answer = async (sent: unknown) => {
      const { status, body } = await call('PUT', '', sent)
      return [status, body]
    }
    assert.deepEqual(await answer({ firstName: 'A' }), [400, { error: 'externalId is required' }])
    assert.deepEqual(await answer({ externalId: 'nobody' }), [404, { error: 'There is no contact nobody' }])
    await call('POST', '', { externalId: 'C-4', lastName: 'Allen' })
    assert.deepEqual(await answer({ externalId: 'C-4', lastName: '' }), [
      400,
      { error: 'Required fields are missing: [LastName]' },
    ])
  })

  test('has no other verbs', async () => {
    const message = "HTTP Method 'DELETE' not allowed. Allowed are GET, POST, PUT"
    assertRefused(await call('DELETE', '/C-1'), 405, 'METHOD_NOT_ALLOWED', message)
  })
})

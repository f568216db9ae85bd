import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { deploy, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* $Setup and $CustomMetadata in formulas */

const OBJECTS: Objects = {
  Limits__c: {
    setting: 'hierarchy',
    fields: { Rows__c: { type: 'double' }, Strict__c: { type: 'boolean' } },
  },
  Rate__mdt: {
    fields: { Percent__c: { type: 'double', scale: 1 } },
    records: { Usual: { values: { Percent__c: 12.5 } } },
  },
  Load__c: {
    fields: {
      Size__c: { type: 'double' },
      Most__c: { type: 'double', formula: '$Setup.Limits__c.Rows__c' },
      Rate__c: { type: 'double', scale: 1, formula: '$CustomMetadata.Rate__mdt.Usual.Percent__c * 2' },
    },
    validations: {
      Strict: {
        condition: '$Setup.Limits__c.Strict__c && Size__c > $Setup.Limits__c.Rows__c',
        message: 'Too large.',
      },
    },
  },
}

let o: TestOrg

before(async () => {
  o = await openOrg()
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
})

const mostOf = async (id: string) =>
  (await fetchRecords(o, `SELECT Most__c FROM Load__c WHERE Id = '${id}'`))[0]

describe('A formula', () => {
  test('reads of a hierarchy setting what is set for the user, else for the profile, else for the organization', async () => {
    const load = await o.create('Load__c', { Size__c: 1 })
    assert.deepEqual(await mostOf(load), { Most__c: 0 })
    const [user] = await fetchRecords(o, `SELECT ProfileId FROM User WHERE Id = '${o.userId}'`)
    for (const [owner, rows] of [
      [o.org.id, 10],
      [user!.ProfileId, 20],
      [o.userId, 30],
    ]) {
      await o.create('Limits__c', { SetupOwnerId: owner, Rows__c: rows, Strict__c: true })
      assert.deepEqual(await mostOf(load), { Most__c: rows })
    }
  })

  test('in a rule, too', async () => {
    const { status, body } = await o.call('POST', '/sobjects/Load__c', { body: { Size__c: 31 } })
    assert.equal(status, 400)
    assert.equal(body[0].message, 'Too large.')
    assert.equal((await o.call('POST', '/sobjects/Load__c', { body: { Size__c: 30 } })).status, 201)
  })

  test('reads the records of metadata types', async () => {
    const load = await o.create('Load__c', { Size__c: 1 })
    const [record] = await fetchRecords(o, `SELECT Rate__c FROM Load__c WHERE Id = '${load}'`)
    assert.deepEqual(record, { Rate__c: 25 })
  })

  test('is refused for a setting, type, record or field that is not there', async () => {
    for (const name of [
      '$Setup.No__c.Rows__c',
      '$Setup.Load__c.Size__c',
      '$Setup.Limits__c',
      '$Setup.Limits__c.No__c',
      '$CustomMetadata.No__mdt.Usual.Percent__c',
      '$CustomMetadata.Rate__mdt.Rare.Percent__c',
      '$CustomMetadata.Rate__mdt.Usual',
    ]) {
      const body = { object: 'Load__c', formula: `ISBLANK(${name})` }
      const { status, text } = await o.call('POST', '/setup/orgs/current/formula', { body })
      assert.equal(status, 400, name)
      assert.match(text, /does not exist/, name)
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ask, namesOf, recordsOf } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

/** A query of the size of these is sent as a body would be: no address is as long. */
const MINUTE = { timeout: 60_000 }

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`

describe('labels are compared with a pattern in as many steps as they have characters', () => {
  const zones = async (pattern: string) => {
    const records = await recordsOf(
      o,
      `SELECT TimeZoneSidKey FROM User WHERE Id = '${o.userId}' AND toLabel(TimeZoneSidKey) LIKE ${quoted(pattern)}`,
    )
    return records.length
  }

  test("toLabel(TimeZoneSidKey) LIKE '%%%...~' is answered", MINUTE, async () => {
    assert.equal(await zones(`${'%'.repeat(30)}~`), 0)
    assert.equal(await zones(`${'%a'.repeat(30)}~`), 0)
    assert.equal(await zones(`${'%_'.repeat(1900)}~`), 0)
    assert.equal(await zones('%'.repeat(3900)), 1)
  })

  test('a label is like a pattern when a text is', async () => {
    const labels = ['Acme', 'ACME Ltd', 'a_c%e', 'ac\\me', 'Ünï😀x', 'x', 'aaab', 'abab']
    const values = labels.map((label, i) => ({ value: `v${i}`, label }))
    const own = { name: 'Own__c', type: 'picklist', label: 'Own', values } as const
    const account = { name: 'Account', label: 'Account', labelPlural: 'Accounts', keyPrefix: '001' }
    await o.deploy([{ ...account, fields: [own] }])
    for (const [i, Name] of labels.entries()) await o.create('Account', { Name, Own__c: `v${i}` })
    const patterns = [
      'acme',
      'ac%',
      '%me',
      '%c%e',
      '_c_e',
      'a\\_c\\%e',
      '%\\\\%',
      'ünï_x',
      '_',
      '%ab',
      'a%a%b',
    ]
    for (const pattern of [
      ...patterns,
      '%a%b',
      '%_',
      '%',
      '%%x',
      'a%%%b%',
      '%b%b%',
      '_%_%_%_%_',
      '%ME_LTD',
      'x%x',
      'ab%ab',
    ]) {
      const like = `LIKE '${pattern}' ORDER BY Id`
      const named = await namesOf(o, `Account WHERE Name ${like}`)
      assert.deepEqual(await namesOf(o, `Account WHERE toLabel(Own__c) ${like}`), named, pattern)
    }
  })

  test('a query that compares too many labels is refused before it begins', async () => {
    const many = Array(500).fill("toLabel(TimeZoneSidKey) LIKE '%x%'").join(' OR ')
    const answer = await ask(o, `SELECT Id FROM User WHERE ${many}`)
    assert.equal(answer.status, 400)
    assert.equal(answer.body[0].errorCode, 'QUERY_TOO_COMPLICATED')
  })
})

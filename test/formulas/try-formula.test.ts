import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'

/* POST /setup/orgs/current/formula */

let o: TestOrg
let account: string

before(async () => {
  o = await openOrg()
  account = await o.create('Account', { Name: 'Acme', AnnualRevenue: 1500, NumberOfEmployees: 0 })
})

const send = (formula: string, more: object = {}) =>
  o.call('POST', '/setup/orgs/current/formula', { body: { object: 'Account', formula, ...more } })
const attempt = async (formula: string, more: object = { record: account }) => {
  const { status, body, text } = await send(formula, more)
  assert.equal(status, 200, text)
  return body
}

describe('A formula that is tried', () => {
  test('has its value for a record, its type, references and SQL', async () => {
    const { sql, ...tried } = await attempt('IF(AnnualRevenue > 1000, UPPER(Name), Owner.Username)')
    assert.deepEqual(tried, {
      type: 'Text',
      references: ['AnnualRevenue', 'Name', 'Owner.Username'],
      value: 'ACME',
    })
    assert.match(sql, /"t0"."annualrevenue"/)
  })

  test('reads parents, the caller and the clock', async () => {
    const { value } = await attempt('Owner.Id = $User.Id && TODAY() > DATE(2000, 1, 1)')
    assert.equal(value, true)
  })

  test('tells the caller and the record apart where both have a field of the same name', async () => {
    const contact = await o.create('Contact', { LastName: 'Ada', Email: 'ada@example.com' })
    const body = { object: 'Contact', formula: 'Email & " " & $User.Id & " " & Id', record: contact }
    const answer = await o.call('POST', '/setup/orgs/current/formula', { body })
    assert.deepEqual(answer.body.references, ['Email', '$User.Id', 'Id'])
    assert.equal(answer.body.value, `ada@example.com ${o.userId.slice(0, 15)} ${contact.slice(0, 15)}`)
  })

  test('sees a new record without values where none is named', async () => {
    assert.equal((await attempt('ISBLANK(Name) && ISNEW()', {})).value, true)
  })

  test('says why it has no value', async () => {
    const { value, error } = await attempt('AnnualRevenue / NumberOfEmployees')
    assert.equal(value, null)
    assert.match(error, /zero/)
  })

  test('says why a formula field cannot have it', async () => {
    const { value, sql, sqlError } = await attempt('REGEX(Name, "A.*")')
    assert.deepEqual([value, sql], [true, null])
    assert.match(sqlError, /REGEX/)
  })

  test('is refused with line and column', async () => {
    const { status, body } = await send('Name &\n  Nmae')
    assert.equal(status, 400)
    assert.match(body[0].message, /2:3: Field Nmae does not exist.* Did you mean Name\?/)
  })

  test('is refused for a record of another object and for one that is not there', async () => {
    const contact = await o.create('Contact', { LastName: 'Ada' })
    assert.equal((await send('Name', { record: contact })).status, 400)
    const gone = await o.create('Account', { Name: 'Gone' })
    await o.call('DELETE', `/sobjects/Account/${gone}`)
    assert.equal((await send('Name', { record: gone })).status, 404)
  })
})

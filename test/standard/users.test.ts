import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg } from '../support/org.ts'

test('a user has a name like an e-mail address and a nickname, which no other user has', async () => {
  const o = await openOrg()
  const [profile] = await fetchRecords(o, "SELECT Id FROM Profile WHERE Name = 'Standard User'")
  const user = {
    Username: 'ann.lee@example.com',
    LastName: 'Lee',
    Email: 'ann@example.com',
    Alias: 'ann',
    ProfileId: profile!.Id,
    TimeZoneSidKey: 'Europe/Berlin',
    LocaleSidKey: 'en_US',
    EmailEncodingKey: 'UTF-8',
    LanguageLocaleKey: 'en_US',
  }
  const id = await o.create('User', user)
  await assertValues(o, 'User', id, { CommunityNickname: 'ann.lee' })
  const send = (fields: object) => o.call('POST', '/sobjects/User', { body: { ...user, ...fields } })
  const refused = await send({ Username: 'ann.lee@example.net', CommunityNickname: 'ANN.lee' })
  assertRefused(refused, 400, 'DUPLICATE_COMM_NICKNAME', /nickname/, ['CommunityNickname'])
  const second = await o.create('User', { ...user, Username: 'Ann.Lee@example.net' })
  await assertValues(o, 'User', second, { CommunityNickname: 'Ann.Lee1' })
  const rename = (body: object) => o.call('PATCH', `/sobjects/User/${second}`, { body })
  assertRefused(await rename({ CommunityNickname: 'ann.lee' }), 400, 'DUPLICATE_COMM_NICKNAME', /nickname/, [
    'CommunityNickname',
  ])
  for (const answer of [await rename({ Username: 'ann' }), await send({ Username: 'a b@example.com' })])
    assertRefused(answer, 400, 'INVALID_EMAIL_ADDRESS', /^Username: invalid email address: a/, ['Username'])
  assert.equal((await rename({ CommunityNickname: 'Ann.LEE1', Title: 'Dr' })).status, 204)
  const again = await send({ CommunityNickname: 'other' })
  assertRefused(again, 400, 'DUPLICATE_USERNAME', /^Duplicate Username\.<br>/, ['Username'])
})

import { test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg } from '../support/org.ts'

test('a user has a nickname from the username, which no other user has', async () => {
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
  const again = await o.call('POST', '/sobjects/User', { body: { ...user, CommunityNickname: 'other' } })
  assertRefused(again, 400, 'DUPLICATE_USERNAME', /^Duplicate Username\.<br>/, ['Username'])
})

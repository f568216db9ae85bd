import type { TestOrg } from './org.ts'

/** A user with the caller's profile. */
export async function createUser(org: TestOrg, name: string, more: object = {}): Promise<string> {
  const caller = await org.call('GET', `/sobjects/User/${org.userId}?fields=ProfileId`)
  return org.create('User', {
    Username: `${name}@objectry.test`,
    LastName: name,
    Email: `${name}@objectry.test`,
    Alias: name.slice(0, 8),
    IsActive: true,
    ProfileId: caller.body.ProfileId,
    TimeZoneSidKey: 'GMT',
    LocaleSidKey: 'en_US',
    EmailEncodingKey: 'UTF-8',
    LanguageLocaleKey: 'en_US',
    ...more,
  })
}

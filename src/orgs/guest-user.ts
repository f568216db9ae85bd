import type { Org } from '../storage/orgs/org.ts'
import type { FirstRecord } from './first-records.sql.ts'

/** Columns for the language, time zone and encoding of a user. */
interface UserLocale {
  readonly localesidkey: string
  readonly languagelocalekey: string
  readonly timezonesidkey: string
  readonly emailencodingkey: string
}

export const guestUsername = (org: Org): string => `guest@${org.id.toLowerCase()}.site`

/** The user of anonymous site requests. It cannot log in: it has no password, and users of its type get no token. */
export const guestUser = (
  id: string,
  username: string,
  profileId: string,
  locale: UserLocale,
): FirstRecord => ({
  table: 'user',
  values: {
    id,
    username,
    lastname: 'Site Guest',
    email: 'guest@site.invalid',
    alias: 'guest',
    communitynickname: 'guest',
    isactive: true,
    usertype: 'Guest',
    profileid: profileId,
    ...locale,
  },
})

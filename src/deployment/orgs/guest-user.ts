import type { Org } from '../../storage/orgs/org.ts'
import type { FirstRecord } from './first-records.sql.ts'

/** Language, zone and encoding of a user, as columns. */
export interface UserLocale {
  readonly localesidkey: string
  readonly languagelocalekey: string
  readonly timezonesidkey: string
  readonly emailencodingkey: string
}

export const guestUsername = (org: Org): string => `guest@${org.id.toLowerCase()}.site`

/** Who calls the public site. Nobody logs in as it: it has no password, and its type gets no token. */
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

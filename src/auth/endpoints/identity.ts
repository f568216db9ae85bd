import type { Org } from '../../storage/orgs/org.ts'
import type { User } from '../users/users.ts'

/** Converts PostgreSQL's `2026-01-02 03:04:05+00` to the API's format. */
const timestamp = (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}.000+0000`

/** Current offset from UTC in milliseconds; 0 for an unknown time zone. */
function utcOffset(timeZone: string | null, now: Date): number {
  if (timeZone === null) return 0
  try {
    const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(now)
      .find((part) => part.type === 'timeZoneName')!.value
    const match = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name)
    if (match === null) return 0
    const minutes = Number(match[2]) * 60 + Number(match[3])
    return (match[1] === '-' ? -minutes : minutes) * 60_000
  } catch {
    return 0
  }
}

function urls(origin: string, user: User, version: string) {
  const data = `${origin}/services/data/v${version}`
  return {
    rest: `${data}/`,
    sobjects: `${data}/sobjects/`,
    query: `${data}/query/`,
    profile: `${origin}/${user.id}`,
    custom_domain: origin,
  }
}

/**
 * The body of the identity endpoint. (docs/reference/api/tokens.md#identity)
 * @param version a number as text, or the placeholder `{version}`
 */
export function identityBody(origin: string, org: Org, user: User, now: Date, version: string) {
  const photo = `${origin}/profilephoto/005/F`
  return {
    id: `${origin}/id/${org.id}/${user.id}`,
    asserted_user: true,
    user_id: user.id,
    organization_id: org.id,
    username: user.username,
    nick_name: user.nickname ?? user.username,
    display_name: user.name,
    email: user.email,
    email_verified: true,
    first_name: user.firstName,
    last_name: user.lastName,
    timezone: user.timeZone,
    photos: { picture: photo, thumbnail: photo },
    addr_street: null,
    addr_city: null,
    addr_state: null,
    addr_country: null,
    addr_zip: null,
    mobile_phone: user.mobilePhone,
    mobile_phone_verified: false,
    is_lightning_login_user: false,
    status: { created_date: null, body: null },
    urls: urls(origin, user, version),
    active: user.isActive,
    user_type: user.userType?.toUpperCase() ?? 'STANDARD',
    language: user.language,
    locale: user.locale,
    utcOffset: utcOffset(user.timeZone, now),
    last_modified_date: timestamp(user.lastModified),
    is_app_installed: true,
  }
}

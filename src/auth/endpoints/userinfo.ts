import { identityBody } from './identity.ts'

/**
 * The body of the OpenID Connect user information endpoint, made from the identity. (docs/reference/api/tokens.md#user-information)
 * @param version a number as text, or the placeholder `{version}`
 */
export function userinfoBody(...[origin, org, user, now, version]: Parameters<typeof identityBody>) {
  const identity = identityBody(origin, org, user, now, version)
  const { photos, urls } = identity
  return {
    sub: identity.id,
    user_id: user.id,
    organization_id: org.id,
    preferred_username: user.username,
    nickname: identity.nick_name,
    name: user.name,
    email: user.email,
    email_verified: true,
    given_name: user.firstName,
    family_name: user.lastName,
    zoneinfo: user.timeZone,
    photos,
    profile: urls.profile,
    picture: photos.picture,
    address: {},
    urls,
    active: user.isActive,
    user_type: identity.user_type,
    language: user.language,
    locale: user.locale,
    utcOffset: identity.utcOffset,
    updated_at: identity.last_modified_date,
    is_app_installed: true,
  }
}

import type { User } from '../../auth/users/users.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { XmlContent } from '../../xml/write-xml.ts'
import { soapOrganizationSql } from '../soap-organization.sql.ts'

/** Of a user's org. */
interface OrganizationFacts {
  readonly name: string
  readonly isSandbox: boolean | null
}

export async function findOrganization(db: Db, org: Org): Promise<OrganizationFacts> {
  const [found] = await db.query<OrganizationFacts>(soapOrganizationSql.find(org))
  return found ?? { name: org.name, isSandbox: false }
}

/** In bytes: of an attachment. */
const MAX_ATTACHMENT_BYTES = 5_242_880

/**
 * Returns the user as a log-in and `getUserInfo` answer it, in the order of the schema. (docs/reference/api/soap.md#user-info)
 * @param sessionSeconds how long a session lives after its last use
 */
export const makeUserInfo = (
  org: Org,
  { name }: OrganizationFacts,
  user: User,
  sessionSeconds: number,
): XmlContent => ({
  accessibilityMode: false,
  chatterExternal: false,
  currencySymbol: null,
  orgAttachmentFileSizeLimit: MAX_ATTACHMENT_BYTES,
  orgDefaultCurrencyIsoCode: null,
  orgDefaultCurrencyLocale: null,
  orgDisallowHtmlAttachments: false,
  orgHasPersonAccounts: false,
  organizationId: org.id,
  organizationMultiCurrency: false,
  organizationName: name,
  profileId: user.profileId,
  roleId: user.roleId,
  sessionSecondsValid: sessionSeconds,
  userDefaultCurrencyIsoCode: null,
  userEmail: user.email ?? '',
  userFullName: user.name,
  userId: user.id,
  userLanguage: user.language ?? 'en_US',
  userLocale: user.locale ?? 'en_US',
  userName: user.username,
  userTimeZone: user.timeZone ?? 'GMT',
  userType: user.userType ?? 'Standard',
  userUiSkin: 'Theme3',
})

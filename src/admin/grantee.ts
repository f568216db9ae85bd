import { findGuest } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Context } from '../context.ts'
import { setupResourceSql } from './resources.sql.ts'

/** Maximum number of names in a message. */
const MAX_NAMES = 50

interface Grantee {
  /** Id of the permission set that holds the grants. */
  readonly id: string
  /** Id of its profile; null for a standalone permission set. */
  readonly profileId: string | null
  /** Name of the profile, or of the standalone set. */
  readonly name: string
  readonly label: string
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isNamed = ({ profileId, name, label }: Grantee, named: string) =>
  sameText(name, named) || (profileId === null && sameText(label, named))

const noSuch = (message: string) => new ApiError('INVALID_INPUT', message, { fields: ['to'] })

/**
 * Finds the permission set for a grant: by name, label or id, or that of a profile.
 * @param named undefined for the guest's profile
 */
export async function findGrantee({ db, org }: Context, named: string | undefined): Promise<string> {
  const grantees = await db.query<Grantee>(setupResourceSql.grantees(org))
  const wanted = named?.trim() ?? (await findGuest(db, org))?.profileId
  if (wanted === undefined) throw noSuch('The org has no active guest: say to whom')
  const id = canonicalRecordId(wanted)
  const exact = grantees.find((one) => id !== undefined && (one.id === id || one.profileId === id))
  if (exact !== undefined) return exact.id
  const [found, ...others] = grantees.filter((one) => isNamed(one, wanted))
  const shown = wanted.slice(0, 255)
  if (others.length > 0) {
    throw noSuch(
      `Several profiles or permission sets are called ${shown}: say the id of the one that is meant`,
    )
  }
  if (found !== undefined) return found.id
  const names = grantees.slice(0, MAX_NAMES).map(({ name }) => name)
  throw noSuch(`There is no profile or permission set ${shown}. There are ${names.join(', ')}`)
}

import { findGuest } from '../auth/users/users.ts'
import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Context } from '../context.ts'
import { setupResourceSql } from './resources.sql.ts'

/** How many names a message lists. */
const MAX_NAMES = 50

interface Grantee {
  /** Of the permission set that grants are written to. */
  readonly id: string
  /** Of the profile that it belongs to; null: it stands by itself. */
  readonly profileId: string | null
  /** Of the profile, else of the set. */
  readonly name: string
  readonly label: string
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isNamed = ({ profileId, name, label }: Grantee, named: string) =>
  sameText(name, named) || (profileId === null && sameText(label, named))

const noSuch = (message: string) => new ApiError('INVALID_INPUT', message, { fields: ['to'] })

/**
 * The permission set that something is granted to: one that is named by name, label or id, or that of a profile.
 * @param named undefined: the guest's profile
 */
export async function granteeOf({ db, org }: Context, named: string | undefined): Promise<string> {
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

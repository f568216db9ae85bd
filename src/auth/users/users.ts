import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { userSql } from './users.sql.ts'

/** The data of a user that the platform itself uses. */
export interface User {
  readonly id: string
  readonly username: string
  readonly isActive: boolean
  readonly profileId: string
  readonly roleId: string | null
  readonly firstName: string | null
  readonly lastName: string
  readonly name: string
  readonly email: string | null
  readonly nickname: string | null
  readonly userType: string | null
  readonly language: string | null
  readonly locale: string | null
  readonly timeZone: string | null
  readonly mobilePhone: string | null
  /** Of the user's org. */
  readonly fiscalStartMonth: number | null
  readonly isFiscalYearNamedByStart: boolean | null
  readonly orgTimeZone: string | null
  readonly businessHours: string | null
  /** In the database's format. */
  readonly lastModified: string
}

/** True if the user represents anonymous visitors of the public site: it cannot log in or receive tokens. */
export const isGuest = ({ userType }: Pick<User, 'userType'>): boolean => userType === 'Guest'

export async function findUser(db: Db, org: Org, id: string): Promise<User | undefined> {
  const [user] = await db.query<User>(userSql.find(org, id))
  return user
}

/** Finds a user's id by username, ignoring case. */
export async function findUserId(db: Db, org: Org, username: string): Promise<string | undefined> {
  // PostgreSQL text cannot contain this character, so no user matches.
  if (username.includes('\0')) return undefined
  const [found] = await db.query<{ id: string }>(userSql.findIdByName(org, username))
  return found?.id
}

/** Finds a user by username, ignoring case. */
export async function findUserByName(db: Db, org: Org, username: string): Promise<User | undefined> {
  const id = await findUserId(db, org, username)
  return id === undefined ? undefined : findUser(db, org, id)
}

/** Those of the ids that belong to inactive users. */
export async function findInactive(db: Db, org: Org, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(userSql.inactive(org, ids))
  return new Set(rows.map(({ id }) => id))
}

/** The user that commands on this machine run as: the org's oldest active administrator. */
export async function findAdministrator(db: Db, org: Org): Promise<User | undefined> {
  const [found] = await db.query<{ id: string }>(userSql.firstAdministrator(org))
  return found && findUser(db, org, found.id)
}

/** The user of the public site: the org's oldest active guest. */
export async function findGuest(db: Db, org: Org): Promise<User | undefined> {
  const [found] = await db.query<{ id: string }>(userSql.firstGuest(org))
  return found && findUser(db, org, found.id)
}

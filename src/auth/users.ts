import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { userSql } from './users.sql.ts'

/** What the platform needs to know of the person or integration behind a call. */
export interface User {
  readonly id: string
  readonly username: string
  readonly isActive: boolean
  readonly isAdministrator: boolean
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
  /** As the database writes it. */
  readonly lastModified: string
}

/** Name of the profile that the first user of an org has. */
export const ADMINISTRATOR_PROFILE = 'System Administrator'

export async function findUser(db: Db, org: Org, id: string): Promise<User | undefined> {
  const [user] = await db.query<User>(userSql.find(org, id, ADMINISTRATOR_PROFILE))
  return user
}

/** By the name that a person signs in with, whatever its case. */
export async function findUserByName(db: Db, org: Org, username: string): Promise<User | undefined> {
  if (username.includes('\0')) return undefined
  const [found] = await db.query<{ id: string }>(userSql.findIdByName(org, username))
  return found && findUser(db, org, found.id)
}

/** Which of the ids are those of users who are not active. */
export async function findInactive(db: Db, org: Org, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(userSql.inactive(org, ids))
  return new Set(rows.map(({ id }) => id))
}

/** In whose name this machine itself works in an org: its oldest active administrator. */
export async function findAdministrator(db: Db, org: Org): Promise<User | undefined> {
  const [found] = await db.query<{ id: string }>(userSql.firstActiveWithProfile(org, ADMINISTRATOR_PROFILE))
  return found && findUser(db, org, found.id)
}

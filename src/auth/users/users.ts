import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { userSql } from './users.sql.ts'

/** What the platform needs to know of the person or integration behind a call. */
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
  /** As the database writes it. */
  readonly lastModified: string
}

/** Whether it stands for whoever calls the public site: nobody logs in as it, and it gets no token. */
export const isGuest = ({ userType }: Pick<User, 'userType'>): boolean => userType === 'Guest'

export async function findUser(db: Db, org: Org, id: string): Promise<User | undefined> {
  const [user] = await db.query<User>(userSql.find(org, id))
  return user
}

/** The id of the user of that name, whatever its case. */
export async function findUserId(db: Db, org: Org, username: string): Promise<string | undefined> {
  // A text of the database cannot hold this character, so nobody has it.
  if (username.includes('\0')) return undefined
  const [found] = await db.query<{ id: string }>(userSql.findIdByName(org, username))
  return found?.id
}

/** By the name that a person signs in with, whatever its case. */
export async function findUserByName(db: Db, org: Org, username: string): Promise<User | undefined> {
  const id = await findUserId(db, org, username)
  return id === undefined ? undefined : findUser(db, org, id)
}

/** Which of the ids are those of users who are not active. */
export async function findInactive(db: Db, org: Org, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(userSql.inactive(org, ids))
  return new Set(rows.map(({ id }) => id))
}

/** In whose name this machine itself works in an org: its oldest active administrator. */
export async function findAdministrator(db: Db, org: Org): Promise<User | undefined> {
  const [found] = await db.query<{ id: string }>(userSql.firstAdministrator(org))
  return found && findUser(db, org, found.id)
}

/** In whose name the public site is called: the org's oldest active guest. */
export async function findGuest(db: Db, org: Org): Promise<User | undefined> {
  const [found] = await db.query<{ id: string }>(userSql.firstGuest(org))
  return found && findUser(db, org, found.id)
}

import { findUserByName } from '../auth/users/users.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'
import type { DeployedCode } from './deployed-code.ts'

/** The files that run as a user, by username. */
function findNamedUsers({ jobs, resources }: DeployedCode): ReadonlyMap<string, readonly string[]> {
  const named = [
    ...jobs.all.map(({ name, runAs }) => [`the job ${name}`, runAs] as const),
    ...resources.all.map(({ name, webhook }) => [`the receiver ${name}`, webhook?.runAs] as const),
  ]
  const users = new Map<string, string[]>()
  for (const [what, runAs] of named) {
    if (runAs !== undefined) users.set(runAs, [...(users.get(runAs) ?? []), what])
  }
  return users
}

/** A line for each user whom background work runs as and who is not an active one of the org. */
export async function findMissingUsers(
  db: Db,
  org: Org,
  code: DeployedCode | undefined,
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [username, files] of code === undefined ? [] : findNamedUsers(code)) {
    const user = await findUserByName(db, org, username)
    if (user?.isActive) continue
    const what = files.join(', ')
    lines.push(
      `There is no active user ${username} in the org ${org.name}, so ${what} will fail. Create the user or change runAs.`,
    )
  }
  return lines
}

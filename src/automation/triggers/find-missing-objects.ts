import { didYouMean } from '../../base/nearest.ts'
import { loadObjectNames } from '../../schema/snapshot/load-snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import { unlessNodeFails } from '../../storage/database/pg-error.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DeployedTriggers } from './load-triggers.ts'

/**
 * A line for each trigger and each file of rules that does not run. Where no org has its object it is no error: a deployment
 * while the server runs can make the object, and then they run.
 */
export async function findMissingObjects(
  db: Db,
  orgs: readonly Org[],
  { modules }: DeployedTriggers,
): Promise<string[]> {
  const known = new Map<string, string>()
  let missing = modules
  for (const org of orgs) {
    if (missing.length === 0) break
    const names = await unlessNodeFails(loadObjectNames(db, org), undefined)
    // It may have what the others lack.
    if (names === undefined) return []
    for (const name of names) known.set(name.toLowerCase(), name)
    missing = missing.filter(({ object }) => !known.has(object.toLowerCase()))
  }
  return missing.map(
    ({ file, object }) =>
      `${file} does not run: there is no object ${object}${didYouMean(object, known.values()) || '; deploy it'}`,
  )
}

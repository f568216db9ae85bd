import type { TestOrg } from './org.ts'
import { standardObject } from './standard-object.ts'

/** Selects standard objects for change events. */
export async function selectChanges({ services, org, db }: TestOrg, names: readonly string[]): Promise<void> {
  const objects = names.map((name) => ({ ...standardObject(name), changeEvents: true }))
  await services.runtimes.of(org).snapshots.deploy(db, { objects, mode: 'keep' })
}

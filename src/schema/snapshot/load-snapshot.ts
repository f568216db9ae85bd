import { WeakValues } from '../../base/get-or-insert.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { ObjectDefinition } from '../definitions/definition.ts'
import type { ObjectType } from '../objects/object-type.ts'
import { metadataSql } from './metadata.sql.ts'
import { buildSnapshot, makeObjectsInSlices, type SchemaSnapshot } from './snapshot.ts'

/*
 * Orgs with the same definitions share their objects, which are frozen and know nothing of an org: what is derived from an
 * object and belongs to an org, such as a statement, is kept by both. They go with the last snapshot that has them.
 */

type Objects = readonly ObjectType[]

/** By the fingerprint of the definitions. */
const sharedObjects = new WeakValues<Objects>()

/** Shares objects with other orgs; those that another org made meanwhile are shared instead. */
function shareObjects(fingerprint: string, objects: Objects): Objects {
  const others = sharedObjects.get(fingerprint)
  if (others !== undefined) return others
  sharedObjects.set(fingerprint, objects)
  return objects
}

/** The version row: `changedAt` in seconds since 1970. */
export interface SchemaVersion {
  readonly version: number
  readonly changedAt: number
}

export async function loadVersion(db: Db, org: Org): Promise<SchemaVersion> {
  const [row] = await db.query<SchemaVersion>(metadataSql.loadVersion(org))
  return row!
}

/** The same, with the version of the access data. */
interface OrgVersions extends SchemaVersion {
  readonly accessVersion: number
  readonly accessChangedAt: number
}

export async function loadVersions(db: Db, org: Org): Promise<OrgVersions> {
  const [row] = await db.query<OrgVersions>(metadataSql.loadVersions(org))
  return row!
}

/** The names of all objects. */
export async function loadObjectNames(db: Db, org: Org): Promise<string[]> {
  const rows = await db.query<{ name: string }>(metadataSql.loadNames(org))
  return rows.map(({ name }) => name)
}

/** The definitions of all objects, as they were deployed. */
export async function loadDefinitions(db: Db, org: Org): Promise<ObjectDefinition[]> {
  const rows = await db.query<{ definition: ObjectDefinition }>(metadataSql.loadDefinitions(org))
  return rows.map(({ definition }) => definition)
}

/**
 * Reads an org's metadata. The version is read first: a change in between makes the next check load again. Definitions that
 * another org has as well are not read: most orgs of a server have the same ones.
 */
export async function loadSnapshot(db: Db, org: Org): Promise<SchemaSnapshot> {
  const { version, changedAt } = await loadVersion(db, org)
  const [known] = await db.query<{ fingerprint: string }>(metadataSql.loadFingerprint(org))
  const objects = sharedObjects.get(known!.fingerprint) ?? (await loadObjects(db, org)).objects
  return buildSnapshot(version, new Date(changedAt * 1000), objects)
}

/** The definitions of all objects, and what is made of them. */
export async function loadObjects(
  db: Db,
  org: Org,
): Promise<{ readonly definitions: readonly ObjectDefinition[]; readonly objects: readonly ObjectType[] }> {
  const rows = await db.query<{ definition: ObjectDefinition; fingerprint: string }>(
    metadataSql.loadWithFingerprint(org),
  )
  const definitions = rows.map(({ definition }) => definition)
  const fingerprint = rows[0]?.fingerprint ?? ''
  const shared = sharedObjects.get(fingerprint)
  if (shared !== undefined) return { definitions, objects: shared }
  const objects = await runInSlices(() => makeObjectsInSlices(definitions))
  return { definitions, objects: rows.length === 0 ? objects : shareObjects(fingerprint, objects) }
}

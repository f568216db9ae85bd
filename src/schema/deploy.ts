import type { Db } from '../storage/db.ts'
import type { Org } from '../storage/org.ts'
import { ddl } from './ddl.sql.ts'
import type { FieldDefinition, ObjectDefinition } from './definition.ts'
import { loadSnapshot, type SchemaVersion } from './load-snapshot.ts'
import { metadataSql } from './metadata.sql.ts'
import type { ObjectType } from './object-type.ts'
import { syncSearchIndexes } from './search-indexes.ts'
import { makeSnapshot, type SchemaSnapshot } from './snapshot.ts'

/** What a deployment adds. Objects may be new or known; of a known one, the fields that it lacks are added. */
export interface SchemaChange {
  readonly objects: readonly ObjectDefinition[]
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The known definition with the fields that it lacks; undefined when it lacks none. */
function merge(known: ObjectDefinition, wanted: ObjectDefinition): ObjectDefinition | undefined {
  const added: FieldDefinition[] = wanted.fields.filter(
    (field) => !known.fields.some((other) => same(other.name, field.name)),
  )
  return added.length === 0 ? undefined : { ...known, fields: [...known.fields, ...added] }
}

/** A new custom object takes the next free prefix: a00, a01, ... a0z, a10, ... (contract/records 2.1) */
function nextCustomPrefix(taken: ReadonlySet<string>): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  for (const first of digits) {
    for (const second of digits) {
      const prefix = `a${first}${second}`
      if (!taken.has(prefix)) return prefix
    }
  }
  throw new Error('an org can have 3,844 custom objects')
}

function withPrefixes(wanted: readonly ObjectDefinition[], known: SchemaSnapshot): ObjectDefinition[] {
  const taken = new Set(known.objects.map((object) => object.keyPrefix))
  return wanted.map((definition) => {
    if (definition.keyPrefix !== '' || known.object(definition.name) !== undefined) return definition
    const keyPrefix = nextCustomPrefix(taken)
    taken.add(keyPrefix)
    return { ...definition, keyPrefix }
  })
}

/**
 * Changes an org's schema: tables, metadata and version in one transaction. Changes of one org take turns. Deploying
 * what is there already changes nothing and keeps the version.
 * @returns the snapshot after the change
 */
export async function deploySchema(db: Db, org: Org, change: SchemaChange): Promise<SchemaSnapshot> {
  return db.transaction(async (tx) => {
    await tx.query(metadataSql.lock(org))
    const before = await loadSnapshot(tx, org)
    const wanted = withPrefixes(change.objects, before)
    const created = wanted.filter((definition) => before.object(definition.name) === undefined)
    const extended = wanted.flatMap((definition) => {
      const known = before.object(definition.name)
      return (known && merge(known.definition, definition)) ?? []
    })
    const changed = [...created, ...extended]
    if (changed.length === 0) return before
    const [bumped] = await tx.query<SchemaVersion>(metadataSql.bumpVersion(org))
    const kept = before.objects
      .map((object) => object.definition)
      .filter((definition) => !changed.some((other) => same(other.name, definition.name)))
    const { version, changedAt } = bumped!
    const after = makeSnapshot(version, new Date(changedAt * 1000), [...kept, ...changed])

    const newObjects = created.map((definition) => after.object(definition.name)!)
    const statements = ddl.createObjects(org, newObjects, after)
    for (const definition of extended) {
      statements.push(...addedFields(org, before.object(definition.name)!, after))
    }
    if (statements.length > 0) await tx.script(statements)
    await syncSearchIndexes(tx, org, after)
    for (const definition of changed) {
      await tx.query(metadataSql.save(org, definition.name, JSON.stringify(definition)))
    }
    return after
  })
}

function addedFields(org: Org, known: ObjectType, after: SchemaSnapshot) {
  const object = after.object(known.name)!
  const added = object.fields.filter((field) => known.field(field.name) === undefined)
  return ddl.addFields(org, object, added, after)
}

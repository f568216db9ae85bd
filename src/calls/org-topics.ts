import type { Topics } from '../context.ts'
import type { SchemaSnapshot } from '../schema/snapshot/snapshot.ts'
import type { Db } from '../storage/database/db.ts'
import type { Org } from '../storage/orgs/org.ts'

/** Where the topics of orgs come from. */
export interface TopicSource {
  readonly none: Topics
  load(db: Db, org: Org, schema: SchemaSnapshot): Promise<Topics>
}

/**
 * The topics of one org in this process. They are read again with each change of the schema or of the access version, which
 * their records raise: so a change is there for calls that begin afterwards, in other processes within a second.
 */
export class OrgTopics {
  readonly #load: (schema: SchemaSnapshot) => Promise<Topics>
  #current: Topics
  #of: { readonly schema: SchemaSnapshot; readonly accessVersion: number } | undefined

  constructor({ none, load }: TopicSource, db: Db, org: Org) {
    this.#current = none
    this.#load = (schema) => load(db, org, schema)
  }

  get current(): Topics {
    return this.#current
  }

  /** Must be done before calls use the schema. */
  async follow(schema: SchemaSnapshot, accessVersion: number): Promise<void> {
    if (this.#knows(schema, accessVersion)) return
    const loaded = await this.#load(schema)
    // Another check may have been faster, which began later.
    if (this.#knows(schema, accessVersion)) return
    this.#current = loaded
    this.#of = { schema, accessVersion }
  }

  #knows(schema: SchemaSnapshot, accessVersion: number): boolean {
    if (this.#of === undefined || this.#of.accessVersion < accessVersion) return false
    return this.#of.accessVersion > accessVersion || this.#of.schema.version >= schema.version
  }
}

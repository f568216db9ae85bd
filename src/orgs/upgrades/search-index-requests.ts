import { ddl } from '../../schema/change/ddl.sql.ts'
import { isIndexedByDefinition, searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { besideCalls } from '../../storage/database/connection-guard.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { SEARCH_INDEXES } from './build-indexes.ts'
import { requestStep } from './step-store.ts'

/**
 * Takes requests of searches for the index of an object. A search must not become a write, so a request is stored beside
 * it; the background step of upgrades builds the index. A request that cannot be stored is forgotten: the next search
 * repeats it.
 */
export class SearchIndexRequests {
  readonly #db: Db
  /** Objects of schema snapshots that need no further request. */
  readonly #known = new WeakSet<ObjectType>()
  #storing: Promise<void> = Promise.resolve()
  /** Called when an index is to be built. */
  onRequested: () => void = () => {}

  constructor(db: Db) {
    this.#db = db
  }

  request(org: Org, named: ObjectType): void {
    const object = unrestricted(named)
    if (isIndexedByDefinition(object) || this.#known.has(object)) return
    this.#known.add(object)
    this.#storing = this.#storing
      .then(() => besideCalls(() => this.#store(org, object)))
      .catch(() => void this.#known.delete(object))
  }

  /** Resolves when all requests are stored. */
  settle(): Promise<void> {
    return this.#storing
  }

  async #store(org: Org, object: ObjectType): Promise<void> {
    await this.#db.query(metadataSql.requestIndex(org, object.name))
    const rows = await this.#db.query<{ name: string; isValid: boolean }>(ddl.allIndexes(org))
    const there = new Set(rows.flatMap(({ name, isValid }) => (isValid ? [name] : [])))
    const isMissing = [...searchIndexSql.possible(org, [object]).keys()].some((name) => !there.has(name))
    if (!isMissing) return
    await requestStep(this.#db, org, SEARCH_INDEXES)
    this.onRequested()
  }
}

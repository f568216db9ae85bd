import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { isIndexedByDefinition, searchIndexSql } from '../../schema/change/search-index.sql.ts'
import { isSearchable } from '../../schema/change/search-words.sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { besideCalls } from '../../storage/database/connection-guard.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { SEARCH_INDEXES } from './build-search-indexes.ts'
import { requestStep } from './step-store.ts'

/** After writes of this share of an object's records its newest ones are indexed: searches would take long to read them. */
const WRITTEN_SHARE = 1 / 3

/** But after so many at least, so that loads are not slowed down by builds. */
const MIN_WRITTEN = 10_000

/** And after so many at most: a search reads them in half a second. */
const MAX_WRITTEN = 250_000

/** Slow searches of an object have its newest records indexed at most so often, in milliseconds. */
const MIN_INTERVAL_MS = 10_000

interface Place {
  readonly org: Org
  readonly schema: SchemaSnapshot
}

/** How an object of an org is used in this process. */
interface Use {
  /** Records written since the last request. */
  written: number
  /** So many of them are worth a look at the size of the table; infinite during it. */
  many: number
  /** True if searches name the object, which the database knows. */
  isSearched: boolean
  /** When the step was last requested for a slow search; milliseconds of the process. */
  slowAt: number
}

/**
 * Has search indexes built in the background: of objects that searches name, and after many writes. A search or a write does not
 * wait for it. A request that cannot be stored is forgotten: the next search repeats it.
 */
export class SearchIndexRequests {
  readonly #db: Db
  /** By schema snapshot, which belongs to one org; orgs share objects. */
  readonly #uses = oncePer<SchemaSnapshot, Map<ObjectType, Use>>(() => new Map())
  #storing: Promise<void> = Promise.resolve()
  /** Called when an index is to be built. */
  onRequested: () => void = () => {}

  constructor(db: Db) {
    this.#db = db
  }

  /** @param isSlow the search took long: it read many records without an index */
  searched({ org, schema }: Place, named: ObjectType, isSlow: boolean): void {
    const object = unrestricted(named)
    const use = this.#useOf(schema, object)
    const isNew = !use.isSearched && !isIndexedByDefinition(object)
    const now = performance.now()
    const isDue = isSlow && now - use.slowAt > MIN_INTERVAL_MS
    if (!isNew && !isDue) return
    use.isSearched = true
    if (isDue) use.slowAt = now
    this.#store(
      async () => {
        if (isNew) await this.#db.query(metadataSql.requestIndex(org, object.name))
        await this.#request(org)
      },
      () => {
        use.isSearched = false
      },
    )
  }

  wrote({ org, schema }: Place, named: ObjectType, records: number): void {
    const object = unrestricted(named)
    if (!isSearchable(object)) return
    const use = this.#useOf(schema, object)
    use.written += records
    if (use.written < use.many) return
    use.many = Number.POSITIVE_INFINITY
    this.#store(
      async () => {
        const [found] = await this.#db.query<{ records: number }>(searchIndexSql.estimate(org, object))
        const share = (found?.records ?? 0) * WRITTEN_SHARE
        use.many = Math.min(Math.max(share, MIN_WRITTEN), MAX_WRITTEN)
        if (use.written < use.many) return
        use.written = 0
        await this.#request(org)
      },
      () => {
        use.many = MIN_WRITTEN
      },
    )
  }

  /** Resolves when all requests are stored. */
  settle(): Promise<void> {
    return this.#storing
  }

  #useOf(schema: SchemaSnapshot, object: ObjectType): Use {
    return getOrInsert(this.#uses(schema), object, () => ({
      written: 0,
      many: MIN_WRITTEN,
      isSearched: false,
      slowAt: Number.NEGATIVE_INFINITY,
    }))
  }

  #store(request: () => Promise<void>, takeBack: () => void = () => {}): void {
    this.#storing = this.#storing.then(() => besideCalls(request)).catch(takeBack)
  }

  async #request(org: Org): Promise<void> {
    await requestStep(this.#db, org, SEARCH_INDEXES)
    this.onRequested()
  }
}

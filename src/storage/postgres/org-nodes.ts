import { makeRecordId } from '../../base/record-id.ts'
import { nodeName } from '../orgs/cluster.ts'
import type { PostgresProbe } from './postgres-probe.ts'

/** How long it is known where orgs are, in milliseconds. For an org that was moved meanwhile shares are counted wrong, and a node finds it on another. */
const PLACES_MS = 10_000

/** Nodes are asked at most once in this time, in milliseconds. */
const CHECK_MS = 1000

/** A node that is busy may miss one check. */
const FAILURES = 2

/** The schema of an org, in a statement. */
const ORG_SCHEMA = /"(org_\d+)"/

/**
 * The nodes of a cluster, as far as calls need to know them: which one an org is on, and which do not answer. A node that is frozen
 * leaves every statement for it waiting, and Citus cannot even give it up.
 */
export class OrgNodes {
  readonly #probe: PostgresProbe
  /** Names of nodes, by the ids and the schemas of their orgs. */
  #places: ReadonlyMap<string, string> = new Map()
  /** The nodes that can be called themselves, by the schemas of their orgs. */
  #workers: ReadonlyMap<string, string> = new Map()
  #hasSeveral = false
  #loadedAt = Number.NEGATIVE_INFINITY
  #checkedAt = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined
  /** Number of checks in a row that a node has not answered, by its name. */
  #failures: ReadonlyMap<string, number> = new Map()
  #timer: NodeJS.Timeout | undefined

  constructor(probe: PostgresProbe) {
    this.#probe = probe
  }

  /** Learns where orgs are. Without it there are no nodes. */
  async open(): Promise<void> {
    await this.#load()
    if (this.#places.size > 0) await this.#checkNow()
    // A start does not wait for a node that is frozen.
    if (this.#failures.size > 0) await this.#checkNow()
  }

  /**
   * The node of work for an org, or of a statement that names one; undefined if all orgs are on one node, or it is not known.
   * @param text of a statement
   */
  of(orgId: string | undefined, text = ''): string | undefined {
    this.#refresh()
    if (!this.#hasSeveral) return undefined
    return this.#places.get(orgId ?? ORG_SCHEMA.exec(text)?.[1] ?? '')
  }

  /** The worker that has the tables which a statement names, as far as that is known and it can be called itself. */
  workerOf(text: string): string | undefined {
    this.#refresh()
    return this.#workers.size === 0 ? undefined : this.#workers.get(ORG_SCHEMA.exec(text)?.[1] ?? '')
  }

  /** True if a node does not answer, as far as that is known. */
  isSilent(node: string | undefined): boolean {
    return node !== undefined && (this.#failures.get(node) ?? 0) >= FAILURES
  }

  /** True if the node of an org answers now. An org that is not distributed is on the coordinator. */
  async answers(orgId: string): Promise<boolean> {
    if (this.#loadedAt > 0 && !this.#places.has(orgId)) await this.#load()
    await this.check()
    return !this.#failures.has(this.#places.get(orgId) ?? '')
  }

  /** Asks the nodes. As long as one does not answer they are asked again. */
  check(): Promise<void> {
    if (this.#places.size === 0) return Promise.resolve()
    return performance.now() - this.#checkedAt < CHECK_MS ? Promise.resolve() : this.#checkNow()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#probe.cancel()
  }

  #checkNow(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #ask(): Promise<void> {
    try {
      const silent = await this.#probe.findSilentNodes()
      // Orgs that have left such a node are not to be refused with it.
      if (silent.length > 0) await this.#load()
      this.#failures = new Map(silent.map((node) => [node, (this.#failures.get(node) ?? 0) + 1]))
    } catch {
      // The coordinator does not answer, so nothing is known of the others.
    }
    this.#checkedAt = performance.now()
    clearTimeout(this.#timer)
    if (this.#failures.size > 0) this.#timer = setTimeout(() => void this.#checkNow(), CHECK_MS).unref()
  }

  #refresh(): void {
    if (this.#loadedAt > 0 && performance.now() - this.#loadedAt > PLACES_MS) void this.#load()
  }

  async #load(): Promise<void> {
    this.#loadedAt = performance.now()
    const loaded = await this.#probe.loadPlaces().catch(() => undefined)
    if (loaded === undefined) return
    const places = loaded.map((place) => ({ ...place, node: nodeName(place) }))
    this.#hasSeveral = new Set(places.map(({ node }) => node)).size > 1
    this.#places = new Map(
      places.flatMap(({ schemaName, node }) => [
        [schemaName, node],
        [makeRecordId('00D', Number(schemaName.slice('org_'.length))), node],
      ]),
    )
    const onWorkers = places.filter(({ isWorker }) => isWorker)
    this.#workers = new Map(onWorkers.map(({ schemaName, node }) => [schemaName, node]))
  }
}

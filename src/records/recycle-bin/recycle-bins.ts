import type { ClockOf } from '../../base/clock.ts'
import type { Observe } from '../../base/observation.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import { loadUsedObjects } from '../../schema/snapshot/used-objects.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import { claimBin, findOrg, loadBins, loadEpoch, type OrgBin, setBinDue } from '../../storage/orgs/orgs.ts'
import { BIN_DAYS } from './bin-time.ts'
import { findNextExpiry, purgeHistories, purgeOrg } from './purge-org.ts'

/** Time from the start of a server to its first check, and between checks. */
const FIRST_CHECK_MS = 2000
const CHECK_INTERVAL_MS = 60_000

/** Time between two purges of a bin, by its org's clock. */
const PURGE_INTERVAL_SECONDS = 3600

interface Options {
  readonly db: Db
  readonly clocks: Pick<OrgClocks, 'catchUp'> & { readonly of: ClockOf }
  readonly observe: Observe
  /** How long changes of records are kept, in days; undefined: always. */
  readonly historyDays: number | undefined
}

/**
 * True if a bin may have something to purge. It is also due when its last purge is in the future, because the org's clock was set back.
 * @param hasHistories histories are purged with it, which have no such time
 */
function isDue({ emptiedAt, dueAt }: OrgBin, now: Date, hasHistories: boolean): boolean {
  const time = now.getTime() / 1000
  if (emptiedAt === null || emptiedAt - time >= PURGE_INTERVAL_SECONDS) return true
  return time - emptiedAt >= PURGE_INTERVAL_SECONDS && (hasHistories || dueAt === null || time >= dueAt)
}

/**
 * Purges the recycle bins of all orgs, on whichever server claims it first: a bin when its oldest record expires, by the org's clock,
 * and at most once an hour. An empty bin is looked at again when what is deleted from now on could expire.
 * The job queue is not used: it runs only if the deployment has jobs, and its schedules belong to the deployment. Each
 * server checks every minute with one statement, and claims the bins that are due in the database. A claim is not a
 * lock, so a crashed process holds nothing; two servers on one bin would only skip each other's locked records.
 */
export class RecycleBins {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts the periodic checks. */
  begin(): void {
    this.#checkIn(FIRST_CHECK_MS)
  }

  /** Purges the bins that are due and that no other server has claimed. */
  async look(): Promise<void> {
    const { db, clocks, historyDays } = this.#options
    await clocks.catchUp()
    for (const bin of await loadBins(db)) {
      if (this.#isStopped) return
      const now = clocks.of(bin.id)()
      if (isDue(bin, now, historyDays !== undefined)) await this.#empty(bin, now)
    }
  }

  /** Starts no further statement, and waits for the running one. */
  async close(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #checkIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.look()
        .catch((error) =>
          this.#report(`Checking the recycle bins failed and will be retried: ${error.message}`),
        )
        .finally(() => {
          if (!this.#isStopped) this.#checkIn(CHECK_INTERVAL_MS)
        })
    }, milliseconds).unref()
  }

  /** A failure in one org is logged and does not stop the others. */
  async #empty(bin: OrgBin, now: Date): Promise<void> {
    const { db, historyDays } = this.#options
    try {
      if (!(await claimBin(db, bin, now))) return
      const epoch = await loadEpoch(db, bin)
      const schema = await loadSnapshot(db, bin)
      const isStopped = () => this.#isStopped
      const objects = await loadUsedObjects(db, bin, schema.storedObjects)
      const purge = { db, org: bin, schema, objects, now, isStopped }
      const old = historyDays === undefined ? 0 : await purgeHistories(purge, historyDays)
      if (old > 0) this.#report(`Purged ${old} changes of records of ${bin.name} from their history`)
      const { purged, failures } = await purgeOrg(purge)
      if (purged > 0) {
        const records = purged === 1 ? '1 record' : `${purged} records`
        this.#report(`Purged ${records} of ${bin.name}: deleted more than ${BIN_DAYS} days ago`)
      }
      for (const failure of failures)
        this.#report(`Some records of ${bin.name} could not be purged: ${failure}`)
      if (failures.length > 0 || this.#isStopped) return
      await setBinDue(db, bin, epoch, await findNextExpiry(purge))
    } catch (error) {
      // The org may have been deleted meanwhile.
      if ((await findOrg(db, bin.id)) === undefined) return
      this.#report(
        `Purging the recycle bin of ${bin.name} failed and will be retried: ${(error as Error).message}`,
      )
    }
  }

  #report(message: string): void {
    this.#options.observe({ kind: 'notice', message })
  }
}

import type { ClockOf } from '../../base/clock.ts'
import type { Observe } from '../../base/observation.ts'
import { loadSnapshot } from '../../schema/snapshot/load-snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { OrgClocks } from '../../storage/orgs/org-clocks.ts'
import { claimBin, findOrg, loadBins, type OrgBin } from '../../storage/orgs/orgs.ts'
import { BIN_DAYS } from './bin-time.ts'
import { purgeOrg } from './purge-org.ts'

/** How soon after its start a server looks for the first time, and how often it does then, in milliseconds. */
const FIRST_LOOK = 2000
const LOOK = 60_000

/** How often a bin is emptied, in seconds of its org's clock. */
const INTERVAL = 3600

interface Options {
  readonly db: Db
  readonly clocks: Pick<OrgClocks, 'catchUp'> & { readonly of: ClockOf }
  readonly observe: Observe
}

/** A clock that was put back does not keep it waiting for the time when it was ahead. */
function isDue({ emptiedAt }: OrgBin, now: Date): boolean {
  return emptiedAt === null || Math.abs(now.getTime() / 1000 - emptiedAt) >= INTERVAL
}

/**
 * Empties the recycle bins of all orgs, each about once in an hour of the org's clock, whichever server comes first. Not
 * through the queue: that only runs where a deployment has work for it, and its schedules are the deployment's. Each server
 * looks every minute, which is one statement, and claims in the database what is due. A claim is no lock that a process
 * could die with; two servers that did empty one bin at once would only skip what the other one has locked.
 */
export class RecycleBins {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Looks by itself from now on. */
  begin(): void {
    this.#lookIn(FIRST_LOOK)
  }

  /** Empties the bins that are due and that no other server has claimed. */
  async look(): Promise<void> {
    const { db, clocks } = this.#options
    await clocks.catchUp()
    for (const bin of await loadBins(db)) {
      if (this.#isStopped) return
      const now = clocks.of(bin.id)()
      if (isDue(bin, now)) await this.#empty(bin, now)
    }
  }

  /** Begins no further statement, and waits for the one under way. */
  async close(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #lookIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.look()
        .catch((error) => this.#report(`The recycle bins are looked at again later: ${error.message}`))
        .finally(() => {
          if (!this.#isStopped) this.#lookIn(LOOK)
        })
    }, milliseconds).unref()
  }

  /** What goes wrong in one org is told, and keeps none of the others from their turn. */
  async #empty(bin: OrgBin, now: Date): Promise<void> {
    const { db } = this.#options
    try {
      if (!(await claimBin(db, bin, now))) return
      const schema = await loadSnapshot(db, bin)
      const isStopped = () => this.#isStopped
      const { purged, failures } = await purgeOrg({ db, org: bin, schema, now, isStopped })
      if (purged > 0) {
        const records = purged === 1 ? '1 record' : `${purged} records`
        this.#report(`Purged ${records} of ${bin.name}: deleted more than ${BIN_DAYS} days ago`)
      }
      for (const failure of failures) this.#report(`The recycle bin of ${bin.name} keeps ${failure}`)
    } catch (error) {
      // It may have been deleted meanwhile.
      if ((await findOrg(db, bin.id)) === undefined) return
      this.#report(`The recycle bin of ${bin.name} is emptied later: ${(error as Error).message}`)
    }
  }

  #report(message: string): void {
    this.#options.observe({ kind: 'notice', message })
  }
}

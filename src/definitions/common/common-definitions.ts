import { createHash } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import { readProductVersion } from '../../base/package-root.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { currentMark, upgradeInside, upgradeOrg } from '../../orgs/upgrade-org.ts'
import { followDeployment } from '../../orgs/upgrades/follow-deployment.ts'
import { stepSql } from '../../orgs/upgrades/step-store.sql.ts'
import type { RecordStep } from '../../orgs/upgrades/upgrade-step.ts'
import { deployInside, type SchemaChange } from '../../schema/change/deploy.ts'
import { retryOnLockTimeout } from '../../schema/change/retry-on-lock-timeout.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { orgSql } from '../../storage/orgs/orgs.sql.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { planRecords } from '../plan-records.ts'
import { commonSql } from './common-definitions.sql.ts'

/** What all orgs shall have, and how it is deployed to them. */
export interface CommonContent {
  readonly files: DefinitionFiles
  /** `keep`: what the files do not name stays. */
  readonly mode: 'keep' | 'replace'
  readonly allowDestructive: boolean
}

/** How far the orgs are. */
export interface CommonState {
  /** Names the definitions: another one means that others have taken their place. */
  readonly fingerprint: string
  /** Number of orgs. */
  readonly orgs: number
  /** Orgs that have the definitions. */
  readonly done: number
  /** Orgs that wait for them. */
  readonly pending: number
  /** Orgs that refused them or could not take them, at most 100. Each is tried again by itself. */
  readonly failures: readonly { readonly id: string; readonly name: string; readonly error: string }[]
}

const STEP = 'definitions'
const MAX_FAILURES = 100
/** Delay before a refused deployment is tried again, in seconds; doubled for each later try. */
const FIRST_DELAY = 1
const MAX_DELAY = 600

/** The change that content makes to the schema of an org. */
async function makeChange({ files, mode, allowDestructive }: CommonContent): Promise<SchemaChange> {
  const { chooseNamed, readInSlices } = await import('../files/read-definitions.ts')
  const { objects } = await runInSlices(() => readInSlices(files))
  return {
    objects: mode === 'keep' ? chooseNamed(files, objects) : objects,
    mode,
    allowDestructive,
    afterwards: followDeployment,
    further: planRecords(files),
  }
}

/**
 * The definitions that all orgs of a database shall have: those of the server's deployment, or what was deployed to all orgs.
 * An org gets them before its first call in a process, or in the background, whichever comes first. The same step brings it
 * up to date with this version. (docs/adr/0043-definitions-of-all-orgs.md)
 */
export class CommonDefinitions {
  readonly #db: Db
  /** The last one that was read, by its fingerprint. */
  #read: { readonly fingerprint: string; readonly change: SchemaChange } | undefined
  /** Orgs that are called are brought up to date one after the other: each takes a connection. */
  #last: Promise<unknown> = Promise.resolve()

  /** @param db whose transactions may take as long as a deployment */
  constructor(db: Db) {
    this.#db = db
  }

  /** The step that does it in the background. */
  readonly step: RecordStep = {
    kind: 'records',
    name: STEP,
    // Servers of another version do not carry it out.
    get version() {
      return currentMark()
    },
    run: async (tx, org) => {
      const [turn] = await tx.query<{ isTaken: boolean }>(commonSql.tryTurn)
      if (!turn!.isTaken) return { isDone: false, progress: 0 }
      await upgradeInside(tx, org)
      await this.apply(tx, org)
      return { isDone: true, progress: 1 }
    },
  }

  /**
   * Makes valid definitions those that all orgs shall have. Nothing happens if they are that already.
   * @param db may be a transaction
   */
  async set(db: Db, content: CommonContent): Promise<void> {
    const text = JSON.stringify(content)
    // Another version may make other objects of the same files.
    const fingerprint = createHash('sha256').update(`${readProductVersion()} ${text}`).digest('hex')
    const [known] = await db.query<{ fingerprint: string }>(commonSql.load(fingerprint))
    if (known?.fingerprint !== fingerprint) await db.query(commonSql.set(fingerprint, text))
  }

  /**
   * Requests the step for all orgs that need it.
   * @returns how many need it
   */
  async request(db: Db): Promise<number> {
    const rows = await db.query(commonSql.request(STEP, currentMark()))
    return rows.length
  }

  /** Takes back the requests that are left. A later deployment of the same definitions goes on with these orgs. */
  async stop(db: Db): Promise<void> {
    await db.query(commonSql.stop(STEP, currentMark()))
  }

  /**
   * Gives an org the definitions, in a transaction.
   * @throws ApiError DEPLOYMENT_REFUSED
   */
  async apply(tx: Db, org: Org): Promise<void> {
    const known = this.#read
    const [row] = await tx.query<{ fingerprint: string; content: string | null }>(
      commonSql.load(known?.fingerprint ?? ''),
    )
    if (row === undefined) return
    const { fingerprint, content } = row
    const read = content === null ? known! : { fingerprint, change: await makeChange(JSON.parse(content)) }
    this.#read = read
    await deployInside(tx, org, read.change)
    // After what takes it away for the changes that this has made.
    await tx.beforeCommit(orgSql.setDeployed(org, fingerprint))
  }

  /**
   * Brings an org up to date if that was requested. What the org refuses is noted, and tried again in the background.
   * @throws Error if the database cannot do it now
   */
  async prepare(org: Org): Promise<void> {
    const [open] = await this.#db.query<{ round: number }>(commonSql.open(org, STEP, currentMark()))
    if (open === undefined) return
    const bringingUp = this.#last.then(() => this.#bringUp(org, open.round))
    this.#last = bringingUp.catch(() => {})
    await bringingUp
  }

  /**
   * Brings an org up to date with this version and the definitions, in a transaction.
   * @throws ApiError DEPLOYMENT_REFUSED
   */
  async bringUpInside(tx: Db, org: Org): Promise<void> {
    // The background step holds the row first, too.
    const [held] = await tx.query<{ round: number }>(stepSql.find(org, STEP, currentMark(), true))
    if (held === undefined) return
    await tx.query(commonSql.takeTurn)
    await upgradeInside(tx, org)
    await this.apply(tx, org)
    await tx.query(stepSql.note(org, STEP, held.round, { isDone: true, position: null, progress: 1 }))
  }

  async #bringUp(org: Org, round: number): Promise<void> {
    try {
      await retryOnLockTimeout(this.#db, (tx) => this.bringUpInside(tx, org))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // It refuses the definitions; it can be served with those that it has.
      await upgradeOrg(this.#db, org)
      const delays = { firstDelay: FIRST_DELAY, maxDelay: MAX_DELAY }
      await this.#db.query(stepSql.noteFailure(org, STEP, round, error.message, delays))
    }
  }

  /**
   * Requests the step of a new org whose definitions were replaced while it was made.
   * @param source of a copy, which began with what the source had then
   */
  async requestFor(db: Db, org: Org, source: Org | undefined): Promise<void> {
    const mark = currentMark()
    await db.query(
      source === undefined
        ? commonSql.requestOne(org, STEP, mark)
        : commonSql.requestCopy(source, org, STEP, mark),
    )
  }

  /** Has a copy wait for what its source waits for. */
  async copy(tx: Db, from: Org, to: Org): Promise<void> {
    await tx.beforeCommit(commonSql.copy(from, to, STEP))
  }

  /** Returns orgs that wait for nothing, the oldest first. */
  loadSettled(max: number): Promise<Org[]> {
    return this.#db.query<Org>(commonSql.settled(STEP, max))
  }

  /** Returns how far the orgs are; undefined if there are no such definitions. */
  async load(db: Db): Promise<CommonState | undefined> {
    const [counts] = await db.query<Omit<CommonState, 'failures'>>(commonSql.count(STEP))
    if (counts === undefined) return undefined
    const { fingerprint, orgs, done, pending } = counts
    const failures = await db.query<CommonState['failures'][number]>(commonSql.failures(STEP, MAX_FAILURES))
    return { fingerprint, orgs, done, pending, failures }
  }
}

import { ApiError, notFound } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import type { Context } from '../../context.ts'
import { WaitingBytes } from '../../storage/database/db.ts'
import { insertJob } from '../archive/insert-job.ts'
import { checkArchive } from '../archive/read-archive.ts'
import { deploySql } from './deploy.sql.ts'
import type { Deploy } from './deploy.ts'
import type { DeployOptions } from './deploy-options.ts'

/** Deployments of an org that wait or run. Each may have an archive of tens of megabytes. */
const MAX_WAITING = 10

/** How long the outcome of a deployment is kept, in days. */
const KEPT_DAYS = 30

const DAY_MS = 86_400_000

const newDeploy = (ctx: Context, id: string, options: DeployOptions) => ({
  id,
  userId: ctx.principal.userId,
  userName: ctx.principal.username,
  options,
})

/** Makes room for one more deployment. @throws ApiError LIMIT_EXCEEDED */
async function makeRoom({ org, clock }: Context, tx: Context['db']): Promise<void> {
  await tx.query(deploySql.lock(org))
  const oldest = new Date(clock().getTime() - KEPT_DAYS * DAY_MS).toISOString()
  await tx.query(deploySql.removeOld(org, oldest))
  const [row] = await tx.query<{ count: number }>(deploySql.waiting(org))
  if (row!.count < MAX_WAITING) return
  throw new ApiError(
    'LIMIT_EXCEEDED',
    `${MAX_WAITING} deployments of this org wait or run already. Try again when one has ended.`,
  )
}

/**
 * Stores an archive and queues its deployment. Returns its id.
 * @throws ApiError INVALID_INPUT, LIMIT_EXCEEDED
 */
export async function createDeploy(ctx: Context, archive: unknown, options: DeployOptions): Promise<string> {
  const { org, db, ids, deploys, clock } = ctx
  if (archive instanceof Uint8Array) checkArchive(archive, archive.length)
  else if (archive instanceof WaitingBytes) checkArchive(undefined, archive.length)
  else throw new ApiError('INVALID_INPUT', 'The body has no part named file with the zip file.')
  await deploys.open()
  return db.transaction(async (tx) => {
    await makeRoom(ctx, tx)
    const id = await ids.make('0Af', tx)
    const deploy = newDeploy(ctx, id, options)
    await insertJob(tx, org, id, archive, (small) =>
      deploySql.insert(org, deploy, small, clock().toISOString()),
    )
    await deploys.queue(tx, org, id)
    return id
  })
}

/**
 * Queues the deployment of an archive that was checked. Returns its id.
 * @throws ApiError INVALID_INPUT
 */
export async function repeatDeploy(ctx: Context, validatedId: string): Promise<string> {
  const { org, db, ids, deploys, clock } = ctx
  const { options } = await findDeploy(ctx, validatedId)
  await deploys.open()
  return db.transaction(async (tx) => {
    await makeRoom(ctx, tx)
    const id = await ids.make('0Af', tx)
    const repeated = newDeploy(ctx, id, { ...options, checkOnly: false })
    const [row] = await tx.query(
      deploySql.repeat(org, repeated, canonicalRecordId(validatedId)!, clock().toISOString()),
    )
    if (row === undefined)
      throw new ApiError('INVALID_INPUT', `${validatedId} is no deployment that was checked successfully`)
    await deploys.queue(tx, org, id)
    return id
  })
}

/**
 * Finds a deployment. Whoever is told that it has ended finds its changes in the next call to this process, which may not know of them yet.
 * @throws ApiError NOT_FOUND
 */
export async function findDeploy(ctx: Context, idText: string): Promise<Deploy> {
  const id = canonicalRecordId(idText)
  const [deploy] = id === undefined ? [] : await ctx.db.query<Deploy>(deploySql.find(ctx.org, id))
  if (deploy === undefined) throw notFound()
  if (deploy.completedAt !== null) ctx.accessChanged()
  return deploy
}

/** Cancels a deployment that has not ended. One that has stays as it is. */
export async function cancelDeploy(ctx: Context, idText: string): Promise<Deploy> {
  const { org, db, principal, clock } = ctx
  const { id } = await findDeploy(ctx, idText)
  const by = { id: principal.userId, name: principal.username }
  await db.query(deploySql.requestCancel(org, id, by, clock().toISOString()))
  return findDeploy(ctx, id)
}

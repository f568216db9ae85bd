import { decidesAccess } from '../../access/guards.ts'
import { findBlockedClients } from '../../auth/apps/find-app.ts'
import { registerClient } from '../../auth/apps/register-client.ts'
import { endSessions } from '../../auth/tokens/end-access.ts'
import { revokeClient } from '../../auth/tokens/revoke.ts'
import { findAdministrator, findInactive } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field, RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import { makeAuditFields } from './audit-fields.ts'
import { getText } from './setup-records.ts'
import { writeSql } from './write.sql.ts'

/** Each profile has its own permission set for its object and field permissions. */
async function addPermissionSets(ctx: Context, profiles: readonly PlannedRecord[]): Promise<void> {
  const object = requireObject(ctx.schema, 'PermissionSet')
  const profile = requireObject(ctx.schema, 'Profile')
  const planned: PlannedRecord[] = []
  for (const { id, values } of profiles) {
    const own: RecordValues = new Map<Field, ColumnValue>([
      [object.field('Name')!, `X${id}`],
      [object.field('Label')!, (getText(profile, values, 'Name') ?? id).slice(0, 80)],
      [object.field('IsOwnedByProfile')!, true],
      [object.field('ProfileId')!, id],
    ])
    applyDefaults(object, own)
    planned.push(planRecord(await ctx.ids.make(object.keyPrefix, ctx.db), own))
  }
  await ctx.db.query(writeSql.insert(ctx.org, object, planned, makeAuditFields(ctx)))
}

/** Registers new apps as clients of the token endpoint. */
async function addClients(ctx: Context, object: ObjectType, apps: readonly PlannedRecord[]): Promise<void> {
  for (const { values } of apps) {
    await registerClient(ctx.db, ctx.org, getText(object, values, 'ConsumerKey')!)
  }
}

/** Revokes the tokens of blocked or deleted apps. */
async function revokeBlockedApps({ db, org }: Context, ids: readonly string[]): Promise<void> {
  for (const clientId of await findBlockedClients(db, org, ids)) await revokeClient(db, org, clientId)
}

/** Ends the sessions of deactivated users. Their refresh tokens work again once the user is active. */
async function revokeInactiveUsers({ db, org }: Context, ids: readonly string[]): Promise<void> {
  for (const id of await findInactive(db, org, ids)) await endSessions(db, org, id)
}

/** Refuses a change that would leave an org without an administrator. */
async function checkAdministrator(ctx: Context): Promise<void> {
  if ((await findAdministrator(ctx.db, ctx.org)) !== undefined) return
  throw new ApiError(
    'FIELD_INTEGRITY_EXCEPTION',
    'An org needs an active user whose profile may manage users and customize the application',
  )
}

async function runInsertHooks(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (object.name === 'Profile') await addPermissionSets(ctx, records)
  if (object.name === 'ConnectedApplication') await addClients(ctx, object, records)
}

async function runChangeHooks(ctx: Context, { name }: ObjectType, ids: readonly string[]): Promise<void> {
  if (name === 'User' || name === 'Profile') await checkAdministrator(ctx)
  if (name === 'User') await revokeInactiveUsers(ctx, ids)
  if (name === 'ConnectedApplication') await revokeBlockedApps(ctx, ids)
}

/** Makes every process reload its access data after the commit. */
async function invalidateAccess(ctx: Context): Promise<void> {
  await ctx.db.query(metadataSql.bumpAccess(ctx.org))
  ctx.db.afterCommit(ctx.accessChanged)
}

/** The effects of new setup records. The write path calls it, so every API has them. */
export async function runAfterInsertHooks(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (!decidesAccess(object.name)) return
  await runInsertHooks(ctx, object, records)
  await invalidateAccess(ctx)
}

/** The effects of changed or deleted setup records. */
export async function runAfterUpdateHooks(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
): Promise<void> {
  if (!decidesAccess(object.name)) return
  await runChangeHooks(
    ctx,
    object,
    records.map(({ id }) => id),
  )
  await invalidateAccess(ctx)
}

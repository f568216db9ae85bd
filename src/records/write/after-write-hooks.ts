import { decidesAccess } from '../../access/guards.ts'
import { findBlockedClients } from '../../auth/apps/find-app.ts'
import { registerClient } from '../../auth/apps/register-client.ts'
import { endSessions } from '../../auth/tokens/end-access.ts'
import { revokeClient } from '../../auth/tokens/revoke.ts'
import { findAdministrator, findInactive } from '../../auth/users/users.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { metadataSql } from '../../schema/snapshot/metadata.sql.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'
import type { ColumnValue } from '../../storage/database/db.ts'
import { applyDefaults } from '../prepare/defaults.ts'
import { type PlannedRecord, planRecord } from '../prepare/planned-record.ts'
import type { RecordValues } from '../prepare/record-input.ts'
import { makeAuditFields } from './audit-fields.ts'
import { textOf } from './setup-records.ts'
import { writeSql } from './write.sql.ts'

/** What a profile allows with objects and fields hangs on a permission set of its own. */
async function addPermissionSets(ctx: Context, profiles: readonly PlannedRecord[]): Promise<void> {
  const object = requireObject(ctx.schema, 'PermissionSet')
  const profile = requireObject(ctx.schema, 'Profile')
  const planned: PlannedRecord[] = []
  for (const { id, values } of profiles) {
    const own: RecordValues = new Map<Field, ColumnValue>([
      [object.field('Name')!, `X${id}`],
      [object.field('Label')!, (textOf(profile, values, 'Name') ?? id).slice(0, 80)],
      [object.field('IsOwnedByProfile')!, true],
      [object.field('ProfileId')!, id],
    ])
    applyDefaults(object, own)
    planned.push(planRecord(await ctx.ids.make(object.keyPrefix, ctx.db), own))
  }
  await ctx.db.query(writeSql.insert(ctx.org, object, planned, makeAuditFields(ctx)))
}

/** The token endpoint knows a new app from now on. */
async function addClients(ctx: Context, object: ObjectType, apps: readonly PlannedRecord[]): Promise<void> {
  for (const { values } of apps) {
    await registerClient(ctx.db, ctx.org, textOf(object, values, 'ConsumerKey')!)
  }
}

/** An app that was blocked or deleted keeps no token. */
async function revokeBlockedApps({ db, org }: Context, ids: readonly string[]): Promise<void> {
  for (const clientId of await findBlockedClients(db, org, ids)) await revokeClient(db, org, clientId)
}

/** Who was deactivated is logged out everywhere; refresh tokens wait for the day when he comes back. */
async function revokeInactiveUsers({ db, org }: Context, ids: readonly string[]): Promise<void> {
  for (const id of await findInactive(db, org, ids)) await endSessions(db, org, id)
}

/** Nobody locks an org from inside. */
async function checkAdministrator(ctx: Context): Promise<void> {
  if ((await findAdministrator(ctx.db, ctx.org)) !== undefined) return
  throw new ApiError(
    'FIELD_INTEGRITY_EXCEPTION',
    'An org needs an active user whose profile may manage users and customize the application',
  )
}

/** What follows from a new record of an object. */
async function followInsert(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (object.name === 'Profile') await addPermissionSets(ctx, records)
  if (object.name === 'ConnectedApplication') await addClients(ctx, object, records)
}

/** What follows from a change, or an end, of one. */
async function followChange(ctx: Context, { name }: ObjectType, ids: readonly string[]): Promise<void> {
  if (name === 'User' || name === 'Profile') await checkAdministrator(ctx)
  if (name === 'User') await revokeInactiveUsers(ctx, ids)
  if (name === 'ConnectedApplication') await revokeBlockedApps(ctx, ids)
}

/** Every process reads again who may do what, when the transaction is done. */
async function noteChange(ctx: Context): Promise<void> {
  await ctx.db.query(metadataSql.bumpAccess(ctx.org))
  ctx.db.afterCommit(ctx.accessChanged)
}

/** What follows from new records of the set-up. Called where records are written, so there is no way around it. */
export async function runAfterInsertHooks(
  ctx: Context,
  object: ObjectType,
  records: readonly PlannedRecord[],
): Promise<void> {
  if (!decidesAccess(object.name)) return
  await followInsert(ctx, object, records)
  await noteChange(ctx)
}

/** What follows from changing or deleting records of the set-up. */
export async function runAfterUpdateHooks(
  ctx: Context,
  object: ObjectType,
  records: readonly { readonly id: string }[],
): Promise<void> {
  if (!decidesAccess(object.name)) return
  await followChange(
    ctx,
    object,
    records.map(({ id }) => id),
  )
  await noteChange(ctx)
}

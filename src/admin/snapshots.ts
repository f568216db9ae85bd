import { readEnvelope } from '../calls/envelope.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, saveSnapshot } from '../orgs/snapshots/snapshots.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }
type Named = InOrg & { readonly name: string }

const list: Handler<InOrg> = async (ctx, _call, params) => {
  const snapshots = await listSnapshots(ctx.db, await requireOrg(ctx, params.org))
  const body = snapshots.map(({ createdAt, ...rest }) => ({
    ...rest,
    createdAt: new Date(createdAt * 1000).toISOString(),
  }))
  return { status: 200, body }
}

const save: Handler<Named> = async (ctx, _call, params) => ({
  status: 200,
  body: await saveSnapshot(ctx.db, await requireOrg(ctx, params.org), params.name),
})

const remove: Handler<Named> = async (ctx, _call, params) => {
  await deleteSnapshot(ctx.db, await requireOrg(ctx, params.org), params.name)
  return noContent
}

/** Saves and restores states of an org, so that each test starts from the same state. */
export const snapshotRoutes = ({
  runtimes,
  sessions,
  queue,
  clock,
  wakeUpgrades,
}: Platform): readonly Route[] => {
  const restore: Handler<InOrg> = async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const envelope = readEnvelope(call, ['snapshot'])
    const named = envelope.required('snapshot', envelope.text('snapshot'))
    const restored = await restoreSnapshot(ctx.db, { queue, clock }, org, named)
    runtimes.of(org).snapshots.expire()
    sessions.expectRevocations()
    wakeUpgrades()
    return { status: 200, body: restored }
  }
  return [
    route('GET', '/orgs/:org/snapshots', 'setup', list),
    route('PUT', '/orgs/:org/snapshots/:name', 'setup', save),
    route('DELETE', '/orgs/:org/snapshots/:name', 'setup', remove),
    route('POST', '/orgs/:org/restore', 'setup', restore),
  ]
}

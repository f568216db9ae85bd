import { checkPage, listDeriving, recomputePage } from '../automation/rules/recompute.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { findObject } from '../resources/find-object.ts'
import { checkOrg } from './orgs.ts'

const recompute: Handler<{ org: string }> = async (ctx, call, { org }) => {
  await checkOrg(ctx, org)
  const envelope = readEnvelope(call, ['object', 'after', 'check'])
  const object = findObject(ctx, envelope.required('object', envelope.text('object')))
  if (object.definition.view !== undefined) {
    throw envelope.refusal(`The platform makes the records of ${object.name}`, 'object')
  }
  const named = envelope.text('after')
  const after = named === undefined ? '' : canonicalRecordId(named)
  if (after === undefined) throw envelope.refusal('after is the id of a record', 'after')
  const work = envelope.flag('check') === true ? checkPage : recomputePage
  return { status: 200, body: await work(ctx, object, after) }
}

const listObjects: Handler<{ org: string }> = async (ctx, _call, { org }) => {
  await checkOrg(ctx, org)
  return { status: 200, body: { objects: listDeriving(ctx.schema).map(({ name }) => name) } }
}

/** Recomputes what existing records derive, or compares it. */
export const recomputeRoutes: readonly Route[] = [
  route('GET', '/orgs/:org/recompute', 'setup', listObjects),
  route('POST', '/orgs/:org/recompute', 'setup', recompute),
]

import { ApiError } from '../base/api-error.ts'
import { readEnvelope } from '../calls/envelope.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { Org } from '../storage/orgs/org.ts'
import { requireOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

type InOrg = { readonly org: string }

/** Earliest and latest time of an org's clock. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Reads and moves the clock of an org. Allocation windows, access tokens, version retirements, date literals and
 * audit fields use it. Authorization codes, refresh tokens, secrets and query pages use the machine's clock.
 */
export const clockRoutes = ({ clocks, clock, quotaStore }: Platform): readonly Route[] => {
  const answer = (org: Org) => {
    const now = clocks.of(org.id)()
    return {
      status: 200,
      body: { now: now.toISOString(), aheadSeconds: Math.round((now.getTime() - clock().getTime()) / 1000) },
    }
  }

  const move = async (org: Org, to: number) => {
    if (!clocks.mayMove) {
      throw new ApiError(
        'INSUFFICIENT_ACCESS',
        'Clocks stay as they are: start the server with --allow-faults',
      )
    }
    if (!(to >= EARLIEST && to < LATEST)) {
      throw new ApiError('INVALID_INPUT', 'A clock is moved to a moment between 2000 and 2100')
    }
    await clocks.move(org.id, to - clock().getTime())
    quotaStore.forget(org.id)
    return answer(org)
  }

  const set: Handler<InOrg> = async (ctx, call, params) => {
    const org = await requireOrg(ctx, params.org)
    const envelope = readEnvelope(call, ['now', 'advanceSeconds'])
    const [now, seconds] = [envelope.text('now'), envelope.value('advanceSeconds')]
    if ((now === undefined) === (seconds === undefined)) {
      throw envelope.refusal('Either "now" or "advanceSeconds" says where the clock is moved')
    }
    if (now !== undefined) {
      if (TIMESTAMP.test(now)) return move(org, Date.parse(now))
      throw envelope.refusal('"now" is a moment like 2027-01-31T08:00:00Z', 'now')
    }
    if (typeof seconds !== 'number') {
      throw envelope.refusal('"advanceSeconds" is a number of seconds', 'advanceSeconds')
    }
    return move(org, clocks.of(org.id)().getTime() + seconds * 1000)
  }

  return [
    route('GET', '/orgs/:org/clock', 'setup', async (ctx, _call, params) =>
      answer(await requireOrg(ctx, params.org)),
    ),
    route('PUT', '/orgs/:org/clock', 'setup', set),
    route('DELETE', '/orgs/:org/clock', 'setup', async (ctx, _call, params) =>
      move(await requireOrg(ctx, params.org), clock().getTime()),
    ),
  ]
}

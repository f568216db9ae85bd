import { ApiError } from '../base/api-error.ts'
import { noContent } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import type { FaultStore, SetFault } from '../faults/fault-store.ts'
import { listFaults, putFault, removeAllFaults, removeFault } from '../faults/set-faults.ts'
import { checkFaultRoute } from './check-fault-route.ts'
import type { Platform } from './platform.ts'

type Named = { readonly name: string }

const shown = ({ name, plan, matched, struck }: SetFault) => ({ name, ...plan, matched, struck })

const noSuch = () => new ApiError('NOT_FOUND', 'There is no such fault')

/** Manages the fault plans of an org by name. */
export const faultRoutes = ({ faults }: Platform): readonly Route[] => {
  /** Refuses requests on a server without --allow-faults. */
  const whereAllowed =
    <P>(
      handler: (store: FaultStore, ...rest: Parameters<Handler<P>>) => ReturnType<Handler<P>>,
    ): Handler<P> =>
    (...rest) => {
      if (faults !== undefined) return handler(faults, ...rest)
      throw new ApiError('INSUFFICIENT_ACCESS', 'Faults are off: start the server with --allow-faults')
    }

  const list = whereAllowed<object>(async (_store, { db, org }) => {
    const all = await listFaults(db, org)
    return { status: 200, body: all.map(shown) }
  })

  const read = whereAllowed<Named>(async (_store, { db, org }, _call, { name }) => {
    const found = (await listFaults(db, org)).find((fault) => fault.name === name)
    if (found === undefined) throw noSuch()
    return { status: 200, body: shown(found) }
  })

  const put = whereAllowed<Named>(async (store, { db, org }, { body }, { name }) => {
    const { parseFaultPlan } = await import('../faults/fault-plan.ts')
    const plan = parseFaultPlan(body)
    checkFaultRoute(plan)
    await putFault(db, org, name, plan)
    store.expire(org.id)
    return { status: 200, body: { name, ...plan, matched: 0, struck: 0 } }
  })

  const remove = whereAllowed<Named>(async (store, { db, org }, _call, { name }) => {
    if (!(await removeFault(db, org, name))) throw noSuch()
    store.expire(org.id)
    return noContent
  })

  const removeAll = whereAllowed<object>(async (store, { db, org }) => {
    await removeAllFaults(db, org)
    store.expire(org.id)
    return noContent
  })

  return [
    route('GET', '/faults', 'setup', list),
    route('DELETE', '/faults', 'setup', removeAll),
    route('GET', '/faults/:name', 'setup', read),
    route('PUT', '/faults/:name', 'setup', put),
    route('DELETE', '/faults/:name', 'setup', remove),
  ]
}

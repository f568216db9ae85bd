import type { Org } from '../storage/orgs/org.ts'
import { endsCall, type FaultStore, type Met } from './fault-store.ts'
import type { FaultCall } from './fits.ts'

/** What of a step decides which plans it meets; the rest is that of the call. */
export type FaultStep = Pick<FaultCall, 'route' | 'method' | 'version'> & { readonly step: number }

/** What is rehearsed in a call: what those ask who carry it out. */
export interface CallFaults {
  /** What a step meets before it is carried out. A call by itself has met it at the door. */
  readonly met: readonly Met[]
  /** Most records on a page of a query. */
  readonly pageRows: number | undefined
  /** A key is answered as if several records had it. */
  readonly isKeyAmbiguous: boolean
  /** Who asks what changed is told nothing yet. */
  readonly isCoverageStale: boolean
  /** What the steps of the call meet; undefined: no plan is about steps. */
  readonly ofStep: ((step: FaultStep) => Promise<CallFaults | undefined>) | undefined
}

const faultsOf = (met: readonly Met[], ofStep?: CallFaults['ofStep']): CallFaults => ({
  met,
  pageRows: met.map(({ effect }) => effect.pageRows).find((rows) => rows !== undefined),
  isKeyAmbiguous: met.some(({ effect }) => effect.ambiguousKey === true),
  isCoverageStale: met.some(({ effect }) => effect.latestDateCovered === 'stale'),
  ofStep,
})

/** What a step of a call meets: plans about steps, and the halt that the call as a whole has met. */
async function stepFaults(
  store: FaultStore,
  org: Org,
  { haltAtStep, ...call }: FaultCall & { readonly haltAtStep: Met | undefined },
): Promise<CallFaults | undefined> {
  const met = [...(await store.meet(org, call))]
  const isEnded = met.some(({ effect }) => endsCall(effect))
  if (!isEnded && call.step !== undefined && haltAtStep?.effect.haltAtStep === call.step) {
    met.push({ name: haltAtStep.name, effect: { status: 500 } })
  }
  return met.length === 0 ? undefined : faultsOf(met)
}

/** What is rehearsed in a call that has met plans, and perhaps in its steps. */
export async function callFaults(
  store: FaultStore,
  org: Org,
  call: FaultCall,
  met: readonly Met[],
): Promise<CallFaults | undefined> {
  const haltAtStep = met.find(({ effect }) => effect.haltAtStep !== undefined)
  const plans = await store.plansOf(org)
  const hasSteps = haltAtStep !== undefined || plans.some(({ plan }) => plan.match?.step !== undefined)
  if (met.length === 0 && !hasSteps) return undefined
  return faultsOf(
    met,
    hasSteps ? (step) => stepFaults(store, org, { ...call, ...step, haltAtStep }) : undefined,
  )
}

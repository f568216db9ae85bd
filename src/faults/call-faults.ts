import type { Org } from '../storage/orgs/org.ts'
import { endsCall, type FaultStore, type InjectedFault } from './fault-store.ts'
import type { FaultCall } from './match-call.ts'

/** The attributes of a step that fault plans match; the other attributes are those of the call. */
type FaultStep = Pick<FaultCall, 'route' | 'method' | 'version'> & { readonly step: number }

/** The faults injected into a call, as its handlers need them. */
export interface CallFaults {
  /** Faults to inject before a step is carried out. Those of a call are injected by the HTTP layer. */
  readonly matched: readonly InjectedFault[]
  /** Maximum number of records on a page of a query. */
  readonly pageRows: number | undefined
  /** True if a key is treated as if several records had it. */
  readonly isKeyAmbiguous: boolean
  /** True if queries for changes report that no recent changes are covered yet. */
  readonly isCoverageStale: boolean
  /** Loads the faults of a step of the call; undefined if no plan concerns steps. */
  readonly ofStep: ((step: FaultStep) => Promise<CallFaults | undefined>) | undefined
}

const makeCallFaults = (matched: readonly InjectedFault[], ofStep?: CallFaults['ofStep']): CallFaults => ({
  matched,
  pageRows: matched.map(({ effect }) => effect.pageRows).find((rows) => rows !== undefined),
  isKeyAmbiguous: matched.some(({ effect }) => effect.ambiguousKey === true),
  isCoverageStale: matched.some(({ effect }) => effect.latestDateCovered === 'stale'),
  ofStep,
})

/** The faults of a step: of the plans that match it, and a halt that the call has. */
async function stepFaults(
  store: FaultStore,
  org: Org,
  { haltAtStep, ...call }: FaultCall & { readonly haltAtStep: InjectedFault | undefined },
): Promise<CallFaults | undefined> {
  const matched = [...(await store.matchCall(org, call))]
  const isEnded = matched.some(({ effect }) => endsCall(effect))
  if (!isEnded && call.step !== undefined && haltAtStep?.effect.haltAtStep === call.step) {
    matched.push({ name: haltAtStep.name, effect: { status: 500 } })
  }
  return matched.length === 0 ? undefined : makeCallFaults(matched)
}

/** The faults of a call to which plans applied, and of its steps. */
export async function callFaults(
  store: FaultStore,
  org: Org,
  call: FaultCall,
  matched: readonly InjectedFault[],
): Promise<CallFaults | undefined> {
  const haltAtStep = matched.find(({ effect }) => effect.haltAtStep !== undefined)
  const plans = await store.loadPlans(org)
  const hasSteps = haltAtStep !== undefined || plans.some(({ plan }) => plan.match?.step !== undefined)
  if (matched.length === 0 && !hasSteps) return undefined
  return makeCallFaults(
    matched,
    hasSteps ? (step) => stepFaults(store, org, { ...call, ...step, haltAtStep }) : undefined,
  )
}

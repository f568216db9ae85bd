import { compareComponent, isMissing } from '../components/compare-component.ts'
import type { Component } from '../components/find-components.ts'
import type { Deletion } from './deletions.ts'
import type { ComponentResult } from './deploy.ts'
import type { DeployPlan } from './plan-deploy.ts'

/** The reason why a component cannot be deployed, and its place. */
export interface Failure {
  readonly text: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** A warning, in a deployment that does not ignore warnings. */
  readonly isWarning?: boolean
}

export type Failures = ReadonlyMap<Component | Deletion, Failure>

/** The text of what an archive asks to delete and cannot. */
const tellKept = ({ type, fullName, state }: Deletion) =>
  state === 'not there' ? `No ${type} named: ${fullName} found` : `${type} cannot be deleted here`

interface Leniency {
  /** Types and properties that have no place here are left out with a warning. */
  readonly onlyWarns: boolean
  /** What is asked to be deleted and cannot be is a warning alone. */
  readonly ignoreWarnings: boolean
}

/** Finds what cannot be deployed. */
export function findFailures(
  { components, deletions, remarks, after }: DeployPlan,
  { onlyWarns, ignoreWarnings }: Leniency,
): Map<Component | Deletion, Failure> {
  const failures = new Map<Component | Deletion, Failure>()
  for (const component of components) {
    const { state, type } = component
    if (typeof state === 'object') failures.set(component, { text: state.problem, line: state.line })
    else if (onlyWarns) continue
    else if (state === 'not supported') failures.set(component, { text: `${type} is not supported here` })
    else {
      const errors = (remarks.get(component) ?? []).filter(({ isError }) => isError)
      if (errors.length === 0 && isMissing(after, component)) {
        failures.set(component, { text: `${component.fullName} cannot be a ${type} here` })
      } else if (errors.length > 0) {
        failures.set(component, { ...errors[0]!.place, text: errors.map(({ text }) => text).join('; ') })
      }
    }
  }
  addInside(components, failures)
  for (const deletion of ignoreWarnings ? [] : deletions) {
    const { state } = deletion
    if (state === 'deleted' || (state === 'not supported' && onlyWarns)) continue
    failures.set(deletion, { text: tellKept(deletion), isWarning: true })
  }
  return failures
}

/** Components of an object that fails are not there without it. */
export function addInside(
  components: readonly Component[],
  failures: Map<Component | Deletion, Failure>,
): void {
  const objects = new Map(
    components
      .filter((component) => component.type === 'CustomObject' && failures.has(component))
      .map(({ fullName }) => [fullName.replace(/__mdt$/, ''), fullName]),
  )
  if (objects.size === 0) return
  for (const component of components) {
    const [prefix = '', part] = component.fullName.split('.', 2)
    const owner =
      part === undefined || failures.has(component) ? undefined : objects.get(prefix.replace(/__mdt$/, ''))
    if (owner !== undefined) failures.set(component, { text: `${owner} cannot be deployed` })
  }
}

/** Warnings about a component that is deployed. */
function findWarning({ remarks }: DeployPlan, component: Component): string | undefined {
  const { state, type } = component
  const texts = (remarks.get(component) ?? []).map(({ text }) => text)
  if (state === 'ignored' || state === 'not supported')
    texts.unshift(`${type} is not supported here: left out`)
  return texts.length === 0 ? undefined : texts.join('; ')
}

const NOTHING = { created: false, changed: false, deleted: false }

/** When a deployment ended, and whether its changes are there. */
interface Ended {
  readonly createdDate: string
  readonly isDone: boolean
}

const describeFailure = ({ text, line, column, isWarning }: Failure) => ({
  ...{ success: false, ...NOTHING, problem: text },
  problemType: isWarning === true ? ('Warning' as const) : ('Error' as const),
  ...(line !== undefined && { lineNumber: line }),
  ...(column !== undefined && { columnNumber: column }),
})

/** Returns the result of one component. */
function makeResult(
  plan: DeployPlan,
  component: Component,
  failure: Failure | undefined,
  { createdDate, isDone }: Ended,
) {
  const { type: componentType, fullName, path: fileName } = component
  const names = { fullName, componentType, fileName, createdDate }
  if (failure !== undefined) {
    const place = failure.line === undefined ? plan.places.find(component) : undefined
    return { ...names, ...describeFailure({ ...failure, ...place }) }
  }
  const problem = findWarning(plan, component)
  const changes = isDone && compareComponent(plan.before, plan.after, component)
  return {
    ...{ ...names, success: true, ...NOTHING, ...changes },
    ...(problem !== undefined && { problem, problemType: 'Warning' as const }),
  }
}

/** Returns the result of something that an archive asks to delete. */
function makeDeletionResult(
  deletion: Deletion,
  failure: Failure | undefined,
  { createdDate, isDone }: Ended,
): ComponentResult {
  const { type: componentType, fullName, state } = deletion
  const names = { fullName, componentType, fileName: 'destructiveChanges.xml', createdDate }
  if (failure !== undefined) return { ...names, ...describeFailure(failure) }
  return {
    ...{ ...names, success: true, ...NOTHING, deleted: isDone && state === 'deleted' },
    ...(state !== 'deleted' && { problem: tellKept(deletion), problemType: 'Warning' as const }),
  }
}

/** Returns the result of each component of an archive. Takes a pause after each of them. */
export function* makeResults(
  plan: DeployPlan,
  failures: Failures,
  ended: Ended,
): Generator<void, ComponentResult[]> {
  const results: ComponentResult[] = []
  for (const component of plan.components) {
    results.push(makeResult(plan, component, failures.get(component), ended))
    yield
  }
  for (const deletion of plan.deletions) {
    results.push(makeDeletionResult(deletion, failures.get(deletion), ended))
    yield
  }
  for (const { text } of plan.remarks.get(undefined) ?? []) {
    results.push({
      ...{ fullName: 'package.xml', componentType: '', fileName: 'package.xml' },
      createdDate: ended.createdDate,
      ...{ success: true, ...NOTHING, problem: text, problemType: 'Warning' },
    })
  }
  return results
}

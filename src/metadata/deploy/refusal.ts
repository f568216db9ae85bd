import { same } from '../../definitions/checks/checking.ts'
import { nameLocation, type Problem } from '../../definitions/checks/problem.ts'
import { joinActivityField } from '../../definitions/formats/activity-fields.ts'
import type { Place } from '../archive/text-places.ts'
import { OBJECT_PARTS, picklistsOf } from '../components/compare-component.ts'
import type { Component } from '../components/find-components.ts'
import { addInside, type Failure } from './component-results.ts'
import type { Deletion } from './deletions.ts'
import type { DeployPlan } from './plan-deploy.ts'

/** A reason why the org refuses a change, and the component that it is about. */
export interface Refusal {
  /** Undefined: of any type. */
  readonly type: string | undefined
  readonly fullName: string
  readonly text: string
  /** Of the component, as definition files call it. */
  readonly property?: string | undefined
  /** In the text of the property. */
  readonly position?: Place | undefined
}

const KINDS: Readonly<Record<string, string>> = {
  objects: 'CustomObject',
  valueSets: 'GlobalValueSet',
  permissionSets: 'PermissionSet',
  profiles: 'Profile',
  settings: 'Settings',
}

/** Types of components by the sections of object files. */
const SECTIONS = new Map<unknown, string>(
  Object.entries(OBJECT_PARTS).map(([type, section]) => [section, type]),
)

const readName = (part: string | number | undefined) => (part === undefined ? undefined : String(part))

/** A problem of definitions: `objects, Item__c, fields, Code__c, length`. */
export function refuseProblem(problem: Problem): Refusal {
  const [kind = '', name = '', section, part, inside] = problem.path
  const text = `${nameLocation(problem)}: ${problem.message}`
  const type = kind === 'objects' && part !== undefined ? SECTIONS.get(section) : undefined
  const { position } = problem
  if (type === undefined)
    return { type: KINDS[kind], fullName: String(name), text, property: readName(section), position }
  const object = type === 'CustomMetadata' ? String(name).replace(/__mdt$/, '') : name
  return { type, fullName: `${object}.${part}`, text, property: readName(inside), position }
}

/** An obstacle in the org: `Item__c.Code__c: 3 records without a value`. */
export function refuseText(text: string): Refusal {
  const [, fullName = ''] = /^(\w+(?:\.\w+)?)[:.]? /.exec(text) ?? []
  return { type: undefined, fullName, text }
}

/** Finds the component that a reason is about, or the object that has it. */
function makeFinder(components: readonly Component[]): (refusal: Refusal) => Component | undefined {
  const read = components.filter(({ state }) => state !== 'not supported')
  const byName = Map.groupBy(read, (one) => one.fullName.toLowerCase())
  const sets = components.filter(({ type }) => type === 'StandardValueSet')
  return ({ type, fullName }) => {
    const name = fullName.toLowerCase()
    const named = byName.get(name) ?? []
    const [object = ''] = name.split('.', 1)
    return (
      named.find((one) => one.type === (type ?? (name.includes('.') ? 'CustomField' : 'CustomObject'))) ??
      named[0] ??
      byName.get(joinActivityField(name))?.[0] ??
      sets.find((one) => picklistsOf(one.fullName).some((path) => same(path, name))) ??
      byName.get(object)?.find((one) => one.type === 'CustomObject')
    )
  }
}

/**
 * Adds reasons to the failures of the components that they are about.
 * @returns whether components fail that did not before, and the reasons that are about none
 */
export function addRefusals(
  { components, places }: Pick<DeployPlan, 'components' | 'places'>,
  refusals: readonly Refusal[],
  failures: Map<Component | Deletion, Failure>,
): { readonly areMore: boolean; readonly others: readonly string[] } {
  const before = failures.size
  const others: string[] = []
  const findComponent = makeFinder(components)
  for (const refusal of refusals) {
    const component = findComponent(refusal)
    if (component === undefined) {
      others.push(refusal.text)
      continue
    }
    const known = failures.get(component)
    const text = known === undefined ? refusal.text : `${known.text}; ${refusal.text}`
    const place = places.find(component, refusal.property, refusal.position)
    failures.set(component, { ...place, ...known, text })
  }
  addInside(components, failures)
  return { areMore: failures.size > before, others }
}

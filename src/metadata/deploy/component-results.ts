import { compareComponent } from '../components/compare-component.ts'
import type { Component } from '../components/find-components.ts'
import type { ComponentResult } from './deploy.ts'
import type { DeployPlan } from './plan-deploy.ts'

/** What is wrong with a component. */
export interface Failure {
  readonly text: string
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export type Failures = ReadonlyMap<Component, Failure>

/** A position in a formula stands before what is said of it: `2:5: Field Amount__c does not exist.` */
function splitPosition(text: string): Failure {
  const [, line, column, rest] = /^(\d+):(\d+): (.*)$/s.exec(text) ?? []
  return line === undefined ? { text } : { text: rest!, line: Number(line), column: Number(column) }
}

/**
 * Finds what cannot be deployed.
 * @param onlyWarns types and properties that have no place here are left out with a warning
 */
export function findFailures(
  { components, remarks }: DeployPlan,
  onlyWarns: boolean,
): Map<Component, Failure> {
  const failures = new Map<Component, Failure>()
  for (const component of components) {
    const { state, type } = component
    if (typeof state === 'object') failures.set(component, { text: state.problem, line: state.line })
    else if (onlyWarns) continue
    else if (state === 'not supported') failures.set(component, { text: `${type} is not supported here` })
    else {
      const errors = (remarks.get(component) ?? []).filter(({ isError }) => isError)
      if (errors.length > 0) {
        const [first, ...more] = errors.map(({ text }) => splitPosition(text))
        failures.set(component, { ...first!, text: [first!, ...more].map(({ text }) => text).join('; ') })
      }
    }
  }
  return failures
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

/** What the API says of each component of an archive. */
export function makeResults(plan: DeployPlan, failures: Failures, createdDate: string): ComponentResult[] {
  const { before, after, components, deletions, remarks } = plan
  const results = components.map((component): ComponentResult => {
    const { type: componentType, fullName, path: fileName } = component
    const names = { fullName, componentType, fileName, createdDate }
    const failure = failures.get(component)
    if (failure !== undefined) {
      return {
        ...{ ...names, success: false, ...NOTHING, problem: failure.text, problemType: 'Error' },
        ...(failure.line !== undefined && { lineNumber: failure.line }),
        ...(failure.column !== undefined && { columnNumber: failure.column }),
      }
    }
    const problem = findWarning(plan, component)
    const changes = compareComponent(before, after, component)
    return {
      ...{ ...names, success: true, ...NOTHING, ...changes },
      ...(problem !== undefined && { problem, problemType: 'Warning' as const }),
    }
  })
  const deleted = deletions.map(({ type, fullName, state }): ComponentResult => {
    const names = { fullName, componentType: type, fileName: 'destructiveChanges.xml', createdDate }
    if (state === 'deleted') return { ...names, success: true, ...NOTHING, deleted: true }
    const problem =
      state === 'not there' ? `No ${type} named: ${fullName} found` : `${type} cannot be deleted here`
    return { ...names, success: true, ...NOTHING, problem, problemType: 'Warning' }
  })
  const general = (remarks.get(undefined) ?? []).map(
    ({ text }): ComponentResult => ({
      ...{ fullName: 'package.xml', componentType: '', fileName: 'package.xml', createdDate },
      ...{ success: true, ...NOTHING, problem: text, problemType: 'Warning' },
    }),
  )
  return [...results, ...deleted, ...general]
}

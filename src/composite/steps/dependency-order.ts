import { decodePercent } from '../../base/url-encoding.ts'
import { hasReference, mapReferences, nameIn } from './reference-text.ts'
import type { Step } from './subrequest.ts'

/** All texts in which references are looked for. */
function* textsIn(step: Step): Generator<string> {
  yield decodePercent(step.url.path)
  yield decodePercent(step.url.query)
  const waiting: unknown[] = [step.body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) waiting.push(inner)
  }
}

/** The steps that a step refers to, by their reference ids. */
export function namesIn(step: Step): ReadonlySet<string> {
  const names = new Set<string>()
  for (const text of textsIn(step)) {
    if (!hasReference(text)) continue
    mapReferences(text, (expression) => {
      names.add(nameIn(expression))
      return ''
    })
  }
  return names
}

interface Dependencies {
  /** Numbers of the steps, each behind those that it refers to, otherwise as they were sent. */
  readonly order: readonly number[]
  /** Most steps in a row of which each refers to the one before. */
  readonly depth: number
}

/** Which step needs which. One that needs itself, by whatever way round, stands where it would by itself. */
export function findDependencies(steps: readonly Step[]): Dependencies {
  const numbers = new Map(steps.map(({ referenceId }, number) => [referenceId, number]))
  const order: number[] = []
  /** Of the steps that were visited; 0 while those that they need are. */
  const depths = new Map<number, number>()
  const visit = (number: number): number => {
    const known = depths.get(number)
    if (known !== undefined) return known
    depths.set(number, 0)
    let deepest = 0
    for (const name of namesIn(steps[number]!)) {
      const needed = numbers.get(name)
      if (needed !== undefined) deepest = Math.max(deepest, visit(needed))
    }
    depths.set(number, deepest + 1)
    order.push(number)
    return deepest + 1
  }
  const depth = Math.max(0, ...steps.map((_, number) => visit(number)))
  return { order, depth }
}

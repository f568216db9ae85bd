import type { CompositeKind } from './composite.ts'

/* Changes of the steps in the body of a call. A path leads to a value in the body: `compositeRequest`, then 0. */

export type StepPath = readonly (string | number)[]

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function changeAt(value: unknown, path: StepPath, change: (inside: unknown) => unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (Array.isArray(value)) return value.with(first as number, changeAt(value[first as number], rest, change))
  const object = isObject(value) ? value : {}
  return { ...object, [first]: changeAt(object[first], rest, change) }
}

/** The value that a path leads to. */
export const valueAt = (value: unknown, path: StepPath): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Json | undefined)?.[name], value)

const changeBody = (body: string, path: StepPath, change: (inside: unknown) => unknown): string =>
  JSON.stringify(changeAt(JSON.parse(body || '{}'), path, change), null, 2)

const changeList = (body: string, path: StepPath, change: (list: readonly unknown[]) => readonly unknown[]) =>
  changeBody(body, path, (list) => change(Array.isArray(list) ? list : []))

export const addStep = (body: string, list: StepPath, step: unknown): string =>
  changeList(body, list, (steps) => [...steps, step])

export const removeStep = (body: string, step: StepPath): string =>
  changeList(body, step.slice(0, -1), (steps) => steps.toSpliced(step.at(-1) as number, 1))

/** @param by 1: behind the next one; -1: before the one before */
export function moveStep(body: string, step: StepPath, by: 1 | -1): string {
  const index = step.at(-1) as number
  return changeList(body, step.slice(0, -1), (steps) =>
    steps.toSpliced(index, 1).toSpliced(index + by, 0, steps[index]),
  )
}

/** What a form shows of a step. */
export interface StepContent {
  readonly method: string
  readonly url: string
  /** JSON; empty if there is none. */
  readonly body: string
}

/** The member that has the body of a step. */
const BODY = { composite: 'body', graph: 'body', batch: 'richInput' } as const

const isChildren = (value: unknown) => isObject(value) && Array.isArray(value.records)

/** The fields of a record of a tree, without its attributes and children. */
const fieldsOf = (record: Json) =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => name !== 'attributes' && !isChildren(value)),
  )

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** @param source the step as it is in the body */
export function readContent(kind: CompositeKind, source: unknown): StepContent {
  const step = isObject(source) ? source : {}
  if (kind === 'tree') {
    const type = isObject(step.attributes) ? text(step.attributes.type) : ''
    return { method: 'POST', url: type, body: JSON.stringify(fieldsOf(step), null, 2) }
  }
  const body = step[BODY[kind]]
  return {
    method: text(step.method) || 'GET',
    url: text(step.url),
    body: body === undefined ? '' : JSON.stringify(body, null, 2),
  }
}

/** @throws SyntaxError when the body is no JSON, or no fields of a record */
export function writeContent(
  body: string,
  kind: CompositeKind,
  path: StepPath,
  content: StepContent,
): string {
  const inside: unknown = content.body.trim() === '' ? undefined : JSON.parse(content.body)
  if (kind === 'tree' && inside !== undefined && !isObject(inside)) throw new SyntaxError('no fields')
  return changeBody(body, path, (source) => {
    const step = isObject(source) ? source : {}
    if (kind !== 'tree') {
      const { [BODY[kind]]: _before, ...rest } = step
      return {
        ...rest,
        method: content.method,
        url: content.url,
        ...(inside !== undefined && { [BODY[kind]]: inside }),
      }
    }
    const children = Object.entries(step).filter(([, value]) => isChildren(value))
    const attributes = { ...(isObject(step.attributes) ? step.attributes : {}), type: content.url }
    return { attributes, ...(inside ?? {}), ...Object.fromEntries(children) }
  })
}

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_]*$/

/** True if a step may be called so. */
export const isStepName = (name: string): boolean => IDENTIFIER.test(name)

/**
 * Gives a step another name. References to it follow, unless they would lead elsewhere then.
 * @param taken names of the other steps that it could be mixed up with
 */
export function renameStep(
  body: string,
  kind: CompositeKind,
  path: StepPath,
  name: string,
  { before, taken }: { readonly before: string | undefined; readonly taken: readonly string[] },
): string {
  const member = kind === 'tree' ? [...path, 'attributes', 'referenceId'] : [...path, 'referenceId']
  const renamed = changeBody(body, member, () => name)
  if (kind === 'tree' || before === undefined || !isStepName(before) || !isStepName(name)) return renamed
  if (taken.includes(name) || taken.includes(before)) return renamed
  const reference = new RegExp(`@\\{${before}(?=[}.[])`, 'g')
  return changeBody(renamed, path.slice(0, -1), (steps) =>
    JSON.parse(JSON.stringify(steps).replaceAll(reference, `@{${name}`)),
  )
}

/* The steps of a call that has several operations, what each uses of others, and what cannot work. */

import { isStepName, type StepPath } from './change-steps.ts'

export interface Step {
  /** Where it is in the body. */
  readonly path: StepPath
  /** Steps in its list: those that it can be moved among. */
  readonly siblings: number
  /** The graph that it is in. */
  readonly group?: string | undefined
  readonly referenceId: string | undefined
  readonly method: string
  readonly url: string
  /** Steps whose results it uses, by their index. */
  readonly uses: readonly number[]
  readonly problems: readonly string[]
}

export interface StepResult {
  readonly status: number
  readonly message?: string | undefined
}

export type CompositeKind = 'composite' | 'batch' | 'graph' | 'tree'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Which kind of several operations a call is; undefined: one operation. */
export function kindOf(method: string, path: string): CompositeKind | undefined {
  const found = /^\/services\/data\/[^/]+\/composite(?:\/(batch|graph|tree)\b)?(\/[^?]*)?(?:\?|$)/.exec(path)
  if (
    method !== 'POST' ||
    found === null ||
    (found[1] === undefined && found[2] !== undefined && found[2] !== '/')
  )
    return undefined
  return (found[1] ?? 'composite') as CompositeKind
}

const graphName = (graph: Json, index: number) => text(graph.graphId) || `graph ${index + 1}`

interface Draft {
  path: StepPath
  siblings: number
  group?: string | undefined
  referenceId: string | undefined
  method: string
  url: string
  source: unknown
}

function draftsOf(kind: CompositeKind, body: Json): Draft[] {
  const operations = (steps: unknown, at: StepPath, group?: string) =>
    list(steps).map((step, index, { length: siblings }): Draft => {
      const one = isObject(step) ? step : {}
      const referenceId = text(one.referenceId) || undefined
      return {
        path: [...at, index],
        siblings,
        group,
        referenceId,
        method: text(one.method) || 'GET',
        url: text(one.url),
        source: step,
      }
    })
  switch (kind) {
    case 'composite':
      return operations(body.compositeRequest, ['compositeRequest'])
    case 'batch':
      return operations(body.batchRequests, ['batchRequests'])
    case 'graph':
      return list(body.graphs).flatMap((graph, index) =>
        isObject(graph)
          ? operations(graph.compositeRequest, ['graphs', index, 'compositeRequest'], graphName(graph, index))
          : [],
      )
    case 'tree':
      return treeDrafts(list(body.records), ['records'])
  }
}

function treeDrafts(records: readonly unknown[], at: StepPath, parent?: string): Draft[] {
  return records.flatMap((record, index, { length: siblings }): Draft[] => {
    if (!isObject(record)) return []
    const attributes = isObject(record.attributes) ? record.attributes : {}
    const referenceId = text(attributes.referenceId) || undefined
    const path = [...at, index]
    const url = `${text(attributes.type)}${parent === undefined ? '' : ` of ${parent}`}`
    const below = Object.entries(record).flatMap(([name, value]) =>
      isObject(value) && Array.isArray(value.records)
        ? treeDrafts(value.records, [...path, name, 'records'], referenceId)
        : [],
    )
    return [
      {
        path,
        siblings,
        referenceId,
        method: 'POST',
        url,
        source: parent === undefined ? {} : `@{${parent}}`,
      },
      ...below,
    ]
  })
}

const REFERENCE = /@\{([^}.[]*)([^}]*)\}/g

export function readSteps(kind: CompositeKind, body: unknown): Step[] {
  if (!isObject(body)) return []
  const drafts = draftsOf(kind, body)
  return drafts.map((draft, index): Step => {
    const mine = drafts.map((one, at) => ({ ...one, at })).filter(({ group }) => group === draft.group)
    const problems: string[] = []
    const uses = new Set<number>()
    if (kind !== 'batch' && draft.referenceId === undefined) problems.push('It has no referenceId.')
    if (draft.url === '') problems.push(kind === 'tree' ? 'It has no type.' : 'It has no address.')
    if (draft.referenceId !== undefined) {
      if (!isStepName(draft.referenceId))
        problems.push(`${draft.referenceId} is no name: letters, digits and _.`)
      if (mine.some(({ referenceId, at }) => referenceId === draft.referenceId && at < index))
        problems.push(`Another step is called ${draft.referenceId} already.`)
    }
    for (const [, name] of JSON.stringify(draft.source ?? {}).matchAll(REFERENCE)) {
      const target = mine.find(({ referenceId }) => referenceId === name)
      if (kind === 'batch') problems.push('Steps of a batch know nothing of each other.')
      else if (target === undefined) problems.push(`No step is called ${name}.`)
      else if (target.at >= index && kind !== 'graph')
        problems.push(`${name} comes ${target.at === index ? 'only with it' : 'later'}.`)
      else uses.add(target.at)
    }
    const { source: _, ...shown } = draft
    return { ...shown, uses: [...uses], problems: [...new Set(problems)] }
  })
}

const firstMessage = (body: unknown): string | undefined => {
  const one = Array.isArray(body) ? body[0] : body
  return isObject(one) && typeof one.message === 'string' ? one.message : undefined
}

/** The outcome of each record of a collection. */
function collectionResults(answer: unknown): StepResult[] {
  return list(answer)
    .filter((one): one is Json => isObject(one) && typeof one.success === 'boolean')
    .map(({ success, errors }) => ({
      status: success ? 200 : 400,
      message: success ? undefined : firstMessage(errors),
    }))
}

/** The outcome of each step, in their order; of a call without steps that of each record, where it writes several. */
export function readResults(kind: CompositeKind | undefined, answer: unknown): StepResult[] {
  if (kind === undefined) return collectionResults(answer)
  if (!isObject(answer)) return []
  const composite = (results: unknown) =>
    list(results).map((one): StepResult => {
      const { httpStatusCode, body } = one as { httpStatusCode: number; body: unknown }
      return { status: httpStatusCode, message: httpStatusCode >= 400 ? firstMessage(body) : undefined }
    })
  switch (kind) {
    case 'composite':
      return composite(answer.compositeResponse)
    case 'batch':
      return list(answer.results).map((one) => {
        const { statusCode, result } = one as { statusCode: number; result: unknown }
        return { status: statusCode, message: statusCode >= 400 ? firstMessage(result) : undefined }
      })
    case 'graph':
      return list(answer.graphs).flatMap((graph) =>
        composite(
          (graph as { graphResponse?: { compositeResponse?: unknown } }).graphResponse?.compositeResponse,
        ),
      )
    case 'tree':
      return []
  }
}

/** `2 of 5 failed`; undefined when none did. */
export function failures(results: readonly StepResult[]): string | undefined {
  const failed = results.filter(({ status }) => status >= 400).length
  return failed === 0 ? undefined : `${failed} of ${results.length} failed`
}

/** A list that another step can be added to. */
interface StepList {
  readonly path: StepPath
  /** The graph that it is of. */
  readonly group?: string | undefined
}

export function findLists(kind: CompositeKind, body: unknown): StepList[] {
  switch (kind) {
    case 'composite':
      return [{ path: ['compositeRequest'] }]
    case 'batch':
      return [{ path: ['batchRequests'] }]
    case 'graph':
      return list(isObject(body) ? body.graphs : []).flatMap((graph, index) =>
        isObject(graph)
          ? [{ path: ['graphs', index, 'compositeRequest'], group: graphName(graph, index) }]
          : [],
      )
    case 'tree':
      return [{ path: ['records'] }]
  }
}

/** The switch that each kind has for all or nothing. */
export const SWITCHES: Readonly<Partial<Record<CompositeKind, string>>> = {
  composite: 'allOrNone',
  batch: 'haltOnError',
}

/* The steps of a call that has several operations, what each uses of others, and what cannot work. */

export interface Step {
  /** Where it is in the body, as a key. */
  readonly key: string
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

interface Draft {
  key: string
  group?: string | undefined
  referenceId: string | undefined
  method: string
  url: string
  source: unknown
}

function draftsOf(kind: CompositeKind, body: Json): Draft[] {
  const operations = (steps: unknown, at: string, group?: string) =>
    list(steps).map((step, index): Draft => {
      const one = isObject(step) ? step : {}
      const referenceId = text(one.referenceId) || undefined
      return {
        key: `${at}.${index}`,
        group,
        referenceId,
        method: text(one.method) || 'GET',
        url: text(one.url),
        source: step,
      }
    })
  switch (kind) {
    case 'composite':
      return operations(body.compositeRequest, 'compositeRequest')
    case 'batch':
      return operations(body.batchRequests, 'batchRequests')
    case 'graph':
      return list(body.graphs).flatMap((graph, index) =>
        isObject(graph)
          ? operations(graph.compositeRequest, `graphs.${index}`, text(graph.graphId) || `graph ${index + 1}`)
          : [],
      )
    case 'tree':
      return treeDrafts(list(body.records), 'records')
  }
}

function treeDrafts(records: readonly unknown[], at: string, parent?: string): Draft[] {
  return records.flatMap((record, index): Draft[] => {
    if (!isObject(record)) return []
    const attributes = isObject(record.attributes) ? record.attributes : {}
    const referenceId = text(attributes.referenceId) || undefined
    const key = `${at}.${index}`
    const url = `${text(attributes.type)}${parent === undefined ? '' : ` of ${parent}`}`
    const below = Object.entries(record).flatMap(([name, value]) =>
      isObject(value) && Array.isArray(value.records)
        ? treeDrafts(value.records, `${key}.${name}`, referenceId)
        : [],
    )
    return [
      { key, referenceId, method: 'POST', url, source: parent === undefined ? {} : `@{${parent}}` },
      ...below,
    ]
  })
}

const REFERENCE = /@\{([^}.[]*)([^}]*)\}/g
const NAME = /^[A-Za-z0-9][A-Za-z0-9_]*$/

export function readSteps(kind: CompositeKind, body: unknown): Step[] {
  if (!isObject(body)) return []
  const drafts = draftsOf(kind, body)
  return drafts.map((draft, index): Step => {
    const mine = drafts.map((one, at) => ({ ...one, at })).filter(({ group }) => group === draft.group)
    const problems: string[] = []
    const uses = new Set<number>()
    if (kind !== 'batch' && draft.referenceId === undefined) problems.push('It has no referenceId.')
    if (draft.referenceId !== undefined) {
      if (!NAME.test(draft.referenceId))
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
    const { key, group, referenceId, method, url } = draft
    return { key, group, referenceId, method, url, uses: [...uses], problems: [...new Set(problems)] }
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

const LISTS = { composite: 'compositeRequest', batch: 'batchRequests' } as const

/** The body with other steps, of the kinds whose steps are one list. */
export function changeSteps(
  kind: 'composite' | 'batch',
  body: string,
  change: (steps: readonly unknown[]) => readonly unknown[],
): string {
  const parsed = JSON.parse(body || '{}')
  return JSON.stringify({ ...parsed, [LISTS[kind]]: change(list(parsed[LISTS[kind]])) }, null, 2)
}

/** The switch that each kind has for all or nothing. */
export const SWITCHES: Readonly<Partial<Record<CompositeKind, string>>> = {
  composite: 'allOrNone',
  batch: 'haltOnError',
}

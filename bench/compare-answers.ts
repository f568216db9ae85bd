import { makeHeaders, pathFor, type Side } from './load.ts'
import type { Shot, Workload } from './workloads.ts'

/** How many requests of each workload are compared. */
const COMPARED = 4

/**
 * Takes out the parts that have to differ: ids that the server made (the counter of the dataset's begins far above), times and locators. The baseline writes
 * numbers as its language does, without the fraction of whole ones.
 */
const normalize = (text: string) =>
  text
    .replaceAll(/\b(00[136T])OB00000\w{8}\b/g, '$1')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'time')
    .replaceAll(/:(-?\d+)\.0(?=[,}])/g, ':$1')
    .replaceAll(/\/query\/\w+-/g, '/query/locator-')

interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * Sends one request.
 * @throws Error if the answer is no success
 */
export async function ask(side: Side, path: string, { method, body }: Shot): Promise<Answer> {
  const response = await fetch(side.server.origin + path, {
    method,
    headers: makeHeaders(side),
    body: body === undefined ? null : JSON.stringify(body),
  })
  const { status, ok } = response
  const text = await response.text()
  if (!ok) throw new Error(`${side.name} does not serve ${method} ${path}: ${status} ${text}`)
  return { status, text }
}

/** The answers of a side, of a walk all pages. */
async function collectAnswers(side: Side, { shot, isWalk }: Workload): Promise<string> {
  const answers: string[] = []
  for (let n = 0; n < (isWalk ? 1 : COMPARED); n++) {
    const asked = shot(n, side.ids)
    let next: string | undefined = pathFor(side, asked)
    while (next !== undefined) {
      const { status, text } = await ask(side, next, asked)
      answers.push(normalize(`${status} ${text}`))
      next = isWalk ? /"nextRecordsUrl":"([^"]+)"/.exec(text)?.[1] : undefined
      // All records have been read long before.
      if (answers.length > side.ids.length) throw new Error(`${side.name}: the pages do not end`)
    }
  }
  return answers.join('\n')
}

function describeDifference(ours: string, theirs: string): string {
  let at = 0
  while (ours[at] === theirs[at]) at++
  const excerpt = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
  return `at ${at}: ${excerpt(ours)}\nbut ${excerpt(theirs)}`
}

/**
 * Asks all sides the same and compares status and bytes with the first one's.
 * @throws Error at the first difference
 */
export async function compareAnswers(sides: readonly Side[], workloads: readonly Workload[]): Promise<void> {
  for (const workload of workloads) {
    const [ours, ...others] = await Promise.all(sides.map((side) => collectAnswers(side, workload)))
    for (const [index, theirs] of others.entries()) {
      if (ours === theirs) continue
      const names = `${sides[0]!.name} and ${sides[index + 1]!.name}`
      throw new Error(`${workload.title}: ${names} differ ${describeDifference(ours!, theirs)}`)
    }
  }
}

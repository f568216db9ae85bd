import assert from 'node:assert/strict'
import type { TestOrg } from '../../support/org.ts'
import type { Answer } from './evaluate-plan.ts'

interface Result {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly Record<string, unknown>[]
}

const isResult = (value: unknown): value is Result =>
  typeof value === 'object' && value !== null && 'records' in value && 'done' in value

/** The result of a query that must succeed, all its pages put together, and those of child records. */
export async function wholeResult(o: TestOrg, path: string, pageSize: number): Promise<Answer> {
  const get = async (url: string): Promise<Result> => {
    const answer = await o.call('GET', url, { headers: { 'svc-query-options': `batchSize=${pageSize}` } })
    assert.equal(answer.status, 200, `${decodeURIComponent(url)}: ${answer.text}`)
    return answer.body
  }
  const complete = async (first: Result): Promise<Answer> => {
    const records = [...first.records]
    let page = first
    while (page.nextRecordsUrl !== undefined) {
      assert.equal(page.done, false)
      page = await get(page.nextRecordsUrl)
      assert.equal(page.totalSize, first.totalSize)
      records.push(...page.records)
    }
    assert.equal(page.done, true)
    return {
      totalSize: first.totalSize,
      done: true,
      records: await Promise.all(records.map(completeMembers)),
    }
  }
  const completeMembers = async (record: Record<string, unknown>) => {
    const members: [string, unknown][] = []
    for (const [name, value] of Object.entries(record)) {
      members.push([name, isResult(value) ? await complete(value) : value])
    }
    return Object.fromEntries(members)
  }
  return complete(await get(path))
}

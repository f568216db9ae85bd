import assert from 'node:assert/strict'
import type { Answer, TestOrg } from './org.ts'
import { until } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into jobs of every kind
type Job = any

const CSV = { 'content-type': 'text/csv' }

export async function createJob(org: TestOrg, body: Record<string, unknown>, kind = 'ingest'): Promise<Job> {
  const answer = await org.call('POST', `/jobs/${kind}`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export const upload = (org: TestOrg, id: string, text: string | Buffer): Promise<Answer> =>
  org.call('PUT', `/jobs/ingest/${id}/batches`, { text, headers: CSV })

export const setState = (org: TestOrg, id: string, state: string, kind = 'ingest'): Promise<Answer> =>
  org.call('PATCH', `/jobs/${kind}/${id}`, { body: { state } })

const showJob = async (org: TestOrg, id: string, kind = 'ingest'): Promise<Job> =>
  (await org.call('GET', `/jobs/${kind}/${id}`)).body

export const isOver = ({ state }: Job): boolean => ['JobComplete', 'Failed', 'Aborted'].includes(state)

/** Waits until a job is over. */
export const untilOver = (org: TestOrg, id: string, kind = 'ingest'): Promise<Job> =>
  until(async () => {
    const job = await showJob(org, id, kind)
    return isOver(job) && job
  })

/** Carries out a job to its end. */
export async function ingest(
  org: TestOrg,
  body: Record<string, unknown>,
  rows: string | Buffer,
): Promise<Job> {
  const { id } = await createJob(org, body)
  const uploaded = await upload(org, id, rows)
  assert.equal(uploaded.status, 201, uploaded.text)
  assert.equal(uploaded.text, '')
  const closed = await setState(org, id, 'UploadComplete')
  assert.equal(closed.status, 200, closed.text)
  return untilOver(org, id)
}

/** The texts of the three results. */
export async function results(org: TestOrg, id: string) {
  const read = async (name: string) => {
    const answer = await org.call('GET', `/jobs/ingest/${id}/${name}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['content-type'], 'text/csv; charset=UTF-8')
    return answer.text
  }
  return {
    successful: await read('successfulResults'),
    failed: await read('failedResults/'),
    unprocessed: await read('unprocessedRecords'),
  }
}

import assert from 'node:assert/strict'
import type { TestOrg } from './org.ts'

const PATH = '/setup/orgs/current/recompute'

/** Computes a part of an object's records again, or compares it. */
export async function sendRecompute(o: TestOrg, object: string, more: object = {}) {
  const { status, body } = await o.call('POST', PATH, { body: { object, ...more } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The objects whose records have other values than the derived ones. */
export async function findDiffering(o: TestOrg): Promise<readonly string[]> {
  const { objects } = (await o.call('GET', PATH)).body
  const found = new Set<string>()
  for (const object of objects) {
    let after: string | undefined
    do {
      const page = await sendRecompute(o, object, { check: true, ...(after !== undefined && { after }) })
      if (page.differing.length > 0) found.add(object)
      after = page.next
    } while (after !== undefined)
  }
  return [...found]
}

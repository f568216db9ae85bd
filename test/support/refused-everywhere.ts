import assert from 'node:assert/strict'
import type { ErrorCode } from '../../src/base/error-codes.ts'
import { assertRefused } from './assert-refused.ts'
import { openOrg, type TestOrg } from './org.ts'
import { SPECIMEN } from './specimen-schema.ts'

export type RefusedEverywhere = (
  text: string,
  code: ErrorCode,
  message: string | RegExp,
  fields?: readonly string[],
) => Promise<void>

/**
 * An org with a specimen in it, and the check that create, update and all kinds of upsert refuse a body in the same
 * way, and that none of them changes anything.
 */
export async function openRefusingOrg(): Promise<{ org: TestOrg; refusedEverywhere: RefusedEverywhere }> {
  const org = await openOrg()
  await org.deploy([SPECIMEN])
  const id = await org.create('Specimen__c', { Key__c: 'k', Loose__c: 'l', Text__c: 'kept' })

  async function everything() {
    const answers = await Promise.all([
      org.call('GET', `/sobjects/Specimen__c/${id}`),
      org.call('GET', '/query?q=SELECT%20COUNT()%20FROM%20Specimen__c'),
    ])
    return answers.map((answer) => answer.body)
  }

  async function refusedEverywhere(
    text: string,
    code: ErrorCode,
    message: string | RegExp,
    fields: readonly string[] = [],
  ): Promise<void> {
    const before = await everything()
    for (const [method, path] of [
      ['POST', '/sobjects/Specimen__c'],
      ['POST', '/sobjects/Specimen__c/Id'],
      ['PATCH', `/sobjects/Specimen__c/${id}`],
      ['PATCH', `/sobjects/Specimen__c/Id/${id}`],
      ['PATCH', '/sobjects/Specimen__c/Key__c/k'],
      ['PATCH', '/sobjects/Specimen__c/Key__c/new'],
      ['PATCH', '/sobjects/Specimen__c/Loose__c/l'],
    ] as const) {
      assertRefused(await org.call(method, path, { text }), 400, code, message, fields)
    }
    assert.deepEqual(await everything(), before)
  }
  return { org, refusedEverywhere }
}

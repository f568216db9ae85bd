import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openOrg, type TestOrg } from '../support/org.ts'
import { ACCOUNT_HISTORY, PROJECT_SCHEMA } from '../support/project-schema.ts'
import { CASES } from './cases.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([...PROJECT_SCHEMA, ACCOUNT_HISTORY])
})

for (const [index, { q, valid, code, conf, note }] of CASES.entries()) {
  test(`statement ${index} (${note}) is ${valid ? 'answered' : 'refused'}: ${q}`, async () => {
    const { status, body } = await org.call('GET', `/query?q=${encodeURIComponent(q)}`)
    const said = JSON.stringify(body)
    assert.equal(status, valid ? 200 : 400, said)
    if (!valid && conf === undefined) assert.equal(body[0].errorCode, code, said)
  })
}

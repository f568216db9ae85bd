import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fetchRecords } from '../support/ask.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { assertValues } from '../support/derived.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* Fields by which records name entries of a directory that there is no more. */

const CASES = [
  ['Account', 'JigsawCompany', { Name: 'A' }],
  ['Contact', 'JigsawContact', { LastName: 'C' }],
  ['Lead', 'JigsawContact', { LastName: 'L', Company: 'C' }],
] as const

let o: TestOrg
before(async () => {
  o = await openOrg()
})

for (const [object, relationship, fields] of CASES) {
  const name = `${relationship}Id`

  test(`${object}.Jigsaw is kept as it is written, up to 20 characters`, async () => {
    const id = await o.create(object, { ...fields, Jigsaw: 'K-1' })
    await assertValues(o, object, id, { Jigsaw: 'K-1', [name]: null })
    const long = await o.call('PATCH', `/sobjects/${object}/${id}`, { body: { Jigsaw: 'x'.repeat(21) } })
    assert.equal(long.body[0].errorCode, 'STRING_TOO_LONG')
  })

  test(`${object}.${name} is described as a read-only text with the name of a way that is not there`, async () => {
    const { body } = await o.call('GET', `/sobjects/${object}/describe`)
    const found = body.fields.find((field: { name: string }) => field.name === name)
    const { type, length, nillable, createable, updateable, relationshipName, referenceTo } = found
    assert.deepEqual(
      { type, length, nillable, createable, updateable, relationshipName, referenceTo },
      {
        type: 'string',
        length: 20,
        nillable: true,
        createable: false,
        updateable: false,
        relationshipName: relationship,
        referenceTo: [],
      },
    )
    const written = await o.call('POST', `/sobjects/${object}`, { body: { ...fields, [name]: 'x' } })
    assertRefused(written, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE', /./, [name])
    const way = await o.call('GET', `/query?q=SELECT+${relationship}.Name+FROM+${object}`)
    assertRefused(way, 400, 'INVALID_FIELD', /./)
    const nested = await o.call('POST', `/sobjects/${object}`, {
      body: { ...fields, [relationship]: { Name: 'x' } },
    })
    assertRefused(nested, 400, 'INVALID_FIELD', /./)
    assert.deepEqual(await fetchRecords(o, `SELECT Id FROM ${object} WHERE ${name} != null`), [])
  })
}

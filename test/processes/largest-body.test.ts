import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOrg } from '../support/org.ts'

/** The embedded engine takes a gigabyte for a moment. */
test('A body of 50 MB in one text is taken', async () => {
  const o = await openOrg()
  const bytes = Buffer.alloc(37 * 1024 * 1024).toString('base64')
  const ParentId = await o.create('Account', { Name: 'large' })
  const body = { Name: 'large.bin', ParentId, Body: bytes }
  const { status, text } = await o.call('POST', '/sobjects/Attachment', { body })
  assert.equal(status, 201, text)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PAGE, replaceSteps } from '../../scripts/describe-write.ts'

test('the table in docs/explanation/what-happens-in-a-write.md has the steps of a write', () => {
  const page = readFileSync(PAGE, 'utf8')
  assert.ok(page === replaceSteps(page), 'Run node scripts/describe-write.ts.')
})

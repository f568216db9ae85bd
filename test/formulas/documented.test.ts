import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeFormulaTable } from '../../scripts/formula-table.ts'

test('the reference has the functions as they are', () => {
  const page = readFileSync('docs/reference/formulas.md', 'utf8')
  assert.ok(
    page.includes(makeFormulaTable()),
    'Run node scripts/formula-table.ts and put its text into the page.',
  )
})

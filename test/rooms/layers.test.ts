import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findImports, violation } from '../../scripts/check-layers.ts'

test('every file imports its own room and lower lines only, types too', () => {
  const imports = findImports()
  assert.ok(imports.length > 100)
  assert.deepEqual(
    imports.flatMap((one) => violation(one) ?? []),
    [],
  )
})

test('the check tells an import upward, one sideways, and a room that stands nowhere', () => {
  const wrong = (from: string, to: string) => violation({ from, to })
  assert.equal(wrong('records/a.ts', 'http/b.ts'), 'records/a.ts imports http/b.ts: upward')
  assert.equal(wrong('records/a.ts', 'soql/b.ts'), 'records/a.ts imports soql/b.ts: sideways')
  assert.equal(wrong('composite/a.ts', 'resources/b.ts'), 'composite/a.ts imports resources/b.ts: upward')
  assert.equal(wrong('http/a.ts', 'log.ts'), 'http/a.ts imports log.ts: upward')
  assert.match(String(wrong('attic/a.ts', 'base/b.ts')), /the room attic stands on no line$/)
  assert.equal(wrong('main.ts', 'log.ts'), undefined)
  assert.equal(wrong('records/a.ts', 'records/b.ts'), undefined)
  assert.equal(wrong('records/a.ts', 'context.ts'), undefined)
})

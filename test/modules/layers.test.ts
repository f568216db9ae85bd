import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCycles, findImports, findViolation, PACKAGES } from '../../scripts/check-layers.ts'

const imports = findImports()

test('every file imports its own module and lower layers only, types too', () => {
  assert.ok(imports.length > 100)
  assert.deepEqual(
    imports.flatMap((one) => findViolation(one) ?? []),
    [],
  )
})

test('inside a module no folders import each other in a circle', () => {
  assert.deepEqual(findCycles(imports), [])
})

test('every package that a module may import is imported by it', () => {
  for (const name of Object.keys(PACKAGES)) {
    assert.ok(
      imports.some(({ to }) => to === `npm:${name}`),
      name,
    )
  }
})

test('the check tells an import upward, one sideways, a module in no layer, and a package of others', () => {
  const wrong = (from: string, to: string) => findViolation({ from, to })
  assert.equal(wrong('records/a.ts', 'http/b.ts'), 'records/a.ts imports http/b.ts: upward')
  assert.equal(wrong('records/a.ts', 'soql/b.ts'), 'records/a.ts imports soql/b.ts: sideways')
  assert.equal(wrong('composite/a.ts', 'resources/b.ts'), 'composite/a.ts imports resources/b.ts: upward')
  assert.equal(wrong('http/a.ts', 'server/log.ts'), 'http/a.ts imports server/log.ts: upward')
  assert.match(String(wrong('attic/a.ts', 'base/b.ts')), /the module attic is in no layer$/)
  assert.equal(wrong('records/a.ts', 'npm:pg'), 'records/a.ts imports pg, which only storage may import')
  assert.equal(wrong('records/a.ts', 'npm:lodash'), 'records/a.ts imports lodash, which no module may import')
  assert.equal(wrong('server/main.ts', 'server/log.ts'), undefined)
  assert.equal(wrong('records/a.ts', 'records/b.ts'), undefined)
  assert.equal(wrong('records/a.ts', 'context.ts'), undefined)
})

test('the check tells circles of folders, however long, and takes the files beside them for a folder', () => {
  const circle = [
    { from: 'soql/parse/a.ts', to: 'soql/plan/b.ts' },
    { from: 'soql/plan/b.ts', to: 'soql/sql/c.ts' },
    { from: 'soql/sql/c.ts', to: 'soql/parse/d.ts' },
    { from: 'soql/run.ts', to: 'soql/parse/a.ts' },
  ]
  assert.deepEqual(findCycles(circle), ['soql/parse -> soql/plan -> soql/sql -> soql/parse'])
  assert.deepEqual(findCycles(circle.slice(1)), [])
  assert.deepEqual(findCycles([circle[3]!, { from: 'soql/parse/a.ts', to: 'soql/run.ts' }]), [
    'soql -> soql/parse -> soql',
  ])
})

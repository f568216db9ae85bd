import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findImports } from '../../scripts/check-layers.ts'
import { drawModules, PAGE, replaceGraph } from '../../scripts/draw-modules.ts'

test('the graph of the modules in docs/explanation/architecture.md is current', () => {
  const page = readFileSync(PAGE, 'utf8')
  const current = replaceGraph(page, drawModules(findImports()))
  assert.ok(page === current, 'Run node scripts/draw-modules.ts.')
})

test('an arrow that others imply is left out, and so are packages', () => {
  const imports = [
    { from: 'a/x.ts', to: 'b/x.ts' },
    { from: 'a/x.ts', to: 'c/x.ts' },
    { from: 'b/x.ts', to: 'b/y.ts' },
    { from: 'b/x.ts', to: 'c/x.ts' },
    { from: 'c/x.ts', to: 'npm:pg' },
  ]
  const graph = drawModules(imports, [['a'], ['b'], ['c'], ['d']])
  assert.deepEqual(
    graph.split('\n').filter((line) => line.includes('-->')),
    ['  a --> b', '  b --> c'],
  )
  assert.doesNotMatch(graph, /pg|"d"/)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findImports, findModule, type Import, LAYERS } from './check-layers.ts'
import { replaceBetween } from './replace-between.ts'

/**
 * Draws which modules import which, as the Mermaid graph of docs/explanation/architecture.md.
 * `node scripts/draw-modules.ts` writes it into the page.
 */

export const PAGE = resolve(import.meta.dirname, '../docs/explanation/architecture.md')

const START = '<!-- modules: written by scripts/draw-modules.ts -->'
const END = '<!-- end of modules -->'

function findEdges(imports: readonly Import[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (to.startsWith('npm:')) continue
    const [importer, imported] = [findModule(from), findModule(to)]
    if (importer !== imported) edges.set(importer, (edges.get(importer) ?? new Set()).add(imported))
  }
  return edges
}

/** True if one module reaches another one by way of a third one. */
function isIndirect(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const pending = [...(edges.get(from) ?? [])].filter((module) => module !== to)
  for (let module = pending.pop(); module !== undefined; module = pending.pop()) {
    if (module === to) return true
    if (seen.has(module)) continue
    seen.add(module)
    pending.push(...(edges.get(module) ?? []))
  }
  return false
}

/** Mermaid takes no dots in the names of nodes. */
const nodeIn = (module: string) => module.replace('.', '_')

/** The modules by layers. An arrow is left out where others lead to the same module. */
export function drawModules(
  imports: readonly Import[],
  layers: readonly (readonly string[])[] = LAYERS,
): string {
  const edges = findEdges(imports)
  const modules = layers.flat()
  const present = new Set([...edges].flatMap(([from, to]) => [from, ...to]))
  const drawn = layers
    .map((layer) => layer.filter((module) => present.has(module)))
    .filter((layer) => layer.length > 0)
    .flatMap((layer, index) => [
      `  subgraph layer${index} [" "]`,
      ...layer.map((module) => `    ${nodeIn(module)}["${module}"]`),
      '  end',
    ])
  const arrows = modules.flatMap((from) =>
    modules
      .filter((to) => edges.get(from)?.has(to) === true && !isIndirect(edges, from, to))
      .map((to) => `  ${nodeIn(from)} --> ${nodeIn(to)}`),
  )
  return ['```mermaid', 'graph TD', ...drawn, ...arrows, '```'].join('\n')
}

/** The page with a graph in the place of the one it has. */
export const replaceGraph = (page: string, graph: string): string => replaceBetween(page, START, END, graph)

if (import.meta.main) {
  writeFileSync(PAGE, replaceGraph(readFileSync(PAGE, 'utf8'), drawModules(findImports())))
}

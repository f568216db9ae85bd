import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Modules form layers: a file imports its own module and any lower layer, never upward and never sideways; type imports
 * count. Inside a module no two folders import each other, directly or in a circle. Each package from npm belongs to the
 * modules that may import it. `node scripts/check-layers.ts` prints what breaks this and exits 1.
 */

/** From the top layer to the bottom layer. A module is a folder of `src`, or a file beside the folders. */
export const LAYERS: readonly (readonly string[])[] = [
  ['cli', 'testkit'],
  ['server'],
  ['http', 'watchdog', 'processes'],
  ['admin'],
  ['resources', 'soap'],
  ['metadata'],
  ['composite', 'graphql', 'customrest', 'importers', 'exporters', 'automation'],
  ['definitions'],
  ['orgs'],
  ['bulk', 'scripting'],
  ['calls', 'search', 'streaming'],
  ['records', 'soql'],
  // The standard objects are definitions in the words of `schema`, with behaviour that uses `auth`, so they are above both.
  ['context.ts', 'standard'],
  // The grants of `auth`'s users, applied to the objects of `schema`.
  ['access'],
  ['schema', 'auth', 'quota', 'faults', 'jobs', 'recent', 'slowqueries', 'calllog'],
  ['storage', 'formulas', 'xml'],
  ['base', 'config'],
]

/** Which modules import a package from npm. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@electric-sql/pglite': ['storage'],
  '@faker-js/faker': ['cli'],
  '@node-rs/argon2': ['auth'],
  '@fastify/busboy': ['http'],
  'cli-progress': ['cli'],
  commander: ['cli'],
  'csv-parse': ['cli', 'importers'],
  'csv-stringify': ['cli'],
  'decimal.js': ['formulas'],
  'fast-xml-parser': ['exporters'],
  fastify: ['http', 'server'],
  'find-my-way': ['calls', 'customrest'],
  graphql: ['graphql'],
  jose: ['auth'],
  'lru-cache': ['auth', 'base', 'calls', 'faults', 'schema', 'soql', 'storage'],
  pg: ['storage'],
  re2js: ['formulas'],
  'pg-boss': ['jobs'],
  pino: ['server', 'watchdog'],
  // In the files of a new project.
  objectry: ['cli'],
  'prom-client': ['server'],
  // Archives of deployments.
  yauzl: ['metadata'],
  yazl: ['metadata'],
  yaml: ['base', 'definitions', 'faults'],
  zod: ['base', 'definitions', 'faults', 'importers'],
}

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT = /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm

export interface Import {
  /** Path below `src`. */
  readonly from: string
  /** Path below `src`; a package from npm as `npm:<name>`. */
  readonly to: string
}

const SOURCE = resolve(dirname(fileURLToPath(import.meta.url)), '../src')

/** `@scope/name/path` is of the package `@scope/name`. */
const packageIn = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Every import of a source file, but those of Node's own modules. */
export function findImports(source = SOURCE): Import[] {
  return globSync('**/*.ts', { cwd: source }).flatMap((from) => {
    const text = readFileSync(join(source, from), 'utf8')
    return [...text.matchAll(IMPORT)].flatMap(([, statement, call]) => {
      const specifier = (statement ?? call)!
      if (specifier.startsWith('.'))
        return { from, to: relative(source, resolve(source, dirname(from), specifier)) }
      return specifier.startsWith('node:') ? [] : { from, to: `npm:${packageIn(specifier)}` }
    })
  })
}

/** The module of a file below `src`: its folder, or the file itself. */
export const findModule = (path: string): string => path.split('/', 1)[0]!

const findLayer = (path: string) => LAYERS.findIndex((modules) => modules.includes(findModule(path)))

function findPackageViolation({ from, to }: Import): string | undefined {
  const name = to.slice('npm:'.length)
  const modules = PACKAGES[name]
  if (modules === undefined) return `${from} imports ${name}, which no module may import`
  if (modules.includes(findModule(from))) return undefined
  return `${from} imports ${name}, which only ${modules.join(' and ')} may import`
}

/** Why an import is wrong; undefined when it is not. */
export function findViolation({ from, to }: Import): string | undefined {
  if (to.startsWith('npm:')) return findPackageViolation({ from, to })
  const [layer, target] = [findLayer(from), findLayer(to)]
  for (const [path, found] of [
    [from, layer],
    [to, target],
  ] as const) {
    if (found < 0) return `${from} imports ${to}: the module ${findModule(path)} is in no layer`
  }
  if (findModule(from) === findModule(to) || target > layer) return undefined
  return `${from} imports ${to}: ${target === layer ? 'sideways' : 'upward'}`
}

/** The folder of a file inside its module; the module itself for the files directly in it. */
const findFolder = (path: string) =>
  path
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/\/[^/]*\.ts$/, '')

/** Folders of one module that import each other, each circle once as `a -> b -> a`. */
export function findCycles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [a, b] = [findFolder(from), findFolder(to)]
    if (to.startsWith('npm:') || findModule(from) !== findModule(to) || a === b || !from.includes('/'))
      continue
    edges.set(a, (edges.get(a) ?? new Set()).add(b))
  }
  const cycles: string[] = []
  const done = new Set<string>()
  const follow = (folder: string, path: readonly string[]): void => {
    const start = path.indexOf(folder)
    if (start >= 0) {
      cycles.push([...path.slice(start), folder].join(' -> '))
      return
    }
    if (done.has(folder)) return
    for (const next of edges.get(folder) ?? []) follow(next, [...path, folder])
    done.add(folder)
  }
  for (const folder of edges.keys()) follow(folder, [])
  return cycles
}

if (import.meta.main) {
  const imports = findImports()
  const problems = [
    ...imports.flatMap((one) => findViolation(one) ?? []),
    ...findCycles(imports).map((cycle) => `Folders import each other: ${cycle}`),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}

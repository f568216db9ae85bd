import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Rooms stand on steps: a file imports its own room and any lower line, never upward and never sideways; type imports
 * count. `node scripts/check-layers.ts` prints what breaks this and exits 1. (design 4 "Layers")
 */

/** From the top line (11) to the bottom line (0). Rooms that are still to be built stand here already. */
export const LAYERS: readonly (readonly string[])[] = [
  ['cli', 'testkit'],
  ['main.ts', 'log.ts', 'metrics.ts'],
  ['http', 'watchdog'],
  ['resources'],
  ['composite', 'graphql', 'customrest', 'deployment'],
  ['scripting'],
  ['calls', 'search'],
  ['records', 'soql'],
  // The standard objects are data in the words of `schema`, so they stand above it.
  ['context.ts', 'standard'],
  // What the grants of `auth`'s users mean for the objects of `schema`.
  ['access'],
  ['schema', 'auth', 'limits', 'faults', 'jobs', 'recent'],
  ['storage'],
  ['base', 'config.ts'],
]

/** Files that belong together although they have no folder: what puts all rooms together. */
const ROOM_OF_FILE: Readonly<Record<string, string>> = {
  'assemble.ts': 'main.ts',
  'close-pieces.ts': 'main.ts',
  'first-start.ts': 'main.ts',
  'log.ts': 'main.ts',
  'metrics.ts': 'main.ts',
  'series.ts': 'main.ts',
  'unsafe-settings.ts': 'main.ts',
  'setting-values.ts': 'config.ts',
  'settings.ts': 'config.ts',
}

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

export interface Import {
  /** Paths below `src`. */
  readonly from: string
  readonly to: string
}

const SOURCE = resolve(dirname(fileURLToPath(import.meta.url)), '../src')

/** Every import of one source file by another. */
export function findImports(source = SOURCE): Import[] {
  return globSync('**/*.ts', { cwd: source }).flatMap((from) => {
    const text = readFileSync(join(source, from), 'utf8')
    return [...text.matchAll(IMPORT)].map(([, path]) => ({
      from,
      to: relative(source, resolve(source, dirname(from), path!)),
    }))
  })
}

/** The folder below `src`, or the file itself. */
function roomOf(path: string): string {
  const [room] = path.split('/') as [string]
  return ROOM_OF_FILE[room] ?? room
}

const lineOf = (path: string) => LAYERS.findIndex((rooms) => rooms.includes(roomOf(path)))

/** Why an import is wrong; undefined when it is not. */
export function violation({ from, to }: Import): string | undefined {
  const [line, target] = [lineOf(from), lineOf(to)]
  for (const [path, found] of [
    [from, line],
    [to, target],
  ] as const) {
    if (found < 0) return `${from} imports ${to}: the room ${roomOf(path)} stands on no line`
  }
  if (roomOf(from) === roomOf(to) || target > line) return undefined
  return `${from} imports ${to}: ${target === line ? 'sideways' : 'upward'}`
}

if (import.meta.main) {
  const violations = findImports().flatMap((one) => violation(one) ?? [])
  for (const line of violations) console.error(line)
  if (violations.length > 0) process.exit(1)
}

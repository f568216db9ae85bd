import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/* The size of the files that a browser loads, packed. `npm ci` builds them, `npm run console:build` again. */

const DIST = join(import.meta.dirname, '../../console/dist')
const MANIFEST = join(DIST, '.vite/manifest.json')

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly isEntry?: true
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** Files that several screens share and load when one of them opens, in kB; each counts once. */
const SHARED: Readonly<Record<string, number>> = { editor: 115, 'graphql-editor': 75, grid: 30 }

const FIRST_SCREEN_KB = 220
const SCREEN_KB = 60

const kilobytes = ({ file }: Chunk) => statSync(join(DIST, `${file}.br`)).size / 1000

test('what the console loads is within its budgets', {
  skip: !existsSync(MANIFEST) && 'no console is built: npm run console:build',
}, () => {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const isShared = (key: string) => (manifest[key]?.name ?? '') in SHARED
  /** A file and those that it cannot run without. */
  const withImports = (key: string, found = new Set<string>()): Set<string> => {
    if (found.has(key)) return found
    found.add(key)
    for (const other of manifest[key]?.imports ?? []) withImports(other, found)
    return found
  }
  const sum = (keys: Iterable<string>) =>
    [...keys].reduce((total, key) => total + kilobytes(manifest[key]!), 0)
  const entry = Object.keys(manifest).find((key) => manifest[key]!.isEntry)!
  const screens = manifest[entry]!.dynamicImports!
  const home = screens.find((key) => key.includes('screens/home/'))!
  const first = new Set([...withImports(entry), ...withImports(home)])
  const problems: string[] = []
  const expect = (what: string, size: number, most: number) => {
    if (size > most) problems.push(`${what}: ${size.toFixed(1)} kB of at most ${most}`)
  }
  expect('first screen', sum(first), FIRST_SCREEN_KB)
  for (const screen of screens) {
    const own = [...withImports(screen)].filter((key) => !first.has(key) && !isShared(key))
    expect(screen, sum(own), SCREEN_KB)
  }
  for (const [key, chunk] of Object.entries(manifest))
    if (isShared(key)) expect(chunk.name!, kilobytes(chunk), SHARED[chunk.name!]!)
  assert.deepEqual(problems, [])
})

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/*
 * Writes the type declarations of the published package to `types`: those of its entry points, and what they refer to. Run
 * by `npm pack`.
 */

const ROOT = join(import.meta.dirname, '..')
const ENTRIES = ['scripting/sdk/objectry.d.ts', 'testkit/start-org.d.ts']
const IMPORTED = /(?:from|import\()\s*['"](\.[^'"]+)\.ts['"]/g

/** A declaration file and those that it imports, by their paths below a folder. */
function* findImported(folder: string, file: string, found = new Set<string>()): Generator<string> {
  if (found.has(file)) return
  found.add(file)
  yield file
  for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)) {
    const imported = join(dirname(join(folder, file)), `${path}.d.ts`)
    yield* findImported(folder, relative(folder, imported), found)
  }
}

const draft = mkdtempSync(join(tmpdir(), 'objectry-types-'))
try {
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(compiler, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', draft], { stdio: 'inherit' })
  rmSync(join(ROOT, 'types'), { recursive: true, force: true })
  const found = new Set<string>()
  for (const entry of ENTRIES) {
    for (const file of findImported(draft, entry, found)) cpSync(join(draft, file), join(ROOT, 'types', file))
  }
} finally {
  rmSync(draft, { recursive: true, force: true })
}

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

const direct = new Map<string, readonly string[]>()

/** Absolute paths of the project's own files that a file imports; type imports count. */
function directImports(file: string): readonly string[] {
  const known = direct.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(IMPORT)].map(([, path]) => resolve(dirname(file), path!))
  // Tests hold the text of other modules too: their imports lead nowhere.
  const sources = found.filter((path) => path.endsWith('.ts'))
  direct.set(file, sources)
  return sources
}

/** Absolute paths of a file and of all of the project's files that it imports, directly or not. */
export function importedFiles(entry: string): Set<string> {
  const all = new Set<string>()
  const waiting = [resolve(entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (all.has(file)) continue
    all.add(file)
    try {
      waiting.push(...directImports(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      all.delete(file)
    }
  }
  return all
}

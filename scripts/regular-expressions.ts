import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parse } from 'acorn'
import { CACHE_FOLDER } from './test-cache-folder.ts'

/** The one in JavaScript: the others start a JVM or a program of their own. */
const recheck: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js')

interface RegularExpression {
  /** `src/http/server/send-reply.ts:18` */
  readonly location: string
  readonly pattern: string
  readonly flags: string
}

/** The regular expressions that are written in a TypeScript text. */
export function findRegularExpressions(file: string, text: string): RegularExpression[] {
  const found: RegularExpression[] = []
  const code = stripTypeScriptTypes(text)
  parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken({ type, start, end, loc }) {
      if (type.label !== 'regexp') return
      const written = code.slice(start, end)
      const closing = written.lastIndexOf('/')
      found.push({
        location: `${file}:${loc!.start.line}`,
        pattern: written.slice(1, closing),
        flags: written.slice(closing + 1),
      })
    },
  })
  return found
}

/** Those of the server. What only the command line runs meets the texts of the person who typed it. */
export function findServerExpressions(): RegularExpression[] {
  return globSync('src/**/*.ts', { exclude: ['src/cli/**', 'src/testkit/**'] }).flatMap((file) =>
    findRegularExpressions(file, readFileSync(file, 'utf8')),
  )
}

/** The expressions that were found to be linear, so that the next run checks only new ones. */
const KNOWN_FILE = join(CACHE_FOLDER, 'linear-expressions.json')

function readKnown(): readonly string[] {
  try {
    return JSON.parse(readFileSync(KNOWN_FILE, 'utf8'))
  } catch {
    return []
  }
}

/** A check gives up after so long; the longest takes some seconds. */
const CHECK_TIMEOUT_MS = 60_000

/** Returns the text for which an expression takes too long, or undefined if there is none. */
export function findAttack({ pattern, flags }: RegularExpression): string | undefined {
  const result = recheck.checkSync(pattern, flags, { timeout: CHECK_TIMEOUT_MS })
  if (result.status === 'safe') return undefined
  return result.status === 'unknown'
    ? `not known: ${result.error.kind}`
    : `${result.complexity.summary} on ${result.attack.pattern}`
}

/** The expressions that take longer than in proportion to some text. */
export function findSlowExpressions(expressions: readonly RegularExpression[]): string[] {
  const linear = new Set(readKnown())
  const slow: string[] = []
  for (const expression of expressions) {
    const { location, pattern, flags } = expression
    const written = `/${pattern}/${flags}`
    if (linear.has(written)) continue
    const attack = findAttack(expression)
    if (attack === undefined) linear.add(written)
    else slow.push(`${location} ${written}: ${attack}`)
  }
  mkdirSync(CACHE_FOLDER, { recursive: true })
  writeFileSync(KNOWN_FILE, JSON.stringify([...linear]))
  return slow
}

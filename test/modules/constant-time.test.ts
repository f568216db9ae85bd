import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/*
 * Whoever compares a secret with `===` tells by the time that it takes how much of a guess is right. What is found by its
 * hash in the database is no comparison.
 */

const SOURCE = join(import.meta.dirname, '../../src')
const SECRET = String.raw`[\w.]*(?:[sS]ecret|[pP]assword|[vV]erifier|[tT]oken|[sS]ignature|[hH]ash)\b`
const NOTHING = `(?:undefined|null|''|0)`
const BEFORE = new RegExp(String.raw`${SECRET}!?\s*[!=]==(?!\s*${NOTHING})`)
const BEHIND = new RegExp(String.raw`(?<!${NOTHING}\s*)[!=]==\s*${SECRET}(?!\.length)`)

/** Files that compare two entries of one form by one person, which is no guess. */
const TYPED_TWICE = ['http/pages/change-password.ts']

const comparesPlainly = (line: string) =>
  (BEFORE.test(line) || BEHIND.test(line)) && !/typeof|\.length|^\s*(\*|\/\/)/.test(line)

test('this test knows a plain comparison when it sees one', () => {
  for (const line of ['if (secret === given) return', 'return given !== app.clientSecret', 'a.token === b'])
    assert.ok(comparesPlainly(line), line)
  for (const line of ['if (secret === null) return', 'password === undefined', "given === ''"])
    assert.ok(!comparesPlainly(line), line)
})

test('no secret is compared in a time that depends on it', () => {
  const found = globSync('{auth,http,admin}/**/*.ts', { cwd: SOURCE }).flatMap((file) =>
    TYPED_TWICE.includes(file)
      ? []
      : readFileSync(join(SOURCE, file), 'utf8')
          .split('\n')
          .filter(comparesPlainly)
          .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})

test('client secrets, verifiers and form tokens are compared in constant time', () => {
  // A client's secret has two forms: encrypted, and the hash of an older version.
  for (const [file, times] of Object.entries({ 'apps/prove-client': 2, 'oauth/pkce': 1, 'pages/csrf': 1 })) {
    const comparisons = readFileSync(join(SOURCE, `auth/${file}.ts`), 'utf8').match(/timingSafeEqual\(/g)
    assert.equal(comparisons?.length, times, file)
  }
})

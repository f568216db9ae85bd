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
  for (const file of ['oauth/token-text', 'oauth/pkce', 'pages/csrf']) {
    assert.match(readFileSync(join(SOURCE, `auth/${file}.ts`), 'utf8'), /timingSafeEqual\(/, file)
  }
  assert.match(readFileSync(join(SOURCE, 'auth/apps/prove-client.ts'), 'utf8'), /isSameSecret\(/)
})

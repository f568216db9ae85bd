import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findAttack, findRegularExpressions } from '../../scripts/regular-expressions.ts'

test('no regular expression is made of a text', () => {
  const made = globSync('src/**/*.ts').filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(made, [])
})

test('the check finds expressions between types, and what is wrong with them', () => {
  const text =
    'const a: RegExp = /^(a+)+$/\nconst b = 4 / 2 / 1\nconst c = (text: string) => /\\s+$/i.test(text)'
  const found = findRegularExpressions('a.ts', text)
  assert.deepEqual(found, [
    { location: 'a.ts:1', pattern: '^(a+)+$', flags: '' },
    { location: 'a.ts:3', pattern: '\\s+$', flags: 'i' },
  ])
  assert.match(String(findAttack(found[0]!)), /^exponential on 'a'/)
  assert.match(String(findAttack(found[1]!)), /^2nd degree polynomial on /)
  assert.equal(findAttack({ location: '', pattern: '^\\s*a$', flags: '' }), undefined)
})

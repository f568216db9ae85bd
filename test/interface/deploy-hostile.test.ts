import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { definitionFiles } from '../support/arbitrary-schema.ts'
import { openOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    "'; drop table x; --",
    '"',
    '\u0000',
    '\ud800',
    'constructor',
    '__proto__',
    'x'.repeat(5000),
    '{0}{0}',
  ),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
)

type Json = Record<string, unknown>

/** Puts something strange into one place of a value, known or new. */
function disturb(value: unknown, path: readonly number[], name: string, by: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const keys = Object.keys(value)
  const [turn = 0, ...rest] = path
  if (rest.length === 0 || keys.length === 0) {
    const isNew = keys.length === 0 || turn % 3 === 0
    const key = isNew ? (Array.isArray(value) ? keys.length : name) : keys[turn % keys.length]!
    ;(value as Json)[key] = by
    return
  }
  disturb((value as Json)[keys[turn % keys.length]!], rest, name, by)
}

const PROPERTIES = [
  'label',
  'default',
  'format',
  'length',
  'values',
  'to',
  'indexes',
  'recordTypes',
  'valueSet',
  'controller',
  'keyPrefix',
  'children',
  'masterDetail',
  'x',
]

test('whatever is deployed is carried out or refused, and the org goes on', async () => {
  const o = await openOrg()
  const disturbed = fc
    .tuple(
      definitionFiles,
      fc.array(fc.nat(7), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...PROPERTIES),
      strange,
    )
    .map(([files, path, name, by]) => {
      const copy = structuredClone(files)
      disturb(copy.objects, path, name, by)
      return copy
    })
  await fc.assert(
    fc.asyncProperty(disturbed, async ({ objects }) => {
      const body = { objects, allowDestructive: true }
      const { status, text } = await o.call('PUT', '/setup/orgs/current/schema', { body })
      assert.ok(status === 200 || status === 400, text)
    }),
    { numRuns: runs(20) },
  )
  await o.create('Account', { Name: 'Still there' })
})

test('whatever permissions are deployed, they are carried out or refused', async () => {
  const o = await openOrg()
  const file = fc.constant({
    label: 'Packing',
    system: ['ApiEnabled'],
    objects: { Account: ['read'] },
    fields: { 'Account.Industry': 'edit' },
  })
  const body = fc.record({
    permissionSets: fc.dictionary(fc.string(), file, { maxKeys: 3, noNullPrototype: true }),
    profiles: fc.dictionary(fc.string(), file, { maxKeys: 2, noNullPrototype: true }),
  })
  const disturbed = fc
    .tuple(
      body,
      fc.array(fc.nat(7), { maxLength: 5 }),
      fc.constantFrom(...PROPERTIES, 'Account.Name'),
      strange,
    )
    .map(([files, path, name, by]) => {
      const copy = structuredClone(files)
      disturb(copy, path, name, by)
      return copy
    })
  await fc.assert(
    fc.asyncProperty(disturbed, async (files) => {
      const { status, text } = await o.call('PUT', '/setup/orgs/current/schema', { body: files })
      assert.ok(status === 200 || status === 400, text)
      assert.equal((await o.call('GET', '/setup/orgs/current/schema')).status, 200)
    }),
    { numRuns: runs(20) },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { DefinitionFiles } from '../../src/definitions/formats/object-file.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'
import { loadDefinitions } from '../../src/schema/snapshot/load-snapshot.ts'
import { definitionFiles } from '../support/arbitrary-schema.ts'
import { loadCatalog } from '../support/catalog.sql.ts'
import { deploy } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'

const RUNS = runs(2)

/** Something that a field takes; undefined where the test leaves it empty. */
function makeSample({ type, values, length = 100, to }: FieldDefinition, account: string): unknown {
  const [first] = values ?? []
  if (first !== undefined) return typeof first === 'string' ? first : first.value
  if (to?.includes('Account')) return account
  const samples: Readonly<Record<string, unknown>> = {
    string: 'some text',
    textarea: 'some text',
    longtextarea: 'some text',
    richtextarea: '<b>some</b> text',
    encryptedstring: 'secret',
    email: 'ada@example.com',
    phone: '+1 555 01',
    url: 'http://example.com',
    boolean: true,
    int: 42,
    double: 7,
    currency: 7,
    percent: 7,
    date: '2024-02-29',
    datetime: '2024-02-29T10:00:00.000+0000',
    time: '10:20:30.000Z',
    base64: 'YWJj',
  }
  const sample = samples[type]
  return typeof sample === 'string' && sample.length > length ? undefined : sample
}

/** Makes a record of each custom object with everything in it that its fields take. */
async function fill(o: TestOrg, files: DefinitionFiles, account: string): Promise<void> {
  for (const { name, fields, createable } of readDefinitions(files).objects) {
    if (!name.endsWith('__c') || createable === false) continue
    const body: Record<string, unknown> = {}
    for (const field of fields) {
      const value = makeSample(field, account)
      if (field.unique !== true && field.name !== 'Name' && value !== undefined) body[field.name] = value
    }
    await o.create(name, body)
  }
}

interface Held {
  readonly object: string
  readonly record: Record<string, unknown>
}

async function recordsIn(o: TestOrg, objects: readonly string[]): Promise<Held[]> {
  const held: Held[] = []
  for (const object of objects) {
    const { body } = await o.call('GET', `/query?q=SELECT+Id+FROM+${object}`)
    for (const { Id } of body.records) {
      held.push({ object, record: (await o.call('GET', `/sobjects/${object}/${Id}`)).body })
    }
  }
  return held
}

const customNames = (files: DefinitionFiles) =>
  Object.keys(files.objects).filter((name) => name.endsWith('__c'))

/** Fields that two sets of files define in the same words. */
function unchangedFields(before: DefinitionFiles, after: DefinitionFiles, object: string): string[] {
  const fieldsOf = (files: DefinitionFiles) => files.objects[object]?.fields ?? {}
  return Object.entries(fieldsOf(before))
    .filter(([name, field]) => JSON.stringify(fieldsOf(after)[name]) === JSON.stringify(field))
    .map(([name]) => name)
}

const withoutIdentity = (text: string) => text.replaceAll(/"(keyPrefix|id)":"\w*",?/g, '')

const byName = (objects: readonly { readonly name: string }[]) =>
  [...objects].sort((a, b) => (a.name < b.name ? -1 : 1))

const normal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, normal(member)]))
}

test('after any edits an org is as one that was made so, keeps what it held, and a refused edit changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(definitionFiles, fc.boolean()), { minLength: 2, maxLength: 4 }),
      async (edits) => {
        const o = await openOrg()
        const account = await o.create('Account', { Name: 'Acme' })
        let files: DefinitionFiles = { objects: {}, valueSets: {} }
        for (const [wanted, allowDestructive] of edits) {
          const [held, catalog] = [await recordsIn(o, customNames(files)), await loadCatalog(o)]
          const { status, text } = await deploy(o, wanted.objects, { allowDestructive })
          assert.ok(status === 200 || (status === 400 && text.includes('DEPLOYMENT_REFUSED')), text)
          if (status === 400) {
            assert.deepEqual(await loadCatalog(o), catalog)
            assert.deepEqual(await recordsIn(o, customNames(files)), held)
            continue
          }
          for (const { object, record } of held) {
            if (!(object in wanted.objects)) continue
            const now = (await o.call('GET', `/sobjects/${object}/${record.Id}`)).body
            const same = unchangedFields(files, wanted, object).filter((name) => {
              const { to } = wanted.objects[object]!.fields![name]!
              // References to an object that went point nowhere.
              return to === undefined
            })
            for (const name of ['Name', 'CreatedDate', ...same])
              assert.deepEqual(now[name], record[name], name)
          }
          files = wanted
          // Shares come and go with the sharing of their object.
          const own = (await loadDefinitions(o.db, o.org)).filter(({ shareOf }) => shareOf === undefined)
          const stored = normal(byName(own))
          const expected = normal(byName(readDefinitions(wanted).objects))
          assert.equal(withoutIdentity(JSON.stringify(stored)), withoutIdentity(JSON.stringify(expected)))
          await fill(o, files, account)
        }
        const made = await openOrg()
        assert.equal((await deploy(made, files.objects)).status, 200)
        assert.deepEqual(await loadCatalog(o), await loadCatalog(made))
        assert.equal((await deploy(o, files.objects)).body.steps.length, 0)
      },
    ),
    { numRuns: RUNS },
  )
})

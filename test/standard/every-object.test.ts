import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { findDiffering } from '../support/find-differing.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { runs } from '../support/runs.ts'
import { type DescribedField, describeFields, makeSamples, type Samples } from '../support/samples.ts'

/* Whatever is written to the standard objects, their records have what the platform derives of them. */

const RUNS = runs(2)

let o: TestOrg
let samples: Samples
let fields: ReadonlyMap<string, readonly DescribedField[]>

before(async () => {
  o = await openOrg()
  samples = await makeSamples(o)
  const described = await Promise.all(
    [...samples.ids.keys()].map(async (object) => [object, await describeFields(o, object)] as const),
  )
  fields = new Map(described)
})

async function send(method: string, path: string, body?: object): Promise<string | undefined> {
  const { status, body: answer, text } = await o.call(method, `/sobjects/${path}`, body && { body })
  assert.ok(
    status < 500 && !text.includes('UNABLE_TO_LOCK_ROW'),
    `${method} ${path} ${JSON.stringify(body)}: ${text}`,
  )
  return status === 201 ? answer.id : undefined
}

const OPERATION = fc.record({
  kind: fc.constantFrom(...(['change', 'change', 'change', 'create', 'create', 'delete'] as const)),
  object: fc.nat(1000),
  record: fc.nat(1000),
  fields: fc.array(fc.record({ field: fc.nat(1000), value: fc.nat(1000) }), { minLength: 1, maxLength: 3 }),
})

type Operation = typeof OPERATION extends fc.Arbitrary<infer T> ? T : never

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)]

/** A value of the field's type; every fifth is null. */
function makeValue({ type, referenceTo, picklistValues }: DescribedField, n: number): unknown {
  if (n % 5 === 0) return null
  const day = `2026-0${1 + (n % 9)}-1${n % 9}`
  switch (type) {
    case 'boolean':
      return n % 2 === 0
    case 'reference':
      return at(
        referenceTo.flatMap((object) => samples.ids.get(object) ?? []),
        n,
      )
    case 'picklist':
      return at(picklistValues, n)?.value ?? 'X'
    case 'date':
      return day
    case 'datetime':
      return `${day}T1${n % 9}:00:00Z`
    case 'int':
    case 'double':
    case 'currency':
    case 'percent':
      return n % 10
    case 'email':
      return `a${n % 9}@example.com`
    default:
      return `Text ${n % 9}`
  }
}

/** Who may log in, and bytes, are not what this is about. */
const isVaried = (object: string, { type }: DescribedField) => object !== 'User' && type !== 'base64'

async function run({ kind, object: position, record, fields: chosen }: Operation): Promise<void> {
  const object = at([...samples.ids.keys()], position)!
  const ids = samples.ids.get(object)!
  const id = at(ids, record)
  const able = fields
    .get(object)!
    .filter((field) => (kind === 'create' ? field.createable : field.updateable) && isVaried(object, field))
  const values = chosen.flatMap(({ field, value }) => {
    const found = at(able, field)
    return found === undefined ? [] : [[found.name, makeValue(found, value)] as const]
  })
  const body = Object.fromEntries(values)
  if (kind === 'create') {
    const sample = samples.fields.get(object)
    const made = sample && (await send('POST', object, { ...sample, ...body }))
    if (made !== undefined) ids.push(made)
  } else if (kind === 'change') {
    if (id !== undefined && values.length > 0) await send('PATCH', `${object}/${id}`, body)
    // Some records stay: everything else refers to them.
  } else if (id !== undefined && ids.length > 3) await send('DELETE', `${object}/${id}`)
}

describe('what is derived', () => {
  test('is true where null is written to any field, of a new record or an old one', async () => {
    for (const [object, described] of fields) {
      for (const field of described.filter((one) => isVaried(object, one))) {
        const sample = samples.fields.get(object)
        const nothing = { [field.name]: null }
        const id = sample && ((await send('POST', object, sample)) ?? at(samples.ids.get(object)!, 0))
        if (field.createable && sample) await send('POST', object, { ...sample, ...nothing })
        if (field.updateable && id !== undefined) await send('PATCH', `${object}/${id}`, nothing)
      }
    }
    assert.deepEqual(await findDiffering(o), [])
  })

  test('is true after any writes to any objects, several at once', async () => {
    const groups = fc.array(fc.array(OPERATION, { minLength: 1, maxLength: 5 }), {
      minLength: 10,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(groups, async (listed) => {
        for (const group of listed) await Promise.all(group.map(run))
        assert.deepEqual(await findDiffering(o), [])
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})

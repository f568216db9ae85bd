import fc from 'fast-check'
import type { FiscalYear } from '../../../src/base/fiscal-year.ts'
import { makeRecordId } from '../../../src/base/record-id.ts'
import type { Field } from '../../../src/schema/fields/field.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import { loadSnapshot } from '../../../src/schema/snapshot/load-snapshot.ts'
import { requireObject } from '../../../src/schema/snapshot/snapshot.ts'
import { FIXTURE_SCHEMA } from '../../support/fixture-schema.ts'
import { openOrg, type TestOrg } from '../../support/org.ts'
import { setCalendar, writeRows } from '../../support/write-rows.sql.ts'
import { LOCATIONS, makeDomain } from './domains.ts'
import { knownFields } from './random-path.ts'
import { type Asker, type Row, type Value, World } from './world.ts'

/** An org full of random records, and the same records in memory. */
export interface Fixture {
  readonly o: TestOrg
  readonly world: World
  readonly asker: Asker
}

/** Half an hour past midnight on a Saturday in Oslo, when it is still Friday in UTC. */
const NOW = new Date('2024-11-22T23:30:00Z')
const TIME_ZONE = 'Europe/Oslo'
const FISCAL_YEARS: readonly FiscalYear[] = [
  { startMonth: 1, isNamedByStart: false },
  { startMonth: 4, isNamedByStart: false },
  { startMonth: 1, isNamedByStart: true },
  { startMonth: 4, isNamedByStart: true },
]
/** Locales and the first day of their weeks. */
const WEEKS = [
  ['en_US', 0],
  ['de_DE', 1],
  ['ar_EG', 6],
] as const
const PAGE_SIZE = 200

/** Each object after those that it points to; remarks fill more than a page. */
const COUNTS: readonly (readonly [object: string, count: number])[] = [
  ['User', 6],
  ['Group', 3],
  ['Bed__c', 60],
  ['Plant__c', 130],
  ['Leaf__c', 110],
  ['Remark__c', 230],
  ['Seed__c', 560],
]
/** That many seeds lie in the first bed: more than a page of children holds. */
const CROWD = 520
/** Beyond the ids that a server has given out. */
const FIRST_ID = 9_000_000

const isDeleted = (n: number) => n % 9 === 8

class FixtureBuilder {
  readonly rows = new Map<string, Row[]>()
  readonly #o: TestOrg
  readonly #seed: number

  constructor(o: TestOrg, seed: number) {
    this.#o = o
    this.#seed = seed
  }

  /** Rows with values for all fields that the platform does not make by itself. */
  make(object: ObjectType, count: number): readonly Row[] {
    const ids = Array.from({ length: count }, (_, n) => makeRecordId(object.keyPrefix, FIRST_ID + n))
    const living = ids.filter((_, n) => !object.custom || !isDeleted(n))
    const values = fc.record(
      Object.fromEntries(
        this.#columns(object).map((field) => [field.name, this.#values(field, object, living)]),
      ),
    )
    const made = fc.sample(values, { seed: this.#seed, numRuns: count }).map((row, n) => ({
      ...row,
      ...this.#fixed(object, n),
      Id: ids[n]!,
      IsDeleted: object.custom && isDeleted(n),
    }))
    this.rows.set(object.name, made)
    return made
  }

  #columns(object: ObjectType): Field[] {
    const known = knownFields(object)
    return object.fields.filter(
      (field) =>
        (field.system || known.includes(field)) &&
        field.column !== undefined &&
        field.type.name !== 'personname',
    )
  }

  #values(field: Field, object: ObjectType, living: readonly string[]): fc.Arbitrary<Value> {
    const { type, referenceTo } = field
    if (type.name === 'multipicklist') {
      // Chosen values stand in the order of their definition.
      const chosen = fc.subarray(field.picklist.map((entry) => entry.value))
      return chosen.map((values) => (values.length === 0 ? null : values.join(';')))
    }
    if (referenceTo.length === 0) return this.#orNull(field, fc.constantFrom<Value>(...makeDomain(field)))
    const targets = referenceTo.flatMap((name) => (name === object.name ? living : this.#living(name)))
    const given = targets.length === 0 ? fc.constant(null) : fc.constantFrom<Value>(...targets)
    if (field.system || field.name === 'OwnerId') {
      return fc.oneof(fc.constant(this.#o.userId), targets.length === 0 ? fc.constant(this.#o.userId) : given)
    }
    return this.#orNull(field, given)
  }

  #living(name: string): string[] {
    return (this.rows.get(name) ?? []).filter((row) => !row.IsDeleted).map((row) => String(row.Id))
  }

  #orNull(field: Field, values: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
    return field.nillable ? fc.option(values, { freq: 3 }) : values
  }

  /** Values without a free choice: names of people, unique keys, coordinates that belong together, the crowd of seeds. */
  #fixed({ name: object, fields }: ObjectType, n: number): Row {
    const fixed: Record<string, Value> = {}
    for (const { parts } of fields.filter((field) => field.type.name === 'location')) {
      const location = n % 4 === 0 ? [null, 1] : LOCATIONS[(n * 7) % LOCATIONS.length]!
      for (const [i, part] of parts.entries()) fixed[part.name] = location[i]!
    }
    if (object === 'User') {
      fixed.FirstName = n % 2 === 0 ? null : 'Ada'
      fixed.LastName = `user ${n % 3}`
      fixed.Name = n % 2 === 0 ? `user ${n % 3}` : `Ada user ${n % 3}`
      fixed.Username = `user${n}@example.com`
    }
    // Three spellings of each key.
    if (object === 'Plant__c') {
      fixed.Key__c = n % 4 === 0 ? null : `${['key', 'KEY', 'Key'][(n % 4) - 1]}${n >> 2}`
    }
    if (object === 'Seed__c' && n < CROWD) fixed.Bed__c = this.rows.get('Bed__c')![0]!.Id!
    return fixed
  }
}

/** The user that an org begins with, as far as queries of the tests see it. */
const firstUser = (id: string): Row => ({
  Id: id,
  IsDeleted: false,
  Username: 'admin@objectry.test',
  FirstName: null,
  LastName: 'Administrator',
  Name: 'Administrator',
  Alias: 'admin',
  Email: 'admin@objectry.test',
  IsActive: true,
})

export async function openFixture(seed: number): Promise<Fixture> {
  // The org opens today, for its session to last; then it is always the same day.
  let clock = () => new Date()
  const o = await openOrg({ clock: () => clock() })
  clock = () => NOW
  const fiscalYear = FISCAL_YEARS[seed % 4]!
  const [locale, weekStart] = WEEKS[seed % 3]!
  await setCalendar(o, TIME_ZONE, fiscalYear, locale)
  await o.deploy(FIXTURE_SCHEMA)
  const schema = await loadSnapshot(o.db, o.org)
  const fixtureBuilder = new FixtureBuilder(o, seed)
  for (const [name, count] of COUNTS) {
    const object = requireObject(schema, name)
    await writeRows(o, object, fixtureBuilder.make(object, count))
  }
  fixtureBuilder.rows.get('User')!.push(firstUser(o.userId))
  const asker: Asker = {
    userId: o.userId,
    now: NOW,
    timeZone: TIME_ZONE,
    fiscalYear,
    weekStart,
    deletedToo: false,
    pageSize: PAGE_SIZE,
  }
  return { o, world: new World(schema, fixtureBuilder.rows), asker }
}

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ingest } from './bulk.ts'
import { named, step } from './composite.ts'
import type { TestOrg } from './org.ts'

/**
 * Random writes, and what they tell, in memory: a list of what followers have to see. The writes of one call are told in some order, so
 * they are a group; the groups are in the order of the calls.
 */

const ACCOUNTS = '/data/AccountChangeEvent'
const ORDERS = '/event/Order_Placed__e'
export const CHANNELS = [ACCOUNTS, ORDERS] as const

/** What a write tells on a channel, in words that `factsOf` makes of an event too. */
interface Group {
  readonly channel: string
  readonly facts: readonly string[]
}

type Text = string | null

export type Write =
  | { readonly kind: 'create'; readonly text: Text }
  | { readonly kind: 'update'; readonly at: number; readonly text: Text }
  | { readonly kind: 'delete' | 'undelete'; readonly at: number }
  | { readonly kind: 'createSome' | 'bulk'; readonly texts: readonly Text[]; readonly wrong: boolean }
  | {
      readonly kind: 'updateSome'
      readonly at: readonly number[]
      readonly text: Text
      readonly wrong: boolean
      readonly allOrNone: boolean
    }
  | { readonly kind: 'composite'; readonly at: number; readonly text: Text; readonly wrong: boolean }
  | { readonly kind: 'publish'; readonly count: number; readonly wrong: boolean; readonly allOrNone: boolean }

const text: fc.Arbitrary<Text> = fc.constantFrom('a', 'b', null)
const texts = fc.array(text, { minLength: 1, maxLength: 4 })
const at = fc.nat(9)
const wrong = fc.boolean()
const allOrNone = fc.boolean()

export const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create'), text }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update'), at, text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('delete', 'undelete'), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('createSome'), texts, wrong }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('updateSome'),
      at: fc.uniqueArray(at, { minLength: 1, maxLength: 4 }),
      text,
      wrong,
      allOrNone,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('composite'), at, text, wrong }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('publish'),
      count: fc.integer({ min: 1, max: 3 }),
      wrong,
      allOrNone,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bulk'), texts, wrong }) },
) as fc.Arbitrary<Write>

interface Row {
  readonly id: string
  readonly Name: string
  Description: Text
  isDeleted: boolean
}

const changeFact = (type: string, id: string, values: object) => `${type} ${id} ${JSON.stringify(values)}`

/** What an event says, in words. */
// biome-ignore lint/suspicious/noExplicitAny: events of every channel
export function factsOf({ payload }: any): string[] {
  const { ChangeEventHeader: header, Name, Description, Number__c } = payload
  if (header === undefined) return [`PUBLISH ${Number__c}`]
  return header.recordIds.map((id: string) => changeFact(header.changeType, id, { Name, Description }))
}

const whole = ({ Name, Description }: Row) => (Description === null ? { Name } : { Name, Description })

/** Accounts, and what is told of them and of orders. */
export class EventsModel {
  readonly groups: Group[] = []
  readonly #o: TestOrg
  #rows: Row[] = []
  #count = 0

  constructor(o: TestOrg) {
    this.#o = o
  }

  /** Forgets the records, and not what was told of them. */
  begin(): void {
    this.#rows = []
  }

  /** Carries out a write, and notes what it has to tell. */
  async carryOut(one: Write): Promise<void> {
    const o = this.#o
    switch (one.kind) {
      case 'create': {
        const row = this.#makeRow(one.text)
        const made = await o.create('Account', whole(row))
        this.#created([{ ...row, id: made }])
        return
      }
      case 'update': {
        const row = this.#living(one.at)
        if (row === undefined) return
        const answer = await o.call('PATCH', `/sobjects/Account/${row.id}`, {
          body: { Description: one.text },
        })
        assert.equal(answer.status, 204, answer.text)
        this.#updated([row], one.text)
        return
      }
      case 'delete': {
        const row = this.#living(one.at)
        if (row === undefined) return
        const answer = await o.call('DELETE', `/sobjects/Account/${row.id}`)
        assert.equal(answer.status, 204, answer.text)
        row.isDeleted = true
        this.#tell(ACCOUNTS, [changeFact('DELETE', row.id, {})])
        return
      }
      case 'undelete': {
        const gone = this.#rows.filter(({ isDeleted }) => isDeleted)
        const row = gone[one.at % gone.length]
        if (row === undefined) return
        const answer = await o.call('POST', '/undelete', { body: { ids: [row.id] } })
        assert.equal(answer.status, 200, answer.text)
        row.isDeleted = false
        this.#tell(ACCOUNTS, [changeFact('UNDELETE', row.id, whole(row))])
        return
      }
      case 'createSome': {
        const rows = one.texts.map((some) => this.#makeRow(some))
        const records = rows.map((row) => ({ attributes: { type: 'Account' }, ...whole(row) }))
        const results = await this.#collection('POST', one.wrong ? [...records, NAMELESS] : records)
        this.#created(rows.map((row, n) => ({ ...row, id: results[n]!.id! })))
        return
      }
      case 'updateSome': {
        const rows = [...new Set(one.at.flatMap((n) => this.#living(n) ?? []))]
        if (rows.length === 0) return
        const records = rows.map(({ id }) => ({
          ...{ attributes: { type: 'Account' }, Id: id },
          Description: one.text,
        }))
        const all = one.wrong ? [...records, { ...records[0], Id: '001000000000000AAA' }] : records
        await this.#collection('PATCH', all, one.allOrNone)
        if (!(one.wrong && one.allOrNone)) this.#updated(rows, one.text)
        return
      }
      case 'composite': {
        const row = this.#makeRow(one.text)
        const other = this.#living(one.at)
        const steps = [
          step('POST', '/sobjects/Account', whole(row)),
          step('POST', '/sobjects/Order_Placed__e', { Number__c: row.Name }),
          ...(other === undefined
            ? []
            : [step('PATCH', `/sobjects/Account/${other.id}`, { Description: one.text })]),
          ...(one.wrong ? [step('POST', '/sobjects/Account', {})] : []),
        ]
        const answer = await o.call('POST', '/composite', {
          body: { allOrNone: true, compositeRequest: named(steps) },
        })
        assert.equal(answer.status, 200, answer.text)
        if (one.wrong) return
        this.#created([{ ...row, id: answer.body.compositeResponse[0].body.id }])
        this.#tell(ORDERS, [`PUBLISH ${row.Name}`])
        if (other !== undefined) this.#updated([other], one.text)
        return
      }
      case 'publish': {
        const numbers = Array.from({ length: one.count }, () => `O ${++this.#count}`)
        const records: object[] = numbers.map((Number__c) => ({ attributes: ORDER, Number__c }))
        await this.#collection(
          'POST',
          one.wrong ? [...records, { attributes: ORDER }] : records,
          one.allOrNone,
        )
        if (one.wrong && one.allOrNone) return
        this.#tell(
          ORDERS,
          numbers.map((number) => `PUBLISH ${number}`),
        )
        return
      }
      case 'bulk': {
        const rows = one.texts.map((some) => this.#makeRow(some))
        const lines = rows.map(({ Name, Description }) => `${Name},${Description ?? ''}`)
        const csv = ['Name,Description', ...lines, ...(one.wrong ? ['"",x'] : [])].join('\n')
        const job = await ingest(o, { object: 'Account', operation: 'insert' }, `${csv}\n`)
        assert.equal(job.state, 'JobComplete')
        const names = rows.map(({ Name }) => `'${Name}'`).join()
        const query = `SELECT Id, Name FROM Account WHERE Name IN (${names})`
        const found = await o.call('GET', `/query?q=${encodeURIComponent(query)}`)
        const ids = new Map<string, string>(
          found.body.records.map(({ Id, Name }: { Id: string; Name: string }) => [Name, Id]),
        )
        this.#created(rows.map((row) => ({ ...row, id: ids.get(row.Name)! })))
      }
    }
  }

  #makeRow(Description: Text): Row {
    return { id: '', Name: `A ${++this.#count}`, Description, isDeleted: false }
  }

  #living(n: number): Row | undefined {
    const living = this.#rows.filter(({ isDeleted }) => !isDeleted)
    return living[n % living.length]
  }

  #tell(channel: string, facts: readonly string[]): void {
    if (facts.length > 0) this.groups.push({ channel, facts: facts.toSorted() })
  }

  #created(rows: readonly Row[]): void {
    this.#rows.push(...rows)
    this.#tell(
      ACCOUNTS,
      rows.map((row) => changeFact('CREATE', row.id, whole(row))),
    )
  }

  /** Of records that have the value already nothing is told. */
  #updated(rows: readonly Row[], Description: Text): void {
    const changed = rows.filter((row) => row.Description !== Description)
    for (const row of changed) row.Description = Description
    this.#tell(
      ACCOUNTS,
      changed.map(({ id }) => changeFact('UPDATE', id, { Description })),
    )
  }

  async #collection(
    method: string,
    records: readonly object[],
    together = false,
  ): Promise<readonly { readonly id?: string }[]> {
    const answer = await this.#o.call(method, '/composite/sobjects', {
      body: { allOrNone: together, records },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
}

const NAMELESS = { attributes: { type: 'Account' } }
const ORDER = { type: 'Order_Placed__e' }

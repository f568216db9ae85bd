import type { Client } from './client.ts'
import type { Load } from './load.ts'
import type { Tenants } from './tenants.ts'
import type { Effect, WriteBook } from './write-book.ts'

/** Untruths that clients were told. */
export interface Losses {
  /** Writes that were acknowledged and are not there. */
  readonly lost: string[]
  /** Atomic composites of which a part is there. */
  readonly torn: string[]
  /** Writes that were refused and are there, and records that are there twice. */
  readonly wrong: string[]
}

interface Row {
  readonly Id: string
  readonly Key__c: string
  readonly Count__c?: number
}

const READ_LIMIT_MS = 60_000

/** All records of a load in an object. */
async function readRows(client: Client, object: string, prefix: string, fields: string): Promise<Row[]> {
  const rows: Row[] = []
  const first = `SELECT ${fields} FROM ${object} WHERE Key__c LIKE '${prefix}%'`
  for (let path: string | undefined = `/query?q=${encodeURIComponent(first)}`; path !== undefined; ) {
    const answer = await client.call('GET', path)
    if (!answer.isOk) throw new Error(`${object} cannot be read back: ${answer.label} ${answer.text}`)
    rows.push(...answer.body.records)
    path = answer.body.nextRecordsUrl
  }
  return rows
}

function compare(
  what: string,
  effects: ReadonlyMap<string, Effect>,
  keys: ReadonlySet<string>,
  losses: Losses,
) {
  for (const [key, effect] of effects) {
    if (effect === 'done' && !keys.has(key)) losses.lost.push(`${what} ${key}`)
    if (effect === 'refused' && keys.has(key)) losses.wrong.push(`${what} ${key} was refused and is there`)
  }
}

function collectKeys(rows: readonly Row[], losses: Losses): Set<string> {
  const keys = new Set<string>()
  for (const { Key__c } of rows) {
    if (keys.has(Key__c)) losses.wrong.push(`${Key__c} is there twice`)
    keys.add(Key__c)
  }
  return keys
}

/** Reads everything that a load has written and compares it with what it was told. */
export async function readBack(load: Load, { first, second }: Tenants): Promise<Losses> {
  const losses: Losses = { lost: [], torn: [], wrong: [] }
  const home = first.client(READ_LIMIT_MS)
  const loads = await readRows(home, 'Load__c', load.prefix, 'Id, Key__c, Count__c')
  const inLoads = collectKeys(loads, losses)
  const inParts = collectKeys(await readRows(home, 'Part__c', load.prefix, 'Id, Key__c'), losses)
  const elsewhere = await readRows(second.client(READ_LIMIT_MS), 'Load__c', load.prefix, 'Id, Key__c')
  const check = (what: string, book: WriteBook, keys: ReadonlySet<string>) =>
    compare(what, book.effects, keys, losses)
  check('record', load.created, inLoads)
  check('record', load.parts, inParts)
  check('record of the second org', load.elsewhere, collectKeys(elsewhere, losses))
  check('pair', load.pairs, inLoads)
  for (const key of load.pairs.effects.keys()) {
    if (inLoads.has(key) !== inParts.has(key)) losses.torn.push(key)
  }
  const values = new Map(loads.map(({ Id, Count__c }) => [Id, Count__c!]))
  for (const id of load.counters.ids) {
    const value = values.get(id)
    if (value === undefined) losses.lost.push(`counter ${id}`)
    else {
      const verdict = load.counters.judge(id, value)
      if (verdict !== undefined) losses[verdict].push(`counter ${id}: ${value}`)
    }
  }
  return losses
}

import type { Subrequest } from './composite.ts'
import { step } from './composite.ts'

/**
 * Random composites on a table of records with a unique key and a text, and the same in memory: a small model
 * that the real table is compared with.
 */

/** A record of before, or what an earlier step created. */
export type Target = { readonly record: number } | { readonly step: number }
/** A text as it is, or one that an earlier step read. */
export type Text = { readonly text: string } | { readonly step: number }

export type Operation =
  | { readonly kind: 'create' | 'upsert'; readonly key: string; readonly text: Text }
  | { readonly kind: 'update'; readonly target: Target; readonly text: Text }
  | { readonly kind: 'delete' | 'read'; readonly target: Target }
  | { readonly kind: 'query'; readonly text: Text }
  | { readonly kind: 'wrong' }

const idOf = (target: Target, ids: readonly string[]) =>
  'record' in target ? ids[target.record]! : `@{r${target.step + 1}.id}`

const textOf = (text: Text) => ('text' in text ? text.text : `@{r${text.step + 1}.Text__c}`)

/** A query as a careful client writes it: quotes and backslashes escaped, references left to the server. */
const literalOf = (text: Text) => ('text' in text ? text.text.replaceAll(/[\\']/g, '\\$&') : textOf(text))

/** The operation as a step. @param ids of the records of before */
export function makeSubrequest(operation: Operation, ids: readonly string[]): Subrequest {
  switch (operation.kind) {
    case 'create':
      return step('POST', '/sobjects/Specimen__c', { Key__c: operation.key, Text__c: textOf(operation.text) })
    case 'upsert':
      return step('PATCH', `/sobjects/Specimen__c/Key__c/${operation.key}`, {
        Text__c: textOf(operation.text),
      })
    case 'update':
      return step('PATCH', `/sobjects/Specimen__c/${idOf(operation.target, ids)}`, {
        Text__c: textOf(operation.text),
      })
    case 'delete':
      return step('DELETE', `/sobjects/Specimen__c/${idOf(operation.target, ids)}`)
    case 'read':
      return step('GET', `/sobjects/Specimen__c/${idOf(operation.target, ids)}`)
    case 'query': {
      const soql = `SELECT Id FROM Specimen__c WHERE Text__c = '${literalOf(operation.text)}'`
      return step('GET', `/query?q=${encodeURIComponent(soql)}`)
    }
    case 'wrong':
      return step('POST', '/sobjects/Specimen__c', { Nothing__c: 1 })
  }
}

export interface ModelRecord {
  readonly key: string
  text: string
  alive: boolean
}

/** The outcome of a step: its status, and the record that later ones may refer to. */
interface Left {
  readonly status: number
  readonly record?: ModelRecord
  readonly text?: string
  readonly found?: number
}

class Model {
  readonly records: ModelRecord[]
  readonly lefts: Left[] = []

  constructor(records: readonly ModelRecord[]) {
    this.records = records.map((record) => ({ ...record }))
  }

  run(operation: Operation): Left {
    const target = 'target' in operation ? this.#target(operation.target) : undefined
    const text = 'text' in operation ? this.#text(operation.text) : ''
    if (operation.kind === 'wrong' || target === 'nothing' || text === undefined) return { status: 400 }
    switch (operation.kind) {
      case 'create':
      case 'upsert': {
        const holder = this.records.find(({ key, alive }) => alive && key === operation.key)
        if (holder === undefined) {
          const record = { key: operation.key, text, alive: true }
          this.records.push(record)
          return { status: 201, record }
        }
        if (operation.kind === 'create') return { status: 400 }
        holder.text = text
        return { status: 200, record: holder }
      }
      case 'query': {
        const same = this.records.filter((record) => record.alive && record.text === text)
        return { status: 200, found: same.length }
      }
      default:
        if (!target!.alive) return { status: 404 }
        if (operation.kind === 'read') return { status: 200, text: target!.text }
        if (operation.kind === 'update') target!.text = text
        else target!.alive = false
        return { status: 204 }
    }
  }

  #target(target: Target): ModelRecord | 'nothing' {
    if ('record' in target) return this.records[target.record]!
    return this.lefts[target.step]?.record ?? 'nothing'
  }

  #text(text: Text): string | undefined {
    return 'text' in text ? text.text : this.lefts[text.step]?.text
  }
}

export interface Expected {
  readonly statuses: readonly number[]
  /** How many records the queries find; undefined for other steps, and for those that did not succeed. */
  readonly found: readonly (number | undefined)[]
  readonly records: readonly ModelRecord[]
}

/** Returns the outcome that a composite must have. */
export function expect(
  before: readonly ModelRecord[],
  operations: readonly Operation[],
  allOrNone: boolean,
): Expected {
  const model = new Model(before)
  for (const operation of operations) model.lefts.push(model.run(operation))
  const { lefts, records } = model
  const failed = lefts.findIndex(({ status }) => status >= 400)
  if (!allOrNone || failed < 0) {
    return { statuses: lefts.map(({ status }) => status), found: lefts.map(({ found }) => found), records }
  }
  return {
    statuses: lefts.map(({ status }, index) => (index === failed ? status : 400)),
    found: lefts.map(() => undefined),
    records: before,
  }
}

import type { Reading } from '../schema/record-shape.sql.ts'
import type { Row } from '../storage/db.ts'
import type { Page } from './page.ts'

/** What a reader needs beyond the row. */
export interface NodeReading extends Reading {
  /** The page that each connection of the statement was asked for. */
  readonly pages: ReadonlyMap<object, Page>
}

/** Reads one member of a result from a row. */
export type Read = (row: Row, reading: NodeReading) => unknown

/** An object with the asked members in their order. */
export function readObject(members: readonly (readonly [string, Read])[]): Read {
  // Every object starts as a copy of one: all of them have one layout, which is faster to fill and to write.
  const blank: Record<string, unknown> = Object.fromEntries(members.map(([key]) => [key, null]))
  const keys = members.map(([key]) => key)
  const reads = members.map(([, read]) => read)
  if (members.length === 1) {
    const [key] = keys as [string]
    const [read] = reads as [Read]
    return (row, reading) => ({ [key]: read(row, reading) })
  }
  return (row, reading) => {
    const object = { ...blank }
    for (let i = 0; i < keys.length; i++) object[keys[i]!] = reads[i]!(row, reading)
    return object
  }
}

export const constant =
  (value: unknown): Read =>
  () =>
    value

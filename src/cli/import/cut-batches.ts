import type { SourceRow } from './source-row.ts'
import { countRecords, mentionsIn, namesIn } from './tree-references.ts'

/** Rows that travel together and are written in one transaction. */
export interface Batch {
  /** The first one is 1. */
  readonly number: number
  readonly object: string
  readonly rows: readonly SourceRow[]
}

/** How many records a row stands for, and what it has to do with others. */
interface Weight {
  readonly records: number
  readonly names: readonly string[]
  readonly mentions: readonly string[]
}

const ONE: Weight = { records: 1, names: [], mentions: [] }

const weightOfTree = ({ record }: SourceRow): Weight => ({
  records: countRecords(record),
  names: namesIn(record),
  mentions: mentionsIn(record),
})

/**
 * Cuts rows into batches of at most `size` records, always at the same places. A tree that refers to another one by
 * its name stands in a later batch than that one.
 * @param object what rows are of that do not say it themselves: those do not come as trees
 */
export async function* cutBatches(
  rows: AsyncIterable<SourceRow>,
  size: number,
  object: string | undefined,
): AsyncGenerator<Batch> {
  let number = 0
  let batch: SourceRow[] = []
  let records = 0
  let names = new Set<string>()
  let current = object ?? ''
  const cut = (): Batch => {
    const done = { number: ++number, object: current, rows: batch }
    batch = []
    records = 0
    names = new Set()
    return done
  }
  for await (const row of rows) {
    const isTree = row.object !== undefined
    const weight = isTree ? weightOfTree(row) : ONE
    const fits =
      records + weight.records <= size &&
      (!isTree || (row.object === current && row.link === batch[0]?.link)) &&
      !weight.mentions.some((name) => names.has(name))
    if (batch.length > 0 && !fits) yield cut()
    current = row.object ?? current
    for (const name of weight.names) names.add(name)
    batch.push(row)
    records += weight.records
  }
  if (batch.length > 0) yield cut()
}

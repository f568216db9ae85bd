import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import { startProgress } from '../result/progress.ts'
import { countText } from '../result/terminal-text.ts'
import { type Batch, cutBatches } from './cut-batches.ts'
import type { ProgressFile, Reached } from './progress-file.ts'
import { getReference, type ResultsFile, type RowResult } from './results-file.ts'
import { type Sending, sendBatches } from './send-batches.ts'
import type { SourceFile } from './source-file.ts'
import type { SourceRow } from './source-row.ts'

/** An import that is ready to be carried out. */
export interface Import {
  readonly files: readonly SourceFile[]
  readonly rows: AsyncIterable<SourceRow>
  readonly object: string | undefined
  readonly batchSize: number
  readonly sending: Sending
  /** Names of records in trees, which later ones refer to. */
  readonly references: Map<string, string>
  readonly results: ResultsFile
  /** Undefined: what is read cannot be read again, so nobody can go on. */
  readonly progress: ProgressFile | undefined
  /** Where it starts. */
  readonly reached: Reached
}

async function* beyond(batches: AsyncIterable<Batch>, number: number): AsyncGenerator<Batch> {
  for await (const batch of batches) if (batch.number > number) yield batch
}

/** Tells of links only that a row that is written lacks a reference, and nothing of rows that were refused before. */
const tellLinks = (rows: readonly RowResult[], references: ReadonlyMap<string, string>): RowResult[] =>
  rows.flatMap(({ row, result }) => {
    if (row.link === undefined) return [{ row, result }]
    const id = references.get(getReference(row))
    const isTold = id !== undefined && (!result.success || row.link === 'earlier')
    return isTold ? [{ row, result: { ...result, id, created: false } }] : []
  })

/** How much of the files there is; undefined when one of them does not tell. */
function sumSizes(files: readonly SourceFile[]): number | undefined {
  return files.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
}

/**
 * Writes all rows that are not written yet. What is written is noted batch by batch, first its results and then how far
 * that is.
 * @param tell is told how far it has come, whatever happens then
 */
export async function importRows(
  terminal: Terminal,
  org: ReachedOrg,
  work: Import,
  signal: AbortSignal,
  report: (reached: Reached) => void,
): Promise<void> {
  const { files, results, progress, references, sending } = work
  const batches = cutBatches(work.rows, work.batchSize, work.object)
  const taken = () => files.reduce((sum, file) => sum + file.taken(), 0)
  let { reached } = work
  // Rows that were written before are skipped quickly: they do not count for the remaining time.
  const words = (count: number) => `${countText(count)} rows`
  const showFrom = (start: number) => startProgress(terminal, { total: sumSizes(files), start, words })
  let bar = reached.batches === 0 ? showFrom(0) : undefined
  let count = 0
  try {
    for await (const { batch, rows } of sendBatches(org, beyond(batches, reached.batches), sending, signal)) {
      for (const { result } of rows) {
        for (const [name, id] of Object.entries(result.references ?? {})) references.set(name, id)
      }
      const counted = rows.filter(({ row }) => row.link !== 'now').length
      const told = tellLinks(rows, references)
      const refused = told.filter(({ result }) => !result.success).length
      reached = {
        batches: batch.number,
        // A tree may come later than it stands.
        row: Math.max(reached.row, rows.at(-1)!.row.row),
        written: reached.written + counted - refused,
        refused: reached.refused + refused,
        size: await results.add(told),
      }
      await progress?.note(reached)
      report(reached)
      count += counted
      bar ??= showFrom(taken())
      bar.reach(taken(), count)
    }
    signal.throwIfAborted()
    await readBody(org.call('DELETE', `/setup/orgs/current/imports/${sending.job}`))
    await progress?.finish()
  } finally {
    bar?.stop()
    await results.close()
    await progress?.close()
  }
}

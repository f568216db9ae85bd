import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { spareMemory } from '../../base/spare-memory.ts'
import { UsageError } from '../command/exit-codes.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import { configFrom } from '../command/setting-flags.ts'
import type { Terminal } from '../command/terminal.ts'
import { describeOnce } from '../reach/described-object.ts'
import { reachOrg } from '../reach/reach-org.ts'
import { countText } from '../result/terminal-text.ts'
import { findSources } from './find-sources.ts'
import { checkFlags, type ImportFlags } from './import-flags.ts'
import { importRows } from './import-rows.ts'
import { openProgress } from './open-progress.ts'
import { orderTrees } from './order-trees.ts'
import { readRows } from './read-rows.ts'
import { fillRecordTypes } from './record-types.ts'
import { type Earlier, ResultsFile, readResults } from './results-file.ts'
import { STDIN } from './source-file.ts'
import type { SourceRow } from './source-row.ts'
import { reportSummary } from './tell-summary.ts'
import { fillReferences } from './tree-references.ts'

/** The command line of an import. */
interface ImportLine {
  readonly path: string
  readonly flags: ImportFlags
  /** Everything that is typed behind `objectry`. */
  readonly args: readonly string[]
}

/** `accounts.csv.results.csv`; of a retry `accounts.csv.results-2.csv`, of a retry of that one `-3`. */
function getResultsPath(path: string, { results, retry }: ImportFlags): string {
  if (results !== undefined) return results
  if (retry === undefined) return `${path === STDIN ? 'import' : path}.results.csv`
  const [, name, number] = /^(.*?)(?:-(\d+))?(?:\.csv)?$/s.exec(retry)!
  return `${name}-${Number(number ?? 1) + 1}.csv`
}

/** Rows to try again; undefined to try all. */
async function readEarlier({ retry }: ImportFlags, resultsPath: string): Promise<Earlier | undefined> {
  if (retry === undefined) return undefined
  if (statSync(retry, { throwIfNoEntry: false }) === undefined) throw new Error(`There is no file ${retry}.`)
  if (resolve(retry) === resolve(resultsPath)) {
    throw new UsageError('The results of a retry need a file of their own: --results')
  }
  return readResults(retry)
}

async function* only(rows: AsyncIterable<SourceRow>, wanted: ReadonlySet<number>): AsyncGenerator<SourceRow> {
  for await (const row of rows) if (wanted.has(row.row)) yield row
}

async function importSparely(
  terminal: Terminal,
  { path, flags, args }: ImportLine,
  signal: AbortSignal,
): Promise<void> {
  const config = configFrom(terminal, flags)
  const sources = findSources(path, flags.format, terminal.stdin)
  checkFlags(flags, sources.format)
  const resultsPath = getResultsPath(path, flags)
  const earlier = await readEarlier(flags, resultsPath)
  const org = await reachOrg(terminal, config, { org: flags.org, writes: true })
  try {
    const all = fillRecordTypes(await readRows(org, sources, flags), org, flags.object)
    const opened = await openProgress(terminal, org, sources, flags, config, resultsPath)
    const { progress, reached: start } = opened
    if (opened.finished) {
      terminal.stderr.write(
        `${path} was imported already, so nothing is done. To write its rows once more: --restart\n`,
      )
      return reportSummary(terminal, { path, args, results: resultsPath }, start)
    }
    const references = new Map(earlier?.references)
    const isTree = sources.format === 'tree'
    const wanted = earlier === undefined ? all : only(all, earlier.refused)
    const order = {
      describe: describeOnce(org),
      known: references.keys(),
      unlinked: earlier?.unlinked ?? new Set(),
    }
    let reached = start
    try {
      await importRows(
        terminal,
        org,
        {
          files: sources.files,
          rows: isTree ? orderTrees(wanted, order) : wanted,
          object: flags.object,
          batchSize: flags.batch,
          sending: {
            job: progress?.job ?? randomUUID(),
            operation: isTree ? 'tree' : flags.operation,
            key: flags.key,
            // A tree may refer to one in an earlier batch.
            parallel: isTree ? 1 : flags.parallel,
            fill: isTree ? (record) => fillReferences(record, references) : (record) => record,
          },
          references,
          results: await ResultsFile.open(resultsPath, start.size, {
            creates: flags.operation !== 'update',
            trees: isTree,
          }),
          progress,
          reached: start,
        },
        signal,
        (now) => {
          reached = now
        },
      )
    } catch (error) {
      const goOn = progress === undefined ? '' : ' Run the same command again to go on.'
      const hint = `Stopped after row ${countText(reached.row)}.${goOn}`
      if (error !== signal.reason) throw new Error(`${getErrorMessage(error)}\n${hint}`, { cause: error })
      terminal.stderr.write(`${hint}\n`)
      throw error
    }
    reportSummary(terminal, { path, args, results: resultsPath }, reached)
  } finally {
    await org.close()
  }
}

/**
 * Carries out `objectry import` from its flags to its summary.
 * @throws Error with a message for the person at the terminal, also when some rows were refused
 */
export async function importFile(terminal: Terminal, line: ImportLine, signal: AbortSignal): Promise<void> {
  const stopSparing = spareMemory()
  try {
    await importSparely(terminal, line, signal)
  } finally {
    stopSparing()
  }
}

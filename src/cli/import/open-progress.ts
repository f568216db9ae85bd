import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Terminal } from '../command/terminal.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import { countText } from '../result/terminal-text.ts'
import type { Sources } from './find-sources.ts'
import type { ImportFlags } from './import-flags.ts'
import {
  filePrint,
  findEarlier,
  NOTHING,
  ProgressFile,
  type Reached,
  type Undertaking,
} from './progress-file.ts'
import { STDIN } from './source-file.ts'

/**
 * Where the rows go, so that nobody goes on in another database, or in an org that was put back meanwhile. No secret is in
 * it.
 */
async function findLocation(org: ReachedOrg, { databaseUrl, data }: Config): Promise<string> {
  type Location = { readonly id: string; readonly epoch: number }
  const { id, epoch } = await readBody<Location>(org.call('GET', '/setup/orgs/current'))
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl)
  const where = url === undefined ? resolve(data) : `${url.host}${url.pathname}`
  return createHash('sha256').update(`${where} ${id} ${epoch}`).digest('hex')
}

function makeUndertaking({ format, files }: Sources, flags: ImportFlags, location: string): Undertaking {
  const { object, operation, key, map, batch, delimiter, null: nullText, emptyAsNull, retry } = flags
  const { safeForSpreadsheets, dates, decimal, booleans } = flags
  const options = {
    ...{ format, object, operation, key, map, delimiter, nullText, emptyAsNull, retry },
    ...{ safeForSpreadsheets, dates, decimal, booleans },
  }
  return {
    files: [...files.map(({ name }) => name), ...(retry === undefined ? [] : [retry])].map(filePrint),
    // As they come back from the note.
    options: JSON.parse(JSON.stringify(options)),
    batch,
    location,
  }
}

/** How far the import is, and where that is noted; nowhere for what cannot be read again. */
export interface OpenProgress {
  readonly progress: ProgressFile | undefined
  readonly reached: Reached
  /** There is nothing left to do. */
  readonly finished: boolean
}

/**
 * Begins an import, or goes on with one that was interrupted.
 * @param resultsPath beside which it is noted how far it is
 * @throws Error when there is one that cannot go on
 */
export async function openProgress(
  { stderr }: Terminal,
  org: ReachedOrg,
  sources: Sources,
  flags: ImportFlags,
  config: Config,
  resultsPath: string,
): Promise<OpenProgress> {
  if (sources.files.some(({ name, size }) => name === STDIN || size === undefined)) {
    return { progress: undefined, reached: NOTHING, finished: false }
  }
  const path = `${resultsPath.replace(/\.csv$/, '')}.progress`
  const undertaking = makeUndertaking(sources, flags, await findLocation(org, config))
  const resultsSize = statSync(resultsPath, { throwIfNoEntry: false })?.size ?? 0
  const earlier = findEarlier(path, undertaking, resultsSize)
  // Of an import that came to its end another one is a new one, and so is one whose results somebody threw away.
  const isOver = earlier?.finished && (earlier.obstacle !== undefined || resultsSize === 0)
  if (earlier === undefined || isOver || flags.restart) {
    if (earlier !== undefined)
      await readBody(org.call('DELETE', `/setup/orgs/current/imports/${earlier.job}`))
    return { progress: await ProgressFile.begin(path, undertaking), reached: NOTHING, finished: false }
  }
  const { reached, finished, obstacle } = earlier
  if (obstacle !== undefined) {
    throw new Error(
      `An import of this file stopped after row ${countText(reached.row)} and cannot go on: ${obstacle} (${path}). With --restart it starts at the first row again, also with those that are written already.`,
    )
  }
  if (finished) return { progress: undefined, reached, finished }
  // Later trees refer to results of earlier ones: those are read again, and nothing is written.
  const from = sources.format === 'tree' ? NOTHING : reached
  if (reached.batches > 0) {
    stderr.write(
      `Going on after row ${countText(reached.row)} (${countText(reached.written)} written, ${countText(reached.refused)} refused).\n`,
    )
  }
  return { progress: await ProgressFile.goOn(path, { ...earlier, reached: from }), reached: from, finished }
}

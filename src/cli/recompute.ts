import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import type { Checked, Recomputed } from '../automation/rules/recompute.ts'
import type { QueryResult } from '../soql/run-query.ts'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, jsonText, outcomeText } from './result/outcome.ts'
import { startProgress } from './result/progress.ts'
import { countText } from './result/terminal-text.ts'
import type { WorkContext } from './work/work-command.ts'

async function fetchCount(org: ReachedOrg, object: string): Promise<number> {
  const parameters = new URLSearchParams({ q: `SELECT COUNT() FROM ${object}` })
  return (await readBody<QueryResult>(org.call('GET', `/query?${parameters}`))).totalSize
}

/** Sends one part after the other, with the progress; a part that was done stays done. */
async function* eachPart<Part extends Recomputed | Checked>(
  org: ReachedOrg,
  object: string,
  check: boolean,
  { terminal, signal }: WorkContext,
): AsyncGenerator<Part> {
  const total = await fetchCount(org, object)
  const words = (count: number) => `${object}: ${countText(count)} of ${countText(total)} records`
  const progress = startProgress(terminal, { total, words })
  let done = 0
  try {
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      await setImmediate()
      signal.throwIfAborted()
      const body = { object, ...(check && { check }), ...(after !== undefined && { after }) }
      const part = await readBody<Part>(org.call('POST', '/setup/orgs/current/recompute', body))
      for (const { id, message } of part.refused) terminal.stderr.write(`${id}: ${message}\n`)
      done += part.records
      progress.reach(done, done)
      after = part.next
      yield part
    }
  } finally {
    progress.stop()
  }
}

/** How many records of an object were looked at, how many have other values, how many contradict themselves. */
interface Counts {
  readonly object: string
  readonly records: number
  readonly differing: number
  readonly refused: number
}

async function recomputeAll(org: ReachedOrg, object: string, context: WorkContext): Promise<Counts> {
  let [done, refused] = [0, 0]
  for await (const part of eachPart<Recomputed>(org, object, false, context)) {
    done += part.records
    refused += part.refused.length
  }
  return { object, records: done, differing: 0, refused }
}

async function recomputeOne(org: ReachedOrg, object: string, flags: Flags, context: WorkContext) {
  const counts = await recomputeAll(org, object, context)
  const { records, refused } = counts
  const text = `${countText(records - refused)} of ${countText(records)} records are computed.\n`
  context.terminal.stdout.write(outcomeText({ text, answer: counts }, flags))
  if (refused > 0) throw new Error(`${countText(refused)} were refused: mend them, and run it again.`)
}

/** Compares the records of an object. */
async function checkAll(org: ReachedOrg, object: string, context: WorkContext): Promise<Counts> {
  let [done, differing, refused] = [0, 0, 0]
  for await (const part of eachPart<Checked>(org, object, true, context)) {
    for (const { id, fields } of part.differing)
      context.terminal.stderr.write(`${id}: ${fields.join(', ')}\n`)
    done += part.records
    differing += part.differing.length
    refused += part.refused.length
  }
  return { object, records: done, differing, refused }
}

async function listObjects(org: ReachedOrg): Promise<readonly string[]> {
  const { objects } = await readBody<{ objects: string[] }>(org.call('GET', '/setup/orgs/current/recompute'))
  return objects
}

async function check(
  org: ReachedOrg,
  named: string | undefined,
  flags: Flags,
  context: WorkContext,
): Promise<void> {
  const { stdout } = context.terminal
  const isJson = flags.json === true
  const answer: Counts[] = []
  let [differing, refused] = [0, 0]
  for (const object of named === undefined ? await listObjects(org) : [named]) {
    const counts = await checkAll(org, object, context)
    answer.push(counts)
    differing += counts.differing
    refused += counts.refused
    const { records } = counts
    if (!isJson)
      stdout.write(`${object}: ${countText(counts.differing)} of ${countText(records)} records differ.\n`)
  }
  if (isJson) stdout.write(jsonText(answer))
  else if (refused > 0)
    stdout.write(`${countText(refused)} contradict themselves: a write would be refused for them.\n`)
  if (differing > 0)
    throw new Error(`${countText(differing)} differ: objectry recompute <object> sets what they should have.`)
}

interface RecomputeFlags extends Flags {
  readonly check?: boolean
}

async function recompute(
  terminal: Terminal,
  object: string | undefined,
  flags: RecomputeFlags,
): Promise<void> {
  await runCommand(terminal, async (signal) => {
    if (object === undefined && flags.check !== true)
      throw new UsageError(
        'Name the object whose records are to be computed, or compare those of all with --check.',
      )
    const org = await reachOrg(terminal, configFrom(terminal, flags), { org: flags.org, writes: true })
    try {
      if (flags.check === true) await check(org, object, flags, { terminal, signal })
      else await recomputeOne(org, object!, flags, { terminal, signal })
    } finally {
      await org.close()
    }
  })
}

/** `objectry recompute Project__c`: what records derive that were there before their rules. */
export function recomputeCommand(terminal: Terminal): Command {
  const command = new Command('recompute')
    .description('Compute again what records derive that were there before their rules.')
    .argument('[object]', 'all of them with --check')
    .option('--check', 'write nothing; tell which records have other values than the computed ones')
  return addOrgFlags(addJsonFlag(command), ['deployment', 'statementSeconds']).action(
    (object: string | undefined, flags: RecomputeFlags) => recompute(terminal, object, flags),
  )
}

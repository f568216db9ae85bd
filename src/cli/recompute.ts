import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import type { Recomputed } from '../deployment/rules/recompute.ts'
import type { QueryResult } from '../soql/run-query.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { countText } from './result/count-text.ts'
import { startProgress } from './result/progress.ts'

async function fetchCount(org: ReachedOrg, object: string): Promise<number> {
  const parameters = new URLSearchParams({ q: `SELECT COUNT() FROM ${object}` })
  return (await readBody<QueryResult>(org.call('GET', `/query?${parameters}`))).totalSize
}

/** Computes one part after the other; a part that was done stays done. */
async function recomputeAll(org: ReachedOrg, object: string, signal: AbortSignal): Promise<void> {
  const total = await fetchCount(org, object)
  const words = (count: number) => `${countText(count)} of ${countText(total)} records`
  const progress = startProgress({ total, words })
  let [done, refused] = [0, 0]
  try {
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      await setImmediate()
      signal.throwIfAborted()
      const body = { object, ...(after !== undefined && { after }) }
      const part = await readBody<Recomputed>(org.call('POST', '/setup/orgs/current/recompute', body))
      for (const { id, message } of part.refused) process.stderr.write(`${id}: ${message}\n`)
      done += part.records
      refused += part.refused.length
      progress.reach(done, done)
      after = part.next
    }
  } finally {
    progress.stop()
  }
  process.stdout.write(`${countText(done - refused)} of ${countText(done)} records are computed.\n`)
  if (refused > 0) throw new Error(`${countText(refused)} were refused: mend them, and run it again.`)
}

async function recompute(object: string, flags: Flags): Promise<void> {
  await runCommand(async (signal) => {
    const org = await reachOrg(configFrom(flags), { org: flags.org, writes: true })
    try {
      await recomputeAll(org, object, signal)
    } finally {
      await org.close()
    }
  })
}

/** `objectry recompute Project__c`: computed fields of records that were there before them. */
export function recomputeCommand(): Command {
  const command = new Command('recompute')
    .description('Compute the fields of records anew that were there before their rules.')
    .argument('<object>')
  return addOrgFlags(command, ['deployment', 'statementSeconds']).action(recompute)
}

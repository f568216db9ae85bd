import { Command } from 'commander'
import { CommandEnd } from '../command/exit-codes.ts'
import { runCommand } from '../command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from '../command/setting-flags.ts'
import type { Terminal } from '../command/terminal.ts'
import { reachOrg } from '../reach/reach-org.ts'
import type { Reach, ReachedOrg } from '../reach/reached-org.ts'
import { addJsonFlag, type Outcome, outcomeText } from '../result/outcome.ts'
import { type Replayable, replay } from './replay.ts'

/** The surroundings of a command's work, and the signal that stops it. */
export interface WorkContext {
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Runs a command in an org and returns what it prints; a text alone if the API answers nothing. */
export type Work = (org: ReachedOrg, flags: Flags, context: WorkContext) => Promise<Outcome | string>

/** Carries out a command in the org that its flags name. */
export async function workIn(
  terminal: Terminal,
  flags: Flags,
  reach: Omit<Reach, 'org'>,
  work: Work,
): Promise<void> {
  await runCommand(terminal, async (signal) => {
    const org = await reachOrg(terminal, configFrom(terminal, flags), { org: flags.org, ...reach })
    try {
      const outcome = await work(org, flags, { terminal, signal })
      terminal.stdout.write(typeof outcome === 'string' ? outcome : outcomeText(outcome, flags))
      if (typeof outcome !== 'string' && outcome.exitCode !== undefined)
        throw new CommandEnd(outcome.exitCode)
    } finally {
      await org.close()
    }
  })
}

/** Lists the newest work: all of it, or what its flags ask for. */
export function newestCommand(terminal: Terminal, { owner, items }: Replayable, work: Work): Command {
  const command = new Command(items)
    .description(`Print the newest ${items}.`)
    .option(`--${owner} <name>`, `of this ${owner} only`)
    .option('--status <status>', 'Queued, Done, Retrying or Dead only')
    .option('--limit <number>', 'how many at most, up to 1000; default 50')
  return addOrgFlags(addJsonFlag(command)).action((flags: Flags) => workIn(terminal, flags, {}, work))
}

/** Returns the query of a list. */
export function makeFilter(flags: Flags, owner: Replayable['owner']): string {
  const said = [owner, 'status', 'limit'].flatMap((name) =>
    flags[name] === undefined ? [] : [[name, String(flags[name])] as [string, string]],
  )
  return said.length === 0 ? '' : `?${new URLSearchParams(said)}`
}

/** Has work done again, by its ids or all that is dead. */
export function replayCommand(terminal: Terminal, kind: Replayable): Command {
  const { owner, items } = kind
  const command = new Command('replay')
    .description(`Queue ${items} again, by their ids or all that are dead.`)
    .argument('[id...]')
    .option('--dead', 'all of which every attempt failed')
    .option(`--${owner} <name>`, `with --dead: of this ${owner} only`)
  return addOrgFlags(addJsonFlag(command)).action((ids: readonly string[], flags: Flags) =>
    workIn(terminal, flags, {}, (org, _flags, context) => replay(org, kind, ids, flags, context)),
  )
}

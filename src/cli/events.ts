import { Command } from 'commander'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { followEvents } from './events/follow-events.ts'
import { printEvents } from './events/print-events.ts'
import { checkGiven, publishEvents } from './events/publish-events.ts'
import type { Wanted } from './events/read-event-stream.ts'
import { letIn } from './reach/let-in.ts'
import { addJsonFlag } from './result/outcome.ts'
import { withUser } from './work/user-flags.ts'
import { workIn } from './work/work-command.ts'

const POSITION = /^\d{1,15}$/

function numberIn(flags: Flags, name: string, least: number): number | undefined {
  const { [name]: text } = flags
  if (text === undefined) return undefined
  if (POSITION.test(String(text)) && Number(text) >= least) return Number(text)
  throw new UsageError(`--${name} takes a whole number from ${least} on, not ${String(text)}`)
}

/** Prints events of a server, which is found as `objectry env` finds it. */
function print(
  terminal: Terminal,
  flags: Flags,
  wanted: Wanted,
  bounds: { max?: number; to?: number },
): Promise<void> {
  return runCommand(terminal, async (signal) => {
    const events = followEvents(terminal, () => letIn(terminal, flags), wanted, signal)
    await printEvents(terminal, events, flags, bounds)
  })
}

const tail = (terminal: Terminal) => async (channels: readonly string[], flags: Flags) => {
  const after = String(flags.replay ?? '-1')
  if (!POSITION.test(after) && after !== '-1' && after !== '-2')
    throw new UsageError(`--replay takes -1, -2 or a position, not ${after}`)
  const max = numberIn(flags, 'max', 1)
  const bounds = max === undefined ? {} : { max }
  await print(terminal, flags, { channels, after, follow: true }, bounds)
}

const replay = (terminal: Terminal) => async (channels: readonly string[], flags: Flags) => {
  const after = String(numberIn(flags, 'from', 0) ?? '-2')
  const to = numberIn(flags, 'to', 0)
  const bounds = to === undefined ? {} : { to }
  await print(terminal, flags, { channels, after, follow: false }, bounds)
}

const publish =
  (terminal: Terminal) =>
  async (event: string, fields: string | undefined, flags: Flags): Promise<void> => {
    const given = { event, fields }
    checkGiven(given, flags)
    await workIn(terminal, flags, { writes: true }, async (org, _flags, context) => {
      await publishEvents(org, given, flags, context)
      return ''
    })
  }

/** `objectry events tail|replay|publish`: what happens in an org, as it happens. */
export function eventsCommand(terminal: Terminal): Command {
  const tailing = new Command('tail')
    .description('Print events as they come, until Ctrl-C.')
    .argument('<channel...>', '/data/AccountChangeEvent, /event/Order_Placed__e')
    .option('--replay <position>', 'where to begin: -1 new events, -2 all that are kept, or after a position')
    .option('--max <number>', 'ends after as many events')
  const replaying = new Command('replay')
    .description('Print the events that are kept, and end.')
    .argument('<channel...>', '/data/AccountChangeEvent, /event/Order_Placed__e')
    .option('--from <position>', 'those after this position; default all that are kept')
    .option('--to <position>', 'up to this position')
  const publishing = new Command('publish')
    .description('Publish platform events.')
    .argument('<event>', 'Order_Placed__e')
    .argument('[fields]', 'of one event as JSON; "-" reads one from each line of standard input')
    .option('--file <file>', 'a file with one in each line')
  return new Command('events')
    .description('What happens in an org, as it happens.')
    .addCommand(withUser(tailing).action(tail(terminal)))
    .addCommand(withUser(replaying).action(replay(terminal)))
    .addCommand(addOrgFlags(addJsonFlag(publishing)).action(publish(terminal)))
}

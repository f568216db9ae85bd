import { Command } from 'commander'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag } from './result/outcome.ts'
import { type Work, workIn } from './work/work-command.ts'

const ORIGINS = '/setup/orgs/current/origins'

const list: Work = async (org) => {
  const origins = await readBody<string[]>(org.call('GET', ORIGINS))
  const none = 'No origin is allowed but those of the server itself.\n'
  return { text: origins.length === 0 ? none : `${origins.join('\n')}\n`, answer: origins }
}

const allow =
  (origin: string): Work =>
  async (org) => {
    await readBody(org.call('POST', ORIGINS, { origin }))
    return `Pages of ${origin} may call.\n`
  }

const remove =
  (origin: string): Work =>
  async (org) => {
    await readBody(org.call('DELETE', `${ORIGINS}?${new URLSearchParams({ origin })}`))
    return `Pages of ${origin} may call no longer.\n`
  }

/** `objectry origin list|allow|remove`: which pages may call the org from a browser. */
export function originCommand(terminal: Terminal): Command {
  const listing = new Command('list').description('Print the origins that are allowed.')
  const allowing = new Command('allow').description('Let pages of an origin call.')
  const removing = new Command('remove').description('Let pages of an origin call no longer.')
  const change = (command: Command, work: (origin: string) => Work) =>
    addOrgFlags(command.argument('<origin>', 'like https://app.example.com or https://*.example.com')).action(
      (origin: string, flags: Flags) => workIn(terminal, flags, { writes: true }, work(origin)),
    )
  return new Command('origin')
    .description('Which pages of other sites may call from a browser (CORS).')
    .addCommand(addOrgFlags(addJsonFlag(listing)).action((flags: Flags) => workIn(terminal, flags, {}, list)))
    .addCommand(change(allowing, allow))
    .addCommand(change(removing, remove))
}

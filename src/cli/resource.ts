import { Command } from 'commander'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { Reach } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { type Work, workIn } from './work/work-command.ts'

interface Listed {
  readonly name: string
  readonly path: string
  readonly verbs: readonly string[]
  readonly isReceiver: boolean
  readonly openTo: readonly string[]
}

const RESOURCES = '/setup/orgs/current/resources'

const list: Work = async (org, _flags, { terminal }) => {
  const resources = await readBody<Listed[]>(org.call('GET', RESOURCES))
  const rows = resources.map(({ name, path, verbs, isReceiver, openTo }) => [
    name,
    path,
    isReceiver ? 'receiver' : verbs.join(', '),
    openTo.length === 0 ? null : openTo.join(', '),
  ])
  const text = listText(
    terminal,
    ['name', 'path', 'verbs', 'open to'],
    rows,
    'The deployment has no resources.',
  )
  return { text, answer: resources }
}

/** The guest is whom a resource is for when nobody is named. */
const nameOf = ({ to }: Flags) => (to === undefined ? 'the guest' : String(to))

interface Change {
  readonly verb: 'open' | 'close'
  readonly description: string
  readonly reach: Omit<Reach, 'org'>
  readonly said: (resource: string, name: string) => string
}

function changeCommand(terminal: Terminal, { verb, description, reach, said }: Change): Command {
  const command = new Command(verb)
    .description(description)
    .argument('<name>', "the resource's file without its ending")
    .option('--to <name>', "a profile or permission set, by name or id; default the guest's profile")
  return addOrgFlags(command, ['deployment']).action((resource: string, flags: Flags) =>
    workIn(terminal, flags, reach, async (org) => {
      const path = `${RESOURCES}/${encodeURIComponent(resource)}/${verb}`
      await readBody(org.call('POST', path, { to: flags.to }))
      return `${said(resource, nameOf(flags))}\n`
    }),
  )
}

/** `objectry resource list|open|close`: who may call the custom resources of the deployment. */
export function resourceCommand(terminal: Terminal): Command {
  const listing = new Command('list').description('Print the resources, and who may call them.')
  return new Command('resource')
    .description('The custom resources of the deployment.')
    .addCommand(
      addOrgFlags(addJsonFlag(listing), ['deployment']).action((flags: Flags) =>
        workIn(terminal, flags, { code: true }, list),
      ),
    )
    .addCommand(
      changeCommand(terminal, {
        verb: 'open',
        description: 'Let somebody call a resource.',
        reach: { code: true, writes: true },
        said: (resource, name) => `${resource} is open to ${name}.`,
      }),
    )
    .addCommand(
      changeCommand(terminal, {
        verb: 'close',
        description: 'Let somebody call a resource no longer.',
        // A resource that is gone is closed too.
        reach: { writes: true },
        said: (resource, name) => `${resource} is closed to ${name}.`,
      }),
    )
}

import { Command } from 'commander'
import type { UpgradeState } from '../orgs/upgrades/upgrade-state.ts'
import { addSettingFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag, type Outcome } from './result/outcome.ts'
import { showWait } from './result/show-wait.ts'
import { type Work, workIn } from './work/work-command.ts'

interface MadeOrg {
  readonly id: string
  readonly name: string
  readonly host: string | null
  readonly clientId: string
  readonly clientSecret: string
  readonly adminUsername: string | null
  /** Null for a copy, whose users keep their passwords. */
  readonly adminPassword: string | null
}

interface ListedOrg extends Pick<MadeOrg, 'id' | 'name'> {
  readonly upgrade: UpgradeState
  /** Both in a cluster only. */
  readonly node?: string | null
  readonly bytes?: number | null
}

const pathOf = (name: string) => `/setup/orgs/${encodeURIComponent(name)}`

function madeText({ id, name, host, clientId, clientSecret, ...user }: MadeOrg): string {
  const { adminUsername, adminPassword } = user
  const lines = [
    `Made ${name} (${id})${host === null ? '' : `, reached at ${host}`}.`,
    '',
    `  client id      ${clientId}`,
    `  client secret  ${clientSecret}`,
    ...(adminPassword === null
      ? []
      : [`  username       ${adminUsername}`, `  password       ${adminPassword}`]),
    '',
    'Keep them: they are shown this once. A token of this client opens this org; commands take --org.',
  ]
  return `${lines.join('\n')}\n`
}

async function make(
  terminal: Terminal,
  org: ReachedOrg,
  wanted: { readonly name: string; readonly host: unknown; readonly copyOf?: unknown },
): Promise<Outcome> {
  const answer = await showWait(terminal, `Making ${wanted.name}`, () =>
    readBody<MadeOrg>(org.call('POST', '/setup/orgs', wanted)),
  )
  return { text: madeText(answer), answer }
}

/** How far an upgrade is, in words. */
function upgradeText({ state, steps, done, step, progress, error }: UpgradeState): string {
  if (state === 'done') return 'up to date'
  if (state === 'failed') return `failed: ${step}: ${error}`
  const percent = state === 'running' ? ` ${Math.floor((progress ?? 0) * 100)} %` : ''
  return `${done} of ${steps} steps, ${step}${percent}`
}

const list: Work = async (org, _flags, { terminal }) => {
  const orgs = await readBody<ListedOrg[]>(org.call('GET', '/setup/orgs'))
  const rows = orgs.map(({ id, name, upgrade, node, bytes }) => [
    ...[name, id, upgradeText(upgrade)],
    ...(node === undefined ? [] : [node, bytes ?? null]),
  ])
  const places = orgs.some(({ node }) => node !== undefined) ? ['node', 'bytes'] : []
  const titles = ['name', 'id', 'upgrade', ...places]
  return { text: listText(terminal, titles, rows, 'There is no org.'), answer: orgs }
}

/** Works from the first org, whose administrators look after all of them. */
const atHome = (terminal: Terminal, flags: Flags, work: Work) => workIn(terminal, flags, {}, work)

const withHost = (command: Command) =>
  command.option('--host <name>', 'name of the host under which it is reached, for example acme.localhost')

const flagged = (command: Command) => addSettingFlags(command, ['databaseUrl', 'data', 'deployment'])

/** `objectry org create|fork|list|move|reset|delete`: several orgs on one server. */
export function orgCommand(terminal: Terminal): Command {
  const create = new Command('create').description('Make an org.').argument('<name>')
  const fork = new Command('fork')
    .description('Make an org with the objects, users and records of another one.')
    .argument('<name>')
    .option('--from <org>', 'which one, by name or id; default the first one')
  const reset = new Command('reset')
    .description('Empty an org: every record goes but users and what belongs to them. The schema stays.')
    .argument('<org>', 'by name or id')
  const remove = new Command('delete')
    .description('Remove an org with everything in it.')
    .argument('<org>', 'by name or id')
  const listing = new Command('list').description(
    'Print the orgs, and how far the upgrade of each is; in a cluster also where each is, and its bytes.',
  )
  const move = new Command('move')
    .description('Move an org to another node of the cluster, while it is used.')
    .argument('<org>', 'by name or id')
    .requiredOption('--to <host:port>', 'the node, as objectry cluster status names it')
  return new Command('org')
    .description('The orgs of a server.')
    .addCommand(
      flagged(addJsonFlag(withHost(create))).action((name: string, flags: Flags) =>
        atHome(terminal, flags, (org) => make(terminal, org, { name, host: flags.host })),
      ),
    )
    .addCommand(
      flagged(addJsonFlag(withHost(fork))).action((name: string, flags: Flags) =>
        atHome(terminal, flags, (org) =>
          make(terminal, org, { name, host: flags.host, copyOf: flags.from ?? 'current' }),
        ),
      ),
    )
    .addCommand(flagged(addJsonFlag(listing)).action((flags: Flags) => atHome(terminal, flags, list)))
    .addCommand(
      flagged(addJsonFlag(move)).action((name: string, flags: Flags) =>
        atHome(terminal, flags, async (org) => {
          const answer = await showWait(terminal, `Moving ${name}`, () =>
            readBody<{ name: string; node: string }>(
              org.call('POST', `${pathOf(name)}/move`, { to: flags.to }),
            ),
          )
          return { text: `Moved ${answer.name} to ${answer.node}.\n`, answer }
        }),
      ),
    )
    .addCommand(
      flagged(reset).action((name: string, flags: Flags) =>
        atHome(terminal, flags, async (org) => {
          await showWait(terminal, `Emptying ${name}`, () =>
            readBody(org.call('POST', `${pathOf(name)}/reset`)),
          )
          return `Emptied ${name}.\n`
        }),
      ),
    )
    .addCommand(
      flagged(remove).action((name: string, flags: Flags) =>
        atHome(terminal, flags, async (org) => {
          await showWait(terminal, `Removing ${name}`, () => readBody(org.call('DELETE', pathOf(name))))
          return `Removed ${name}.\n`
        }),
      ),
    )
}

import { Command } from 'commander'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { listText } from './result/list-text.ts'
import { addJsonFlag } from './result/outcome.ts'
import { type Work, workIn } from './work/work-command.ts'

interface Version {
  readonly version: string
  readonly label: string
  readonly released: string
  readonly retires: string | null
  readonly support: string
  readonly calls: number
  readonly apps: readonly {
    readonly clientId: string | null
    readonly name: string | null
    readonly calls: number
    readonly lastDay: string
  }[]
}

const versions: Work = async (org, { days, all }, { terminal }) => {
  const query = days === undefined ? '' : `?days=${encodeURIComponent(String(days))}`
  const found = await readBody<Version[]>(org.call('GET', `/setup/orgs/current/versions${query}`))
  const shown =
    all === true ? found : found.filter(({ calls, support }) => calls > 0 || support === 'deprecated')
  const rows = shown.flatMap(({ version, label, retires, support, apps }) => {
    const by = apps.length === 0 ? [{ clientId: null, name: null, calls: 0, lastDay: null }] : apps
    return by.map(({ clientId, name, calls, lastDay }) => [
      ...[version, label, support, retires],
      ...[calls, name ?? clientId, lastDay],
    ])
  })
  const titles = ['version', 'release', 'support', 'retires', 'calls', 'app', 'last day']
  const none = 'Nobody called, and no version is deprecated. --all lists every version.'
  return { text: listText(terminal, titles, rows, none), answer: shown }
}

/** Who still speaks which version: to be known before one retires. */
export function versionsCommand(terminal: Terminal): Command {
  const command = new Command('versions')
    .description('Print which API versions were used, by which apps, and when they retire.')
    .option('--days <number>', 'how far back, 1 to 365; default 30')
    .option('--all', 'versions that nobody used too')
  return addOrgFlags(addJsonFlag(command)).action((flags: Flags) => workIn(terminal, flags, {}, versions))
}

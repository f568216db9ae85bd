import { Command } from 'commander'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { openInBrowser } from './open-in-browser.ts'
import { reachOrg } from './reach/reach-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, outcomeText } from './result/outcome.ts'
import { shellQuoted } from './result/terminal-text.ts'

/** Access of a user without a password. (docs/reference/api/admin-api.md#users) */
interface Access {
  readonly id: string
  readonly username: string
  readonly token: string
  /** Of the server, works once within a minute. */
  readonly path: string
}

interface Opened extends Omit<Access, 'path'> {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  /** The address that a browser opens, once within a minute. */
  readonly url: string
}

async function letIn(terminal: Terminal, flags: Flags, startPath?: string): Promise<Opened> {
  const config = configFrom(terminal, flags)
  const org = await reachOrg(terminal, config, { org: flags.org })
  try {
    const user = encodeURIComponent(String(flags.user ?? 'current'))
    const route = `/setup/orgs/current/users/${user}/access`
    const { path, ...access } = await readBody<Access>(org.call('POST', route, { startPath }))
    const address = typeof flags.server === 'string' ? new URL(flags.server).origin : org.address
    return { ...access, address, url: address + path }
  } finally {
    await org.close()
  }
}

const withUser = (command: Command) =>
  addOrgFlags(
    addJsonFlag(
      command
        .option('--user <user>', 'username or id; default the first administrator')
        .option('--server <url>', 'where the server is; default where the settings have it'),
    ),
    ['publicUrl', 'port'],
  )

/** A page of another org than the first one names it, which only the console reads. */
function startPathOf({ path, org }: Flags): string {
  const start = new URL(String(path), 'http://server')
  if (org !== undefined) start.searchParams.set('org', org)
  return start.pathname + start.search
}

/** `objectry open`: the console in a browser, signed in. */
export function openCommand(terminal: Terminal): Command {
  const command = new Command('open')
    .description('Open the console in a browser, signed in.')
    .option('--path <path>', 'another page of the server', '/console/')
    .option('--url-only', 'only print the address')
  return withUser(command).action((flags: Flags) =>
    runCommand(terminal, async () => {
      const opened = await letIn(terminal, flags, startPathOf(flags))
      const isSeen = terminal.stdout.isTTY && flags.urlOnly !== true && flags.json !== true
      if (isSeen) openInBrowser(opened.url, terminal.environment)
      terminal.stdout.write(outcomeText({ text: `${opened.url}\n`, answer: opened }, flags))
      terminal.stderr.write(`Signs in as ${opened.username}, once, within a minute.\n`)
    }),
  )
}

/** `objectry env`: what commands of a shell need to call the API. */
export function envCommand(terminal: Terminal): Command {
  const command = new Command('env').description(
    'Print URL and TOKEN for a shell: eval "$(npx objectry env)".',
  )
  return withUser(command).action((flags: Flags) =>
    runCommand(terminal, async () => {
      const opened = await letIn(terminal, flags)
      const text = `export URL=${shellQuoted(opened.address)}\nexport TOKEN=${shellQuoted(opened.token)}\n`
      terminal.stdout.write(outcomeText({ text, answer: opened }, flags))
    }),
  )
}

import { Command } from 'commander'
import { runCommand } from './command/run-command.ts'
import type { Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { openInBrowser } from './open-in-browser.ts'
import { letIn } from './reach/let-in.ts'
import { outcomeText } from './result/outcome.ts'
import { shellQuoted } from './result/terminal-text.ts'
import { withUser } from './work/user-flags.ts'

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

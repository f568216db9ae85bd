import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/setting-values.ts'
import { CommandEnd } from './command/exit-codes.ts'
import type { Installation } from './command/installation.ts'
import { runCommand } from './command/run-command.ts'
import { addSettingFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import type { Finding } from './doctor/finding.ts'
import { addJsonFlag, outcomeText } from './result/outcome.ts'
import { statusText } from './result/table-style.ts'
import { printable } from './result/terminal-text.ts'

/** The settings, or what is wrong with them. */
function readSettings(terminal: Terminal, flags: Flags): Config | string {
  try {
    return configFrom(terminal, flags)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Everything that can be looked at; without settings only what needs none. */
async function findAll(
  terminal: Terminal,
  installation: Installation,
  flags: Flags,
): Promise<readonly Finding[]> {
  const { problem, runCheck } = await import('./doctor/finding.ts')
  const { checkInstallation } = await import('./doctor/check-installation.ts')
  const config = readSettings(terminal, flags)
  const own = await runCheck('installation', () => checkInstallation(installation))
  if (typeof config === 'string')
    return [
      ...own,
      problem('settings', config, 'Change it, and run this command again: the rest depends on it.'),
    ]
  const [{ checkSettings }, { checkData, findServer }, { checkDatabase }, { checkPorts }] = await Promise.all(
    [
      import('./doctor/check-settings.ts'),
      import('./doctor/check-data.ts'),
      import('./doctor/check-database.ts'),
      import('./doctor/check-ports.ts'),
    ],
  )
  const server = await findServer(config)
  const findings = await Promise.all([
    runCheck('settings', () => checkSettings(config, terminal.environment)),
    runCheck('data folder', () => checkData(config, server)),
    runCheck('database', () => checkDatabase(config)),
    runCheck('ports', () => checkPorts(config, server)),
  ])
  return [...own, ...findings.flat()]
}

function findingsText(terminal: Terminal, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.map(({ check, status, message, remedy }) => {
    const line = `${statusText(terminal, status.padEnd('problem'.length))}  ${check.padEnd(width)}  ${printable(message)}\n`
    return remedy === null
      ? line
      : `${line}${' '.repeat('problem'.length + width + 4)}→ ${printable(remedy)}\n`
  })
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  const counted = (status: 'warning' | 'problem') =>
    `${count(status)} ${status}${count(status) === 1 ? '' : 's'}`
  return `${lines.join('')}\n${count('ok')} ok, ${counted('warning')}, ${counted('problem')}\n`
}

/** `objectry doctor`: looks at everything that a server needs, and names the remedy of what is wrong. */
export function doctorCommand(terminal: Terminal, installation: Installation): Command {
  const command = new Command('doctor').description(
    'Check Node.js, settings, data folder, database, disk and ports, and say what to do about problems.',
  )
  return addSettingFlags(addJsonFlag(command)).action((flags: Flags) =>
    runCommand(terminal, async () => {
      const findings = await findAll(terminal, installation, flags)
      terminal.stdout.write(outcomeText({ text: findingsText(terminal, findings), answer: findings }, flags))
      if (findings.some(({ status }) => status === 'problem')) throw new CommandEnd(1)
    }),
  )
}

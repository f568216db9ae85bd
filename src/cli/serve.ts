import { Command } from 'commander'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/setting-values.ts'
import { SETTINGS } from '../config/settings.ts'
import { exitCodeFor } from './command/exit-codes.ts'
import { explainError } from './command/explain-error.ts'
import { addSettingFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { greeting } from './serve/greeting.ts'
import { openServer } from './serve/open-server.ts'
import { stopOnSignals } from './serve/stop-on-signals.ts'

/** The command line, which is beside this file in the sources and in the bundle. Each of several processes runs it. */
const ENTRY = new URL(
  import.meta.filename.endsWith('.js') ? './objectry.js' : './objectry.ts',
  import.meta.url,
)

/** @throws ConfigError */
function checkProcesses({ processes, databaseUrl }: Config): void {
  if (processes === 1 || databaseUrl !== undefined) return
  const { variable } = SETTINGS.processes
  throw new ConfigError(
    `${variable} asks for ${processes} processes, and the embedded engine belongs to one. Set ${SETTINGS.databaseUrl.variable} to a PostgreSQL server, or ${variable} to 1.`,
  )
}

async function serveAlone({ stdout }: Terminal, config: Config): Promise<void> {
  const opening = openServer(config, systemClock)
  // It answers before it is open as a whole: a signal that comes meanwhile lets it finish its calls, too.
  stopOnSignals(config, () =>
    opening.then(
      (objectry) => objectry.stop(),
      // Why it did not start is said below, which also ends the process.
      () => new Promise<never>(() => {}),
    ),
  )
  const objectry = await opening
  objectry.watchEventLoop()
  objectry.outliveStrays()
  stdout.write(greeting(objectry, config))
}

async function serve(terminal: Terminal, flags: Flags): Promise<void> {
  let config: Config | undefined
  try {
    const { GroupMember, isGroupMember } = await import('../processes/group-member.ts')
    if (isGroupMember()) {
      const { runMember } = await import('./serve/run-member.ts')
      return await runMember(() => configFrom(terminal, flags), await GroupMember.join())
    }
    config = configFrom(terminal, flags)
    checkProcesses(config)
    if (config.processes === 1) return await serveAlone(terminal, config)
    const { runGroup } = await import('./serve/run-group.ts')
    await runGroup(config, ENTRY)
  } catch (error) {
    terminal.stderr.write(`Objectry did not start: ${explainError(error, config)}\n`)
    if (!(error instanceof ConfigError) && terminal.environment.OBJECTRY_LOG_LEVEL === 'debug')
      console.error(error)
    process.exit(exitCodeFor(error))
  }
}

/** `objectry serve`: every setting is a flag. */
export function serveCommand(terminal: Terminal): Command {
  return addSettingFlags(new Command('serve').description('Start the server.')).action((flags: Flags) =>
    serve(terminal, flags),
  )
}

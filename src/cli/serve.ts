import { Command } from 'commander'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import type { Objectry } from '../main.ts'
import { ConfigError } from '../setting-values.ts'
import { openEngine } from '../storage/open-engine.ts'
import { getErrorMessage } from './command/get-error-message.ts'
import { addSettingFlags, configFrom, type Flags } from './command/setting-flags.ts'

/** A form parameter for curl, in quotes when the shell or the form would read it otherwise. */
function formParameter(name: string, value: string): string {
  if (/^[\w.~-]+$/.test(value)) return `-d ${name}=${value}`
  return `--data-urlencode '${name}=${value.replaceAll("'", "'\\''")}'`
}

/** Where the public site is, or why it is nowhere. */
function siteLine({ siteAddress }: Objectry, { sitePort }: Config): string[] {
  if (siteAddress !== undefined) return [`The public site is at ${siteAddress}.`]
  if (sitePort === undefined) return []
  return [`There is no public site: port ${sitePort} is in use. Set SITE_PORT to another one.`]
}

/** What a newcomer needs to see, and one command that works when it is pasted. */
function greeting(objectry: Objectry, config: Config): string {
  const { address, firstApp, firstUser } = objectry
  const engine =
    config.databaseUrl === undefined
      ? config.data === 'memory'
        ? 'embedded, in memory'
        : `embedded, in ${config.data}`
      : 'PostgreSQL'
  const lines = [`Objectry is ready at ${address} (data: ${engine}).`, ...siteLine(objectry, config)]
  if (firstApp === undefined || firstUser === undefined) {
    lines.push('Get a token with the client id and secret that the first start printed.')
  } else {
    const { clientId, clientSecret } = firstApp
    const newest = config.versions.at(-1)
    lines.push(
      '',
      `  client id      ${clientId}`,
      `  client secret  ${clientSecret}`,
      `  username       ${firstUser.username}`,
      `  password       ${firstUser.password}`,
      '',
      'Keep them: they are shown this once. Try it:',
      '',
      `  TOKEN=$(curl -s ${address}/services/oauth2/token -d grant_type=client_credentials ${formParameter('client_id', clientId)} ${formParameter('client_secret', clientSecret)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); curl -s ${address}/services/data/v${newest}.0/sobjects/Account -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"Name":"Acme"}'`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** The first signal finishes the calls under way, a second one ends the process at once. */
function stopOnSignals(objectry: Objectry, { stopSeconds }: Config): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    const outcome = await objectry.stop()
    if (outcome === 'finished') process.exit(0)
    process.stderr.write(`Objectry cancelled what had not ended within ${stopSeconds} s.\n`)
    process.exit(1)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function serve(flags: Flags): Promise<void> {
  try {
    const config = configFrom(flags)
    let report = (_: string) => {}
    // The engine opens while the modules are loaded, which other commands do without.
    const opening = openEngine(config, (message) => report(message))
    opening.catch(() => {})
    const { start } = await import('../main.ts')
    const objectry = await start(config, systemClock, opening)
    report = objectry.report
    stopOnSignals(objectry, config)
    objectry.watchEventLoop()
    process.stdout.write(greeting(objectry, config))
  } catch (error) {
    process.stderr.write(`Objectry did not start: ${getErrorMessage(error)}\n`)
    if (!(error instanceof ConfigError) && process.env.OBJECTRY_LOG_LEVEL === 'debug') console.error(error)
    process.exit(1)
  }
}

/** `objectry serve`: every setting is a flag. */
export function serveCommand(): Command {
  return addSettingFlags(new Command('serve').description('Start the server.')).action(serve)
}

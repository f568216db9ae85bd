import { Command } from 'commander'
import { type Config, ConfigError, readConfig, SETTINGS } from '../config.ts'
import { type Objectry, start } from '../main.ts'

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A form parameter for curl, in quotes when the shell or the form would read it otherwise. */
function formParameter(name: string, value: string): string {
  if (/^[\w.~-]+$/.test(value)) return `-d ${name}=${value}`
  return `--data-urlencode '${name}=${value.replaceAll("'", "'\\''")}'`
}

/** What a newcomer needs to see, and one command that works when it is pasted. */
function greeting({ address, firstApp }: Objectry, config: Config): string {
  const engine =
    config.databaseUrl === undefined
      ? config.data === 'memory'
        ? 'embedded, in memory'
        : `embedded, in ${config.data}`
      : 'PostgreSQL'
  const lines = [`Objectry is ready at ${address} (data: ${engine}).`]
  if (firstApp === undefined) {
    lines.push('Get a token with the client id and secret that the first start printed.')
  } else {
    const { clientId, clientSecret } = firstApp
    const newest = config.versions.at(-1)
    lines.push(
      '',
      `  client id      ${clientId}`,
      `  client secret  ${clientSecret}`,
      '',
      'Keep them: they are shown this once. Try it:',
      '',
      `  TOKEN=$(curl -s ${address}/services/oauth2/token -d grant_type=client_credentials ${formParameter('client_id', clientId)} ${formParameter('client_secret', clientSecret)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); curl -s ${address}/services/data/v${newest}.0/sobjects/Account -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"Name":"Acme"}'`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** The first signal finishes the calls under way, a second one leaves at once. */
function stopOnSignals(objectry: Objectry): void {
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(1)
    stopping = true
    await objectry.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function serve(flags: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(SETTINGS) as (keyof Config)[]
  const texts = Object.fromEntries(names.map((name) => [name, flags[camelCase(SETTINGS[name].flag)]]))
  try {
    const config = readConfig(process.env, texts)
    const objectry = await start(config)
    stopOnSignals(objectry)
    process.stdout.write(greeting(objectry, config))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Objectry did not start: ${message}\n`)
    if (!(error instanceof ConfigError) && process.env.OBJECTRY_LOG_LEVEL === 'debug') console.error(error)
    process.exit(1)
  }
}

/** `objectry serve`: every setting is a flag. */
export function serveCommand(): Command {
  const command = new Command('serve').description('Start the server.')
  for (const { flag, variable, meaning, default: fallback } of Object.values(SETTINGS)) {
    const shown = fallback === undefined ? '' : `, default ${fallback}`
    command.option(`--${flag} <value>`, `${meaning} (${variable}${shown})`)
  }
  return command.action(serve)
}

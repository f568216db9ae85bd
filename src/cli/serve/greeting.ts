import type { Config } from '../../config/config.ts'
import type { Serving } from '../../processes/group-messages.ts'
import { shellQuoted } from '../result/terminal-text.ts'

/** A form parameter for curl, in quotes when the shell or the form would read it otherwise. */
function formParameter(name: string, value: string): string {
  if (/^[\w.~-]+$/.test(value)) return `-d ${name}=${value}`
  return `--data-urlencode ${shellQuoted(`${name}=${value}`)}`
}

/** Where the public site is, or why it is nowhere. */
function siteLine({ siteAddress }: Serving, { sitePort }: Config): string[] {
  if (siteAddress !== undefined) return [`The public site is at ${siteAddress}.`]
  if (sitePort === undefined) return []
  return [`There is no public site: port ${sitePort} is in use. Set SITE_PORT to another one.`]
}

/** Greeting of a first start, with one command that works when it is pasted. */
export function greeting(serving: Serving, config: Config): string {
  const { address, firstApp, firstUser } = serving
  const engine =
    config.databaseUrl === undefined
      ? config.data === 'memory'
        ? 'embedded, in memory'
        : `embedded, in ${config.data}`
      : config.processes === 1
        ? 'PostgreSQL'
        : `PostgreSQL, ${config.processes} processes`
  const lines = [
    ...(config.console ? [`Open ${address}/console/ in a browser.`] : []),
    `Objectry is ready at ${address} (data: ${engine}).`,
    ...siteLine(serving, config),
  ]
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

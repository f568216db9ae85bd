import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Why a port cannot be listened on; undefined: it is free. */
async function tryPort(host: string, port: number): Promise<string | undefined> {
  const listener = createServer()
  try {
    listener.listen(port, host)
    await once(listener, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    listener.close()
  }
}

async function checkPort(
  host: string,
  port: number,
  name: 'port' | 'sitePort',
  server?: string,
): Promise<Finding> {
  const { variable, flag } = SETTINGS[name]
  const check = `port ${port}`
  const code = port === 0 ? undefined : await tryPort(host, port)
  if (code === undefined) return ok(check, 'free')
  if (server !== undefined) return ok(check, 'in use, and a server runs on this data folder')
  const message = code === 'EADDRINUSE' ? 'in use by another program' : `cannot be used: ${code}`
  const remedy = `End that program, or choose another port: --${flag}, ${variable}`
  // Without its port a server starts all the same, only without the public site.
  return name === 'port' ? problem(check, message, remedy) : warning(check, message, remedy)
}

/** The ports that a server listens on. */
export async function checkPorts(
  { host, port, sitePort }: Config,
  server: string | undefined,
): Promise<readonly Finding[]> {
  const main = await checkPort(host, port, 'port', server)
  return sitePort === undefined ? [main] : [main, await checkPort(host, sitePort, 'sitePort', server)]
}

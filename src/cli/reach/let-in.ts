import { configFrom, type Flags } from '../command/setting-flags.ts'
import type { Terminal } from '../command/terminal.ts'
import { reachOrg } from './reach-org.ts'
import { readBody } from './record-pages.ts'

/** Access of a user without a password. (docs/reference/api/admin-api.md#users) */
interface Access {
  readonly id: string
  readonly username: string
  readonly token: string
  /** Of the server, works once within a minute. */
  readonly path: string
}

/** Address and token of a server. */
export interface Opened extends Omit<Access, 'path'> {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  /** The address that a browser opens, once within a minute. */
  readonly url: string
}

/** Lets a user in, by the server of the org or by its database. */
export async function letIn(terminal: Terminal, flags: Flags, startPath?: string): Promise<Opened> {
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

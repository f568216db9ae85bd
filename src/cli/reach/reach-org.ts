import type { Config } from '../../config/config.ts'
import { findAnnouncedServer } from '../../storage/running-server.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import type { Terminal } from '../command/terminal.ts'
import { reachServer, SilentServer } from './org-over-http.ts'
import type { Reach, ReachedOrg } from './reached-org.ts'

/** The rooms are loaded only when they are needed: a server that runs answers sooner without them. */
async function openInProcess(terminal: Terminal, config: Config, reach: Reach): Promise<ReachedOrg> {
  const { openOrgInProcess } = await import('./org-in-process.ts')
  return openOrgInProcess(terminal, config, reach)
}

/**
 * The org that the settings name. On PostgreSQL, and on a data folder that no server holds, it is opened in this
 * process; a running server is asked to answer, because the embedded engine belongs to one process.
 * @throws Error with a message for the person at the terminal; nothing was made or changed
 */
export async function reachOrg(terminal: Terminal, config: Config, reach: Reach = {}): Promise<ReachedOrg> {
  if (config.databaseUrl !== undefined) return openInProcess(terminal, config, reach)
  if (config.data === 'memory') {
    throw new Error(
      'An org in memory is known to its server only. Ask that server over HTTP, or start the server with a data folder: OBJECTRY_DATA=.objectry npm start',
    )
  }
  const announced = findAnnouncedServer(config.data)
  if (announced === undefined) return openInProcess(terminal, config, reach)
  try {
    return (await reachServer(announced, reach.org)) ?? (await openInProcess(terminal, config, reach))
  } catch (error) {
    if (!(error instanceof SilentServer)) throw error
    // A stranger may have the address of a server that was killed: whether the folder is free tells its lock.
    return openInProcess(terminal, config, reach).catch((reason) => {
      throw new Error(`${error.message} ${getErrorMessage(reason)}`)
    })
  }
}

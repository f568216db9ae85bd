import { enableCompileCache } from 'node:module'
import { systemClock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { GroupMember } from '../../processes/group-member.ts'
import type { Assignment } from '../../processes/group-messages.ts'
import { explainError } from '../command/explain-error.ts'
import { openServer } from './open-server.ts'

const assigned = (config: Config, { port, sitePort, secretKey }: Assignment): Config => ({
  ...config,
  port,
  sitePort,
  secretKey: secretKey === undefined ? config.secretKey : Buffer.from(secretKey, 'base64'),
})

/** Serves as one of several processes. */
export async function runMember(readConfig: () => Config, group: GroupMember): Promise<void> {
  // This process was not started through `bin/objectry.js`, which does this for others.
  enableCompileCache()
  let config: Config | undefined
  try {
    config = assigned(readConfig(), group.assignment)
    const objectry = await openServer(config, systemClock, group)
    const stop = async () => process.exit((await objectry.stop()) === 'finished' ? 0 : 1)
    group.onStop(stop)
    // A terminal and some service managers signal all processes. The primary decides when the time is up.
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    objectry.watchEventLoop()
    objectry.outliveStrays()
    const { address, siteAddress, firstApp, firstUser } = objectry
    group.announce({ address, siteAddress, firstApp, firstUser })
  } catch (error) {
    if (process.env.OBJECTRY_LOG_LEVEL === 'debug') console.error(error)
    await group.fail(explainError(error, config))
    process.exit(1)
  }
}

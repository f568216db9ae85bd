import { randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Serving } from '../../processes/group-messages.ts'
import { ProcessGroup } from '../../processes/process-group.ts'
import { openLog } from '../../server/log.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import { greeting } from './greeting.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** A key that is not stored anywhere is made once, for all processes. */
const makeSharedKey = ({ secretKey, data }: Config) =>
  secretKey === undefined && data === 'memory' ? randomBytes(32).toString('base64') : undefined

/**
 * Starts several server processes, and stays to replace those that end. This process serves nothing itself.
 * @param entry the file of the command line
 */
export async function runGroup(config: Config, entry: URL): Promise<void> {
  const log = openLog(config.logLevel, true)
  let ungreeted: Serving | undefined
  const greet = () => {
    if (ungreeted !== undefined) process.stdout.write(greeting(ungreeted, config))
    ungreeted = undefined
  }
  const group = new ProcessGroup({
    config,
    entry,
    secretKey: makeSharedKey(config),
    report: (message) => log.warn(message),
    onFirst(serving) {
      ungreeted = serving
      stopOnSignals(
        config,
        () => group.stop(),
        () => group.kill(),
      )
    },
  })
  const end = async (message: string): Promise<never> => {
    // The results of the first start are shown this once, whatever happened since.
    if (ungreeted?.firstApp !== undefined) greet()
    process.stderr.write(`${message}\n`)
    await group.stop()
    process.exit(1)
  }
  try {
    await group.start()
  } catch (error) {
    await end(`Objectry did not start: ${getErrorMessage(error)}`)
  }
  greet()
  await end(`Objectry ends: ${await group.failure}`)
}

import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig, type Texts } from '../../src/config/config.ts'
import { assemble } from '../../src/server/assemble.ts'
import { sharedEngine } from './engine.ts'
import { SECRETS } from './secrets.ts'

/** A server on a free port, in front of all orgs of the shared engine. */
export interface RealPort {
  readonly address: string
  close(): Promise<void>
}

/**
 * @param prepare is handed the server before it listens, to watch what goes through it
 * @param settings by their names, as texts
 */
export async function openPort(
  prepare: (server: FastifyInstance) => void = () => {},
  settings: Texts = {},
): Promise<RealPort> {
  const { server, services } = assemble(
    await sharedEngine(),
    readConfig({}, { logLevel: 'silent', ...settings }),
    systemClock,
    SECRETS,
  )
  prepare(server)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    async close() {
      await services.feed.close()
      await server.close()
      await services.queue.close()
    },
  }
}

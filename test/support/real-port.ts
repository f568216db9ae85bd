import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/config.ts'
import { assemble } from '../../src/main.ts'
import { sharedEngine } from './engine.ts'
import { SECRETS } from './secrets.ts'

/** A server on a free port, in front of all orgs of the shared engine. */
export interface RealPort {
  readonly address: string
  close(): Promise<void>
}

/** @param prepare is handed the server before it listens, to watch what goes through it */
export async function openPort(prepare: (server: FastifyInstance) => void = () => {}): Promise<RealPort> {
  const { server } = assemble(
    await sharedEngine(),
    readConfig({}, { logLevel: 'silent' }),
    systemClock,
    SECRETS,
  )
  prepare(server)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return { address, close: () => server.close() }
}

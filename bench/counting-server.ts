import { openSecretBox } from '../src/auth/keys/secret-key.ts'
import { systemClock } from '../src/base/clock.ts'
import { readConfig } from '../src/config/config.ts'
import { makeServer } from '../src/http/endpoints.ts'
import { makeServices } from '../src/server/assemble.ts'
import { openEngine } from '../src/storage/open-engine.ts'

/* One of the two servers of `bench/counting.ts`: COUNTING=off counts no call. */

const config = readConfig(process.env)
const engine = await openEngine(config)
const services = makeServices(engine, config, systemClock, () => {}, openSecretBox(config))
const none = Object.assign(Object.create(services.quotaStore), { count: () => undefined, used: () => 0 })
const server = makeServer(process.env.COUNTING === 'off' ? { ...services, quotaStore: none } : services)
await server.listen({ host: '127.0.0.1', port: config.port })
process.on('SIGTERM', () => process.exit(0))

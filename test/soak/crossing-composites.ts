import { parseArgs } from 'node:util'
import { runCrossing } from '../support/crossing.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { credentialsIn, fetchToken, startServer } from '../support/server-process.ts'

/*
 * Two server processes on one PostgreSQL, and clients whose atomic composites cross each other on the same ten records:
 *
 *   npm run soak -- crossing-composites --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- crossing-composites --database-url ... --seconds 300 --clients 64
 *
 * Makes a database of its own beside that one and drops it at the end. Ends with 1 when an update was lost or torn, or
 * an answer was a failure of the server's.
 */
const { values } = parseArgs({
  options: {
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '32' },
  },
})

const database = await makeOwnDatabase(values['database-url'], 'soak_crossing')
let failed = true
try {
  const first = await startServer({ DATABASE_URL: database.url })
  const second = await startServer({ DATABASE_URL: database.url })
  try {
    const token = await fetchToken(first.address, credentialsIn(first.greeting)!)
    const size = { clients: Number(values.clients), seconds: Number(values.seconds) }
    const { answers, wrong } = await runCrossing([first.address, second.address], token, size)
    failed = wrong.length > 0
    process.stdout.write(`${JSON.stringify(answers)}\n`)
    process.stdout.write(
      failed ? `WRONG ${wrong.length}:\n${wrong.slice(0, 10).join('\n')}\n` : 'nothing wrong\n',
    )
  } finally {
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
  }
} finally {
  await database.drop()
}
process.exit(failed ? 1 : 0)

import { parseArgs } from 'node:util'
import { killDuringDeploys } from '../support/deploys-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'

/*
 * Kills `objectry deploy` with -9 at random moments while it changes types, keys and indexes of an object with 20,000
 * records, and looks whether the org has one of the two schemas as a whole, and every value:
 *
 *   npm run soak -- kill-during-deploys
 *   npm run soak -- kill-during-deploys --rounds 100 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * It makes a database of its own beside that one and drops it at the end. Ends with 1 when something is torn.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
})
const rounds = Number(values.rounds)
const database = await makeOwnDatabase(values['database-url'], 'soak')
let round = 0
let isTorn = false
try {
  for await (const { killed, schema, rowsKept } of killDuringDeploys(database.url, rounds)) {
    round++
    isTorn ||= schema === undefined || !rowsKept
    const what = schema === undefined ? 'TORN: neither schema' : `schema ${schema}`
    process.stdout.write(
      `round ${round} of ${rounds}: ${killed ? 'killed' : 'was done'}, ${what}, ${rowsKept ? 'all values there' : 'VALUES LOST'}\n`,
    )
  }
} finally {
  await database.drop()
}
process.exit(isTorn ? 1 : 0)

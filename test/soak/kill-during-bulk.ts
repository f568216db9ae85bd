import { parseArgs } from 'node:util'
import { bulkUnderLoad } from '../support/bulk-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Kills the server with -9 in the middle of bulk upserts and queries, again and again, and looks whether every row is there once,
 * and in the results once:
 *
 *   npm run soak:bulk-kill                 on the embedded engine
 *   npm run soak:bulk-kill -- --rounds 5 --rows 200000 --kills 3 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. `--kills` is how often
 * the server is killed in each job at most. Ends with 1 when a row is missing or there twice.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    rows: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '2' },
    'database-url': { type: 'string' },
  },
})
const [rounds, rows, kills] = [values.rounds, values.rows, values.kills].map(Number) as [
  number,
  number,
  number,
]
const serverUrl = values['database-url']

const data = makeDataFolder()
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_bulk')
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: data.data } : { DATABASE_URL: database.url }
let round = 0
let wrongAny = false
try {
  for await (const { kills: killed, wrong } of bulkUnderLoad(variables, { rounds, rows, kills })) {
    round++
    wrongAny ||= wrong.length > 0
    const verdict = wrong.length === 0 ? 'every row once' : `WRONG ${wrong.length}: ${wrong.join('; ')}`
    process.stdout.write(`round ${round} of ${rounds}: killed ${killed} times, ${verdict}\n`)
  }
} finally {
  data.remove()
  await database?.drop()
}
process.exit(wrongAny ? 1 : 0)

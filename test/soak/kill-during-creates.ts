import { parseArgs } from 'node:util'
import { killDuringCreates } from '../support/creates-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Kills the server with -9 while records are created, restarts it and looks for every record that it acknowledged:
 *
 *   npm run soak -- kill-during-creates                      on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-creates --rounds 50
 *   npm run soak -- kill-during-creates --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * record is lost.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, 'database-url': { type: 'string' } },
})
const rounds = Number(values.rounds)
const serverUrl = values['database-url']

const folder = makeDataFolder()
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak')
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: folder.data } : { DATABASE_URL: database.url }
let round = 0
let lostAny = false
try {
  for await (const { acknowledged, lost } of killDuringCreates(variables, rounds)) {
    round++
    lostAny ||= lost.length > 0
    const verdict = lost.length === 0 ? 'all there' : `LOST ${lost.length}: ${lost.slice(0, 10)}`
    process.stdout.write(`round ${round} of ${rounds}: ${acknowledged} acknowledged, ${verdict}\n`)
  }
} finally {
  folder.remove()
  await database?.drop()
}
process.exit(lostAny ? 1 : 0)

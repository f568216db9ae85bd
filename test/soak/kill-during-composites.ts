import { parseArgs } from 'node:util'
import { killDuringComposites } from '../support/composites-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Kills the server with -9 in the middle of atomic composites, restarts it and looks whether each of them is there as a
 * whole or not at all:
 *
 *   npm run soak -- kill-during-composites            on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-composites --rounds 50 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * composite is there in part, or was acknowledged and is gone.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, 'database-url': { type: 'string' } },
})
const rounds = Number(values.rounds)
const serverUrl = values['database-url']

const folder = makeDataFolder()
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_composite')
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: folder.data } : { DATABASE_URL: database.url }
let round = 0
const total = { acknowledged: 0, cutWhole: 0, cutAbsent: 0, torn: 0 }
try {
  for await (const { acknowledged, cutWhole, cutAbsent, torn } of killDuringComposites(variables, rounds)) {
    round++
    total.acknowledged += acknowledged
    total.cutWhole += cutWhole
    total.cutAbsent += cutAbsent
    total.torn += torn.length
    const verdict = torn.length === 0 ? 'none torn' : `TORN ${torn.length}: ${torn.slice(0, 10)}`
    process.stdout.write(
      `round ${round} of ${rounds}: ${acknowledged} acknowledged, ${cutWhole + cutAbsent} cut off (${cutWhole} whole, ${cutAbsent} absent), ${verdict}\n`,
    )
  }
} finally {
  folder.remove()
  await database?.drop()
}
process.stdout.write(`${JSON.stringify(total)}\n`)
process.exit(total.torn > 0 ? 1 : 0)

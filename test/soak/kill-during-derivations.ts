import { parseArgs } from 'node:util'
import { killDuringDerivations, type Load, STANDARD_OBJECTS } from '../support/derivations-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { ROLL_UP_DEPLOYMENT, ROLL_UPS } from '../support/roll-ups-under-load.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Kills the server with -9 while sixteen clients write lines, activities and opportunities of the same few parents, restarts it and compares
 * all records with what the platform derives:
 *
 *   npm run soak -- kill-during-derivations              on the embedded engine, in a temporary folder
 *   npm run soak -- kill-during-derivations --roll-ups                  the same with 32 clients and the details of roll-ups
 *   npm run soak -- kill-during-derivations --rounds 20 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * record differs, or a client got a failure or a lock.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    'database-url': { type: 'string' },
    'roll-ups': { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const serverUrl = values['database-url']
const load = (values['roll-ups'] ? ROLL_UPS : STANDARD_OBJECTS) as Load<unknown>

const folder = makeDataFolder()
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_derived')
const variables: Variables = {
  ...(database === undefined ? { OBJECTRY_DATA: folder.data } : { DATABASE_URL: database.url }),
  ...(values['roll-ups'] && { OBJECTRY_DEPLOYMENT: ROLL_UP_DEPLOYMENT() }),
}
let round = 0
let bad = 0
try {
  for await (const { answered, refused, wrong, differing } of killDuringDerivations(
    variables,
    rounds,
    load,
  )) {
    round++
    bad += wrong.length + differing.length
    const found = [...wrong, ...differing]
    const verdict =
      found.length === 0 ? 'all as derived' : `${found.length} WRONG: ${found.slice(0, 5).join('; ')}`
    process.stdout.write(
      `round ${round} of ${rounds}: ${answered} answered, ${refused} refused, ${verdict}\n`,
    )
  }
} finally {
  folder.remove()
  await database?.drop()
}
process.exit(bad > 0 ? 1 : 0)

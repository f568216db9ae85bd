import { parseArgs } from 'node:util'
import { killDuringDeliveries } from '../support/deliveries-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Sends signed deliveries, some of them twice, while the server is killed with -9 and restarted, and looks whether each
 * one that was answered with 200 is processed, and each event once:
 *
 *   npm run soak -- kill-during-deliveries --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run soak -- kill-during-deliveries --deliveries 1000 --kills 3 --slow 200        on the embedded engine
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when
 * anything is lost or done twice.
 */
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '20000' },
    duplicates: { type: 'string', default: '0.3' },
    concurrency: { type: 'string', default: '64' },
    kills: { type: 'string', default: '10' },
    slow: { type: 'string', default: '0' },
    'database-url': { type: 'string' },
  },
})
const serverUrl = values['database-url']
const folder = makeDataFolder()
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak')
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: folder.data } : { DATABASE_URL: database.url }

let isRight = false
try {
  const fire = {
    deliveries: Number(values.deliveries),
    duplicates: Number(values.duplicates),
    concurrency: Number(values.concurrency),
    kills: Number(values.kills),
    slow: Number(values.slow),
  }
  const verdict = await killDuringDeliveries(variables, fire, (line) => process.stdout.write(`${line}\n`))
  const { accepted, events, kills, lost, dead, wrong, latencies, latenciesAtStart, seconds } = verdict
  const shares = (sorted: readonly number[]) => {
    const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1)
    return `median ${at(0.5)}, 95 of 100 ${at(0.95)}, 99 of 100 ${at(0.99)}, most ${at(1)}`
  }
  isRight = lost.length === 0 && wrong.length === 0 && dead === 0
  process.stdout.write(
    `${accepted} accepted in ${seconds.accepting.toFixed(1)} s, the last processed ${seconds.processing.toFixed(1)} s later; ` +
      `${events} events, ${kills} kills\n` +
      `milliseconds to the 200: ${shares(latencies)}\n` +
      `of those that were sent within a second of a start (${latenciesAtStart.length}): ${shares(latenciesAtStart)}\n` +
      `lost ${lost.length} ${lost.slice(0, 5)}, dead ${dead}, done twice or not at all ${wrong.length} ${wrong.slice(0, 5)}\n`,
  )
} finally {
  folder.remove()
  await database?.drop()
}
process.exit(isRight ? 0 : 1)

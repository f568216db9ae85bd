import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { importUnderFire } from '../support/import-under-load.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

/*
 * Kills `objectry import` with -9 in the middle of its work, again and again, runs it again until it comes to its end,
 * and looks whether every row of the file is there once:
 *
 *   npm run soak -- kill-during-import               on the embedded engine, where the server is killed too
 *   npm run soak -- kill-during-import --rounds 20 --rows 20000 --database-url postgres://postgres@127.0.0.1:5432/postgres
 *
 * With a database address it makes a database of its own beside that one and drops it at the end. Ends with 1 when a
 * row is missing or there twice.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '10000' },
    'database-url': { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const serverUrl = values['database-url']

const data = makeDataFolder()
const files = mkdtempSync(join(tmpdir(), 'objectry-soak-import-'))
const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_import')
const variables: Variables =
  database === undefined ? { OBJECTRY_DATA: data.data } : { DATABASE_URL: database.url }
let round = 0
let wrongAny = false
try {
  for await (const { kills, serverKills, wrong } of importUnderFire(
    variables,
    files,
    rounds,
    Number(values.rows),
  )) {
    round++
    wrongAny ||= wrong.length > 0
    const verdict =
      wrong.length === 0 ? 'every row once' : `WRONG ${wrong.length}: ${wrong.slice(0, 10).join('; ')}`
    process.stdout.write(
      `round ${round} of ${rounds}: killed ${kills} times, the server ${serverKills} times, ${verdict}\n`,
    )
  }
} finally {
  data.remove()
  rmSync(files, { recursive: true, force: true })
  await database?.drop()
}
process.exit(wrongAny ? 1 : 0)

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnCommand } from '../support/command-process.ts'
import { KilledServer } from '../support/killed-server.ts'
import { type Round, runKillSoak } from './kills/run-kill-soak.ts'

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

const nameOf = (round: number, n: number) => `r${round} ${n}`

/** The names that are not there exactly once. */
function wrongIn(names: readonly string[], round: number, rows: number): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const wanted = Array.from({ length: rows }, (_, n) => nameOf(round, n))
  return wanted.filter((name) => counts.get(name) !== 1)
}

await runKillSoak({
  numbers: { rounds: 5, rows: 10_000 },
  well: 'every row once',
  async *rounds(variables, { rounds, rows }) {
    const folder = mkdtempSync(join(tmpdir(), 'objectry-soak-import-'))
    const server = await KilledServer.start(variables)
    const isEmbedded = variables.DATABASE_URL === undefined

    async function importFile(round: number): Promise<Round> {
      const file = join(folder, `round${round}.csv`)
      const lines = Array.from({ length: rows }, (_, n) => `${nameOf(round, n)}\n`)
      writeFileSync(file, `Name\n${lines.join('')}`)
      const args = ['import', file, '--object', 'Account', '--batch', '50']
      let kills = 0
      let serverKills = 0
      for (let done = false; !done; ) {
        const child = spawnCommand(args, variables)
        const said = Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)])
        const onServer = isEmbedded && Math.random() < 0.3
        const timer = new AbortController()
        // It is given more time from time to time, so an end comes.
        const killed = sleep(300 + Math.random() * (400 + 200 * kills), undefined, timer).then(
          () => (onServer ? server.end('SIGKILL') : void child.kill('SIGKILL')),
          () => {},
        )
        const [[code], , error] = await said
        timer.abort()
        // Not before the import has ended: where it finds no server it opens the data folder itself.
        if ((await killed) !== undefined) {
          serverKills++
          await server.restart()
        }
        done = code === 0
        if (code === null) kills++
        else if (code !== 0 && !onServer) throw new Error(`the import ended with ${code}: ${error}`)
      }
      const there = await server.query(`SELECT Name FROM Account WHERE Name LIKE 'r${round} %'`)
      const names = there.map(({ Name }) => Name!)
      const results = readFileSync(`${file}.results.csv`, 'utf8').trimEnd().split('\r\n').slice(1)
      const misplaced = results.filter((line, at) => !line.startsWith(`${at + 1},001`))
      if (results.length !== rows) misplaced.push(`${results.length} results`)
      return {
        summary: `killed ${kills} times, the server ${serverKills} times`,
        wrong: [...wrongIn(names, round, rows), ...misplaced],
      }
    }

    try {
      for (let round = 0; round < rounds; round++) yield await importFile(round)
    } finally {
      await server.end()
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

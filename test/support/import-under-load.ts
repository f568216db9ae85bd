import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommandProcess, spawnCommand } from './command-process.ts'
import { type ServerProcess, startServer, type Variables } from './server-process.ts'

/** The end of a file whose import was killed again and again. */
interface ImportRound {
  /** How often it was killed, and the server under it. */
  readonly kills: number
  readonly serverKills: number
  /** Rows that are not there, or more than once, or that the results tell otherwise. */
  readonly wrong: readonly string[]
}

const nameOf = (round: number, n: number) => `r${round} ${n}`

/** The names that are not there exactly once. */
function wrongIn(names: readonly string[], round: number, rows: number): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const wanted = Array.from({ length: rows }, (_, n) => nameOf(round, n))
  return wanted.filter((name) => counts.get(name) !== 1)
}

/**
 * Imports a file of `rows` rows, kills the importing process with -9 after a random time and runs it again, until it
 * comes to its end; as often as asked for. On the embedded engine the server is killed too.
 */
export async function* importUnderFire(
  variables: Variables,
  folder: string,
  rounds: number,
  rows: number,
): AsyncGenerator<ImportRound> {
  let server: ServerProcess = await startServer(variables)
  const embedded = variables.DATABASE_URL === undefined
  try {
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `round${round}.csv`)
      const lines = Array.from({ length: rows }, (_, n) => `${nameOf(round, n)}\n`)
      writeFileSync(file, `Name\n${lines.join('')}`)
      const args = ['import', file, '--object', 'Account', '--batch', '50']
      let kills = 0
      let serverKills = 0
      for (let done = false; !done; ) {
        const child = spawnCommand(args, variables)
        const said = Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)])
        const onServer = embedded && Math.random() < 0.3
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
          server = await startServer(variables)
        }
        done = code === 0
        if (code === null) kills++
        else if (code !== 0 && !onServer) throw new Error(`the import ended with ${code}: ${error}`)
      }
      const soql = `SELECT Name FROM Account WHERE Name LIKE 'r${round} %'`
      const { out } = await runCommandProcess(['query', soql, '--format', 'csv'], variables)
      const wrong = wrongIn(out.trimEnd().split('\r\n').slice(1), round, rows)
      const results = readFileSync(`${file}.results.csv`, 'utf8').trimEnd().split('\r\n').slice(1)
      const misplaced = results.filter((line, at) => !line.startsWith(`${at + 1},001`))
      if (results.length !== rows) misplaced.push(`${results.length} results`)
      yield { kills, serverKills, wrong: [...wrong, ...misplaced] }
    }
  } finally {
    await server.end('SIGTERM')
  }
}

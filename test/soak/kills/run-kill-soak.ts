import { parseArgs } from 'node:util'
import { makeOwnDatabase } from '../../support/own-database.ts'
import { makeDataFolder, type Variables } from '../../support/server-process.ts'

const POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres'

/** The findings of a round. */
export interface Round {
  /** Its numbers, such as `12 acknowledged`. */
  readonly summary: string
  /** Records that are lost, torn or there twice, and everything else that must not be. */
  readonly wrong: readonly string[]
}

interface KillSoak<NumberName extends string, FlagName extends string> {
  /** Options with a number, and their defaults. */
  readonly numbers: Readonly<Record<NumberName, number>>
  readonly flags?: readonly FlagName[]
  readonly needsPostgres?: boolean
  /** The verdict on a round with nothing wrong. */
  readonly well: string
  /** @param variables name the empty database of the soak */
  rounds(
    variables: Variables,
    options: Readonly<Record<NumberName, number> & Record<FlagName, boolean>>,
  ): AsyncGenerator<Round>
}

export const say = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Runs a soak as the program of this process, which ends with 1 when anything was wrong. Without `--database-url` it gets a folder for
 * the embedded engine, with it a database of its own beside that one. Both are removed at the end.
 */
export async function runKillSoak<NumberName extends string, FlagName extends string = never>({
  numbers,
  flags = [],
  needsPostgres = false,
  well,
  rounds,
}: KillSoak<NumberName, FlagName>): Promise<never> {
  const { values: given } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
      'database-url': { type: 'string', ...(needsPostgres && { default: POSTGRES }) },
    },
  })
  const values: Readonly<Record<string, string | boolean | undefined>> = given
  const options = Object.fromEntries([
    ...Object.entries<number>(numbers).map(([name, usual]) => [name, Number(values[name] ?? usual)]),
    ...flags.map((name) => [name, values[name] ?? false]),
  ])
  const serverUrl = values['database-url'] as string | undefined
  const folder = makeDataFolder()
  const database = serverUrl === undefined ? undefined : await makeOwnDatabase(serverUrl, 'soak_kill')
  const variables: Variables =
    database === undefined ? { OBJECTRY_DATA: folder.data } : { DATABASE_URL: database.url }
  let round = 0
  let failed = 0
  try {
    for await (const { summary, wrong } of rounds(variables, options)) {
      round++
      if (wrong.length > 0) failed++
      const verdict = wrong.length === 0 ? well : `WRONG ${wrong.length}: ${wrong.slice(0, 10).join('; ')}`
      const head = options.rounds === undefined ? '' : `round ${round} of ${options.rounds}: `
      say(`${head}${summary}, ${verdict}`)
    }
  } finally {
    folder.remove()
    await database?.drop()
  }
  process.exit(failed > 0 ? 1 : 0)
}

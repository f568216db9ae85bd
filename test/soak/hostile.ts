import { parseArgs } from 'node:util'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'
import type { Bounds } from './faults/bounds.ts'
import { attack } from './hostile/attack.ts'
import { openPlace } from './hostile/place.ts'
import { describeAttack, findExcesses, findWrongAnswers } from './hostile/report.ts'
import { allRequests } from './hostile/requests/all.ts'
import { crowdRequests } from './hostile/requests/costly.ts'

/*
 * Sends a server what no caller means: more than a thousand requests by name, one after the other, then ones that are made of
 * them by chance, several at a time. Meanwhile others call each API. Looks what is answered, what holds the event loop
 * (measured inside the server), how long the others wait and how much memory is held:
 *
 *   npm run soak -- hostile                                    ten minutes on each engine
 *   npm run soak -- hostile --engine postgres --only JSON --minutes 1
 *   npm run soak -- hostile --seed 7
 *
 * PostgreSQL is that of TEST_DATABASE_URL. Ends with 1 when a request is answered with 500 or not at all, the server ends or
 * logs a failure of its own, a call of the others fails, or, on PostgreSQL, a bound of time or memory is broken.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'idle-seconds': { type: 'string', default: '30' },
    'at-once': { type: 'string', default: '3' },
  },
})

const BOUNDS: Bounds = { statementSeconds: 15, connectionSeconds: 5, lockSeconds: 3, stopSeconds: 10 }

const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Engine {
  readonly name: string
  /** True if times are judged, and 503 for other callers. An embedded engine carries statements out one after the other. */
  readonly isJudged: boolean
  open(): Promise<{ readonly variables: Variables; remove(): Promise<void> | void } | string>
}

const ENGINES: readonly Engine[] = [
  {
    name: 'postgres',
    isJudged: true,
    async open() {
      const url = process.env.TEST_DATABASE_URL
      if (url === undefined) return 'TEST_DATABASE_URL is not set'
      const database = await makeOwnDatabase(url, 'soak_hostile')
      return { variables: { DATABASE_URL: database.url }, remove: database.drop }
    },
  },
  {
    name: 'pglite',
    isJudged: false,
    async open() {
      const folder = makeDataFolder()
      return { variables: { OBJECTRY_DATA: folder.data }, remove: folder.remove }
    },
  },
]

/** @returns what is wrong */
async function tryEngine({ name, isJudged, open }: Engine): Promise<string[]> {
  const database = await open()
  if (typeof database === 'string') {
    say(`${name}: SKIPPED, ${database}`)
    return []
  }
  say(name)
  try {
    const location = await openPlace(database.variables, BOUNDS)
    const interrupt = () =>
      void location
        .close()
        .then(() => database.remove())
        .finally(() => process.exit(130))
    process.once('SIGINT', interrupt)
    try {
      const words = values.only.split(',').filter((word) => word !== '')
      const requests = allRequests(location).filter(
        (request) =>
          words.length === 0 ||
          words.some((word) => request.kind.includes(word) || request.name.includes(word)),
      )
      const shown = await attack(location, {
        requests,
        crowds: crowdRequests(location).filter((one) => requests.some(({ name }) => name === one.name)),
        seed: Number(values.seed),
        idleSeconds: Number(values['idle-seconds']),
        seconds: Number(values.minutes) * 60,
        atOnce: Number(values['at-once']),
        withSlow: Number(values.minutes) >= 2,
        say,
      })
      say(`\n${describeAttack(shown)}\n`)
      const excesses = findExcesses(shown)
      if (!isJudged && excesses.length > 0) say(`not judged on this engine:\n${excesses.join('\n')}\n`)
      return [...findWrongAnswers(shown, !isJudged), ...(isJudged ? excesses : [])].map(
        (line) => `${name}: ${line}`,
      )
    } finally {
      process.off('SIGINT', interrupt)
      await location.close()
    }
  } finally {
    await database.remove()
  }
}

const failures: string[] = []
for (const engine of ENGINES) {
  if ((values.engine ?? engine.name) === engine.name) failures.push(...(await tryEngine(engine)))
}
say(failures.length === 0 ? 'all well' : `FAILED\n${failures.join('\n')}`)
process.exit(failures.length === 0 ? 0 : 1)

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Cleanup, makeFolder, type Place, placeSettings, say } from './environment.ts'
import { median } from './median.ts'
import { awaitAnswer, type BenchServer, launchServer, ROOT } from './server.ts'

/** Upper bounds that a start or an idle server is to keep. */
export interface StartResult {
  readonly title: string
  readonly unit: 's' | 'MB'
  readonly value: number
  readonly required: number
  readonly goal: number
}

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

const COMMAND = 'bin/objectry.js'

/** Starts the server as people do. The seconds end with its first token. */
async function start(
  environment: Record<string, string>,
  { clientId, clientSecret }: Credentials,
): Promise<{ server: BenchServer; seconds: number }> {
  const begun = performance.now()
  const server = await launchServer(COMMAND, ['serve'], environment)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const ask = () => fetch(`${server.origin}/services/oauth2/token`, { method: 'POST', body })
  await awaitAnswer(ask, server.child, 5)
  return { server, seconds: (performance.now() - begun) / 1000 }
}

const IDLE_MS = 10_000
const BYTES_PER_MIB = 2 ** 20

/** Memory some time after the start, in megabytes. */
async function measureIdle(server: BenchServer): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  return (server.memory() * BYTES_PER_MIB) / 1e6
}

/** Registers an app with the org of a dataset, which has none. */
function createApp(environment: Record<string, string>): Credentials {
  const args = [join(ROOT, COMMAND), 'app', 'create', 'Bench', '--run-as', 'bench@objectry.local']
  const text = execFileSync(process.execPath, args, {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  const read = (what: string) => new RegExp(`${what}\\s+(\\S+)`).exec(text)![1]!
  return { clientId: read('client id'), clientSecret: read('client secret') }
}

/** Starts a server some times on the same data. */
async function measureStarts(
  title: string,
  environment: Record<string, string>,
  credentials: Credentials,
  rounds: number,
  cleanup: Cleanup,
): Promise<{ seconds: number; megabytes: number }> {
  const seconds: number[] = []
  const megabytes: number[] = []
  for (let round = 0; round < rounds; round++) {
    say(`${title}, round ${round + 1}`)
    const started = await start(environment, credentials)
    cleanup.add(() => started.server.stop())
    seconds.push(started.seconds)
    megabytes.push(await measureIdle(started.server))
    await started.server.stop()
  }
  return { seconds: median(seconds), megabytes: median(megabytes) }
}

const FIRST_APP: Credentials = { clientId: 'bench', clientSecret: 'a secret of the bench' }

/** First starts on empty folders, then starts on the last of them. */
async function measureEmbedded(rounds: number, cleanup: Cleanup): Promise<{ first: number; idle: number }> {
  const firsts: number[] = []
  let environment: Record<string, string> = {}
  for (let round = 0; round < rounds; round++) {
    say(`first start, embedded, round ${round + 1}`)
    environment = {
      ...placeSettings({ folder: makeFolder(cleanup) }),
      OBJECTRY_CLIENT_ID: FIRST_APP.clientId,
      OBJECTRY_CLIENT_SECRET: FIRST_APP.clientSecret,
    }
    const { server, seconds } = await start(environment, FIRST_APP)
    cleanup.add(() => server.stop())
    firsts.push(seconds)
    await server.stop()
  }
  const { megabytes } = await measureStarts('start, embedded', environment, FIRST_APP, rounds, cleanup)
  return { first: median(firsts), idle: megabytes }
}

/**
 * Starts and idle memory, medians of some rounds.
 * @param place the data of ours; on PostgreSQL, the server is started on it
 */
export async function measureAllStarts(
  place: Place,
  rounds: number,
  cleanup: Cleanup,
): Promise<StartResult[]> {
  const results: StartResult[] = []
  const add = (title: string, unit: StartResult['unit'], value: number, required: number, goal: number) =>
    results.push({ title, unit, value, required, goal })
  if ('url' in place) {
    const environment = placeSettings(place)
    const credentials = createApp(environment)
    const found = await measureStarts('start, PostgreSQL', environment, credentials, rounds, cleanup)
    add('start on data, PostgreSQL, first token', 's', found.seconds, 0.6, 0.3)
    add('idle memory, PostgreSQL', 'MB', found.megabytes, 125, 100)
  }
  const { first, idle } = await measureEmbedded(rounds, cleanup)
  add('first start, embedded, first token', 's', first, 1.5, 0.8)
  add('idle memory, embedded', 'MB', idle, 380, 300)
  return results
}

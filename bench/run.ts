import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compareAnswers } from './compare-answers.ts'
import { readDatabaseSize } from './database.ts'
import { Cleanup, type Place, prepareBaseline, prepareObjectry, type Scale, say } from './environment.ts'
import { type Measure, measure, type Side } from './load.ts'
import { checkPeer, preparePeers } from './peers.ts'
import { ROOT } from './server.ts'
import { measureAllStarts } from './starts.ts'
import { makeComparison, makeDetails, makePeers, makeScales, makeTable, type Result } from './tables.ts'
import { type NamedWorkload, OWN_WORKLOADS, WORKLOADS } from './workloads.ts'

/*
 * `npm run bench`: our server against the independent baseline (`bench/baseline.ts`), on the same machine and engine, each on
 * data of its own that was filled alike. First their answers are compared byte by byte. Then each workload runs in rounds,
 * in each round on all sides, the first one another each time. Printed are medians.
 *
 * --table              besides, what is required and what was measured, with starts and idle memory
 * --scales             read, create, update, filter and page with ten times as many records, and the quotient of the cost
 * --against <folder>   a second Objectry of another checkout, filled by its own code, and the quotient to ours; with it
 *                      --only takes contact,opportunity,task,creates, too, which the baseline does not have
 * --peers              PostGraphile and Parse Server as two further sides, and whether ours is behind one; they are
 *                      installed from npm into the folder for temporary files when they are missing. Not with --scales
 * --engine postgres|pglite, --accounts 100000, --contacts 20000, --concurrency 16, --only read,page,starts,
 * --rounds 3, --seconds 4, --warmup 1
 *
 * PostgreSQL is the one of BENCH_DATABASE_URL, on this machine; each side has a database of its own, which is dropped.
 */
const { values: options } = parseArgs({
  options: {
    table: { type: 'boolean', default: false },
    scales: { type: 'boolean', default: false },
    against: { type: 'string' },
    peers: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'postgres' },
    accounts: { type: 'string', default: '100000' },
    contacts: { type: 'string' },
    concurrency: { type: 'string', default: '16' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '1' },
  },
})

const CONTACTS = 20_000
/** How many contacts there are for an account when two amounts of data are compared. */
const SCALED_CONTACTS = 3
/** Starts and idle memory, which `--only` may name beside the workloads; they are in the table only. */
const STARTS = 'starts'
const SCALED_WORKLOADS = 'read,filter,page,update,create'

const print = (lines: readonly string[]) => console.log(`${lines.join('\n')}\n`)

function chooseWorkloads(names: string): NamedWorkload[] {
  return names
    .split(',')
    .filter(Boolean)
    .map((name) => {
      const workload = WORKLOADS[name] ?? (options.against === undefined ? undefined : OWN_WORKLOADS[name])
      if (workload !== undefined) return { name, ...workload }
      throw new Error(
        `unknown workload ${name}; choose from ${[...Object.keys(WORKLOADS), STARTS].join(', ')}`,
      )
    })
}

/** The sides that have what a workload needs. */
const serving = (all: readonly Side[], { name: workload, target }: NamedWorkload) =>
  all.filter(({ name, works }) =>
    works === undefined ? target !== undefined || name !== 'baseline' : workload in works,
  )

/** All workloads in rounds. Who is first has a quieter machine, so the order changes with each round. */
async function measureAll(all: readonly Side[], names: string): Promise<Result[]> {
  const results: Result[] = []
  for (const workload of chooseWorkloads(names)) {
    const sides = serving(all, workload)
    for (const connections of options.concurrency.split(',').map(Number)) {
      const rounds: Partial<Record<Side['name'], Measure[]>> = {}
      const run = (side: Side, seconds: number) => measure(side, workload, connections, seconds)
      for (const side of workload.isWalk ? [] : sides) await run(side, Number(options.warmup))
      for (let round = 0; round < Number(options.rounds); round++) {
        for (let turn = 0; turn < sides.length; turn++) {
          const side = sides[(round + turn) % sides.length]!
          const measured = await run(side, Number(options.seconds))
          const rounded = [measured.rate, measured.serverCpu, measured.databaseCpu ?? 0].map((n) =>
            n.toFixed(3),
          )
          say(
            `${workload.title}, ${connections} at once, round ${round + 1}, ${side.name}: ${rounded.join(', ')}`,
          )
          rounds[side.name] = [...(rounds[side.name] ?? []), measured]
        }
      }
      results.push({ workload, connections, rounds })
    }
  }
  return results
}

/** Fills and starts all sides, and checks that they answer the same. */
async function prepare(
  scale: Scale,
  names: string,
  cleanup: Cleanup,
): Promise<{ sides: readonly Side[]; place: Place }> {
  const { side: ours, place } = await prepareObjectry('ours', ROOT, scale, cleanup)
  const sides = [ours, await prepareBaseline('baseline', ours, scale, cleanup)]
  if (options.against !== undefined) {
    const other = await prepareObjectry('other', resolve(options.against), scale, cleanup)
    sides.push(other.side)
  }
  say('Comparing the answers')
  for (const workload of chooseWorkloads(names)) await compareAnswers(serving(sides, workload), [workload])
  if (!options.peers) return { sides, place }
  const peers = await preparePeers(ours.ids, scale, cleanup)
  say('Checking what the peers answer')
  for (const { name, title } of chooseWorkloads(names)) {
    for (const peer of peers) {
      const work = peer.works?.[name]
      if (work !== undefined) await checkPeer(peer, title, work, scale)
    }
  }
  return { sides: [...sides, ...peers], place }
}

const scaleOf = (accounts: number, contacts: number): Scale => {
  if (options.engine !== 'postgres' && options.engine !== 'pglite') {
    throw new Error(`unknown engine ${options.engine}; choose postgres or pglite`)
  }
  if (options.peers && options.engine !== 'postgres') throw new Error('the peers need --engine postgres')
  return { engine: options.engine, accounts, contacts }
}

async function compareScales(cleanup: Cleanup): Promise<void> {
  const small = Number(options.accounts)
  const contacts = Number(options.contacts ?? small * SCALED_CONTACTS)
  const names = options.only ?? SCALED_WORKLOADS
  const sides: Side[] = []
  for (const [factor, prefix] of [
    [1, ''],
    [10, 'large_'],
  ] as const) {
    const scale = scaleOf(small * factor, contacts * factor)
    const { side: ours, place } = await prepareObjectry(`${prefix}ours`, ROOT, scale, cleanup)
    const pair = [ours, await prepareBaseline(`${prefix}baseline`, ours, scale, cleanup)]
    await compareAnswers(pair, chooseWorkloads(names))
    if ('url' in place) {
      say(`The database of ${ours.name} has ${((await readDatabaseSize(place.url)) / 1e6).toFixed(0)} MB`)
    }
    sides.push(...pair)
  }
  print(makeScales([small, small * 10], await measureAll(sides, names)))
}

async function main(cleanup: Cleanup): Promise<void> {
  if (options.scales) return compareScales(cleanup)
  const asked = options.only?.split(',') ?? [...Object.keys(WORKLOADS), STARTS]
  const names = asked.filter((name) => name !== STARTS).join(',')
  const scale = scaleOf(Number(options.accounts), Number(options.contacts ?? CONTACTS))
  const { sides, place } = await prepare(scale, names, cleanup)
  const results = await measureAll(sides, names)
  if (options.against !== undefined) print(makeComparison(results))
  const compared = results.filter(({ rounds }) => rounds.baseline !== undefined)
  print(makeDetails(compared))
  if (options.peers) print(makePeers(compared))
  say(
    `Memory after the load: ${sides.map(({ name, server }) => `${name} ${server.memory().toFixed(0)} MiB`).join(', ')}`,
  )
  if (!options.table) return
  for (const { server } of sides) await server.stop()
  const hasStarts = asked.includes(STARTS)
  print(makeTable(compared, hasStarts ? await measureAllStarts(place, Number(options.rounds), cleanup) : []))
}

const cleanup = new Cleanup()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cleanup.run()
    process.exit(1)
  })
}
try {
  await main(cleanup)
} finally {
  await cleanup.run()
}

import { parseArgs } from 'node:util'
import pg from 'pg'
import { Sessions } from '../src/auth/tokens/sessions.ts'
import { systemClock } from '../src/base/clock.ts'
import { readDefinitions } from '../src/definitions/files/read-definitions.ts'
import type { DefinitionFiles } from '../src/definitions/formats/object-file.ts'
import { provisionOrg } from '../src/orgs/provision-org.ts'
import { deploySchema } from '../src/schema/change/deploy.ts'
import { findFormulaProblems } from '../src/schema/formulas/find-problems.ts'
import { makeSnapshot, requireObject } from '../src/schema/snapshot/snapshot.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import { Cleanup, makePlace, placeSettings } from './environment.ts'
import { median } from './median.ts'
import { startOurs } from './server.ts'

/*
 * `node bench/formulas.ts`: a page of 2,000 records with five formula fields against five stored ones, 200 details of one master with two
 * roll-ups against the same without, and what it costs to compile a formula from its text. Options: --engine postgres|pglite,
 * --rounds 40. What is compared takes turns; printed are medians.
 */
const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    rounds: { type: 'string', default: '40' },
  },
})

const FORMULAS = {
  Net__c: { type: 'currency', scale: 2, formula: 'Amount__c * (1 - Discount__c / 100)' },
  Size__c: {
    type: 'string',
    formula: 'IF(Amount__c > 1000, "large", IF(Amount__c > 100, "medium", "small"))',
  },
  Late__c: { type: 'boolean', formula: 'Due__c < DATE(2026, 1, 1)' },
  Region__c: { type: 'string', formula: 'Master__r.Region__c & " / " & Name' },
  Over__c: { type: 'boolean', formula: 'Amount__c > Master__r.Limit__c' },
} as const

const STORED = {
  Net__c: { type: 'currency', scale: 2 },
  Size__c: { type: 'string' },
  Late__c: { type: 'boolean' },
  Region__c: { type: 'string' },
  Over__c: { type: 'boolean' },
} as const

const detail = (master: string, fields: object) => ({
  fields: {
    Master__c: {
      type: 'reference',
      to: master,
      masterDetail: 0,

      relationship: 'Master__r',
    },
    Amount__c: { type: 'currency', scale: 2 },
    Discount__c: { type: 'double', scale: 2 },
    Due__c: { type: 'date' },
    ...fields,
  },
})

const MASTER = { Region__c: { type: 'string' }, Limit__c: { type: 'currency' } }
const rollUp = { object: 'Summed__c', reference: 'Master__c' }

const FILES = {
  valueSets: {},
  permissionSets: {},
  profiles: {},
  settings: {},
  objects: {
    Plain__c: { fields: MASTER },
    Sums__c: {
      fields: {
        ...MASTER,
        Count__c: { type: 'double', rollUp: { ...rollUp, function: 'count' } },
        Sum__c: { type: 'currency', scale: 2, rollUp: { ...rollUp, function: 'sum', field: 'Amount__c' } },
      },
    },
    Computed__c: detail('Plain__c', FORMULAS),
    Stored__c: detail('Plain__c', STORED),
    Summed__c: detail('Sums__c', {}),
    Other__c: detail('Plain__c', {}),
  },
} as unknown as DefinitionFiles

const DETAILS = 200
const PAGE = 2000
const NAMES = Object.keys(FORMULAS).join(', ')
const DATA = '/services/data/v64.0'

const cleanup = new Cleanup()
const place = await makePlace(
  { engine: options.engine as 'postgres' | 'pglite', accounts: 0, contacts: 0 },
  'formulas',
  cleanup,
)
const engine = await openEngine({
  databaseUrl: 'url' in place ? place.url : undefined,
  poolSize: 2,
  data: 'folder' in place ? place.folder : '',
})
await migrate(engine.db)
const { org, userId } = await provisionOrg(
  engine.db,
  'Bench',
  { username: 'bench@objectry.local' },
  new Date(),
)
const { objects, problems } = readDefinitions(FILES)
if (problems.length > 0) throw new Error(JSON.stringify(problems))
const { schema } = await deploySchema(engine.db, org, { objects })
const sessions = new Sessions(engine.db, () => systemClock, 7200)
const token = await sessions.issue({ org, clientId: 'bench', userId, scopes: ['api'], grantType: 'bench' })
await engine.close()
const server = await startOurs(placeSettings(place))
cleanup.add(() => server.stop())

async function call(method: string, path: string, body?: object): Promise<Buffer> {
  const response = await fetch(server.origin + DATA + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${bytes}`)
  return bytes
}

async function create(object: string, records: readonly object[]): Promise<string[]> {
  const typed = records.map((record) => ({ attributes: { type: object }, ...record }))
  const results = JSON.parse(
    String(await call('POST', '/composite/sobjects', { allOrNone: true, records: typed })),
  ) as { id: string; errors: unknown[] }[]
  return results.map(({ id, errors }) => {
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
    return id
  })
}

const amounts = (master: string) =>
  Array.from({ length: DETAILS }, (_, n) => ({
    Master__c: master,
    Amount__c: n * 7.5,
    Discount__c: n % 20,
    Due__c: '2026-02-03',
  }))

/** Milliseconds, medians of turns. */
async function compare(
  works: readonly [() => Promise<() => Promise<unknown>>, () => Promise<() => Promise<unknown>>],
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = -20; round < Number(options.rounds); round++)
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const work = await works[index]()
      const start = performance.now()
      await work()
      if (round >= 0) times[index].push(performance.now() - start)
    }
  return [median(times[0]), median(times[1])]
}

const [plain] = await create('Plain__c', [{ Name: 'Plain', Region__c: 'North', Limit__c: 500 }])
const STORED_VALUES = { Net__c: 1, Size__c: 'small', Late__c: true, Region__c: 'North / x', Over__c: false }
for (let n = 0; n < PAGE; n += DETAILS) {
  await create('Computed__c', amounts(plain!))
  await create(
    'Stored__c',
    amounts(plain!).map((record) => ({ ...record, ...STORED_VALUES })),
  )
}
// A server does this half a minute after such a load.
if ('url' in place) {
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  await client.query('analyze')
  await client.end()
}
const query = (object: string) => async () => () =>
  call(
    'GET',
    `/query?${new URLSearchParams({ q: `SELECT Id, Name, ${NAMES} FROM ${object} LIMIT ${PAGE}` })}`,
  )
/** Masters of their own, which do not grow from round to round. */
const again = (object: string, master: string) => async () => {
  const [id] = await create(master, [{ Name: 'M' }])
  const records = amounts(id!)
  return () => create(object, records)
}

const print = (title: string, [first, second]: [number, number]) =>
  console.log(`| ${title} | ${first.toFixed(2)} | ${second.toFixed(2)} | ${(second / first).toFixed(2)} |`)
console.log(`${options.engine}\n\n| work | ms | ms without | ratio |\n|---|---|---|---|`)
print(
  'page of 2,000, five formulas (two over parents)',
  await compare([query('Computed__c'), query('Stored__c')]),
)
print(
  '200 details of one master, two roll-ups',
  await compare([again('Summed__c', 'Sums__c'), again('Other__c', 'Plain__c')]),
)

const definitions = schema.objects.map(({ definition }) => definition)
const times: number[] = []
for (let round = 0; round < 20; round++) {
  const fresh = makeSnapshot(1, new Date(0), definitions)
  const object = requireObject(fresh, 'Computed__c')
  const start = performance.now()
  findFormulaProblems(object)
  times.push((performance.now() - start) / Object.keys(FORMULAS).length)
}
console.log(`\ncompile from text: ${median(times).toFixed(3)} ms`)
await cleanup.run()
process.exit()

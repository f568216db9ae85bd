import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  credentialsIn,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from '../../support/server-process.ts'
import { writeDeployment } from '../../support/trigger-files.ts'
import { SECRET } from '../../support/webhooks.ts'
import { type Bounds, boundVariables, hangMs } from '../faults/bounds.ts'
import { Client } from '../faults/client.ts'
import { makeAgent } from '../faults/http-call.ts'
import { HoldWatch } from './hold-watch.ts'

const SETUP_LIMIT_MS = 60_000
const SAMPLE_MS = 100

/** The most that V8 may take for the objects of the server. */
export const HEAP_MEGABYTES = 512

/** How many records there are to look through. */
interface Amounts {
  readonly accounts: number
  readonly longTexts: number
}

const USUAL: Amounts = { accounts: 2000, longTexts: 100 }

/** Turns off the bounds of settings, which come on top of those in code. Wrong tokens, passwords and codes are looked at, not only counted. */
const NO_RATES: Variables = {
  OBJECTRY_ALLOCATION: 'unlimited',
  OBJECTRY_TOKEN_ERRORS: '0',
  OBJECTRY_DEVICE_STARTS: '0',
  OBJECTRY_LOGIN_ERRORS: '0',
  OBJECTRY_PASSWORD_ERRORS: '0',
  OBJECTRY_CODE_ERRORS: '0',
}

const FILES = {
  'resources/echo.ts': 'export default { path: "/echo", GET: () => "ok", POST: ({ body }) => typeof body }',
  'resources/hook.ts': `import { webhook } from 'objectry'
export default webhook({ path: '/hook', secret: ${JSON.stringify(SECRET)}, eventId: 'id', object: 'Event__c', async process() {} })`,
  'objects/Event__c.yaml':
    'fields:\n  Key__c: { type: string, length: 80, externalId: true, unique: true, caseSensitive: true }\n',
  'objects/Long__c.yaml': `fields:
  Key__c: { type: string, length: 80, externalId: true, unique: true }
  Text__c: { type: longtextarea, length: 32768 }
  Other__c: { type: longtextarea, length: 32768 }
  Account__c: { type: reference, to: Account, relationship: Longs }
`,
  'objects/Ruled__c.yaml': `fields:
  Text__c: { type: longtextarea, length: 131072 }
  Pattern__c: { type: string, length: 255 }
  Picks__c: { type: multipicklist, values: [${Array.from({ length: 300 }, (_, i) => `v${i}`).join(', ')}] }
validations:
  Literal:
    condition: 'REGEX(Text__c, "(?s).*[0-9].{0,60}@.{0,60}z.*")'
    message: no
  OfField:
    condition: 'AND(NOT(ISBLANK(Pattern__c)), REGEX(Text__c, Pattern__c))'
    message: no
`,
}

/** A server with records and code, somebody who may do everything in it, and what is seen of it from outside and inside. */
export interface Location {
  readonly addresses: Readonly<Record<'main' | 'site', string>>
  readonly token: string
  readonly revokedToken: string
  readonly clientId: string
  readonly clientSecret: string
  readonly accountId: string
  /** Of a version of a file of 750 kB. */
  readonly fileId: string
  readonly holds: HoldWatch
  readonly boundMs: number
  /** Failures of its own that the server has logged. */
  readonly failures: readonly string[]
  /** Resident memory in megabytes, now and the most since it was last asked for. */
  memory(): { readonly now: number; readonly max: number }
  isAlive(): boolean
  close(): Promise<void>
}

async function fill(client: Client, { accounts, longTexts }: Amounts) {
  const succeed = async (method: string, path: string, body?: unknown) => {
    const answer = await client.call(method, path, body)
    if (!answer.isOk) throw new Error(`${method} ${path}: ${answer.label} ${answer.text.slice(0, 500)}`)
    return answer.body
  }
  const insert = (records: readonly object[]) => succeed('POST', '/composite/sobjects', { records })
  let accountId = ''
  for (let made = 0; made < accounts; made += 200) {
    const [first] = await insert(
      Array.from({ length: 200 }, (_, i) => ({
        attributes: { type: 'Account' },
        Name: `growth ${made + i}`,
        Phone: String(i),
        AnnualRevenue: i + 0.5,
      })),
    )
    accountId ||= first.id
  }
  for (let made = 0; made < longTexts; made += 50) {
    const text = 'long text '.repeat(3200)
    await insert(
      Array.from({ length: 50 }, (_, i) => ({
        attributes: { type: 'Long__c' },
        Key__c: `long${made + i}`,
        Text__c: text,
        Other__c: text,
        Account__c: accountId,
      })),
    )
  }
  for (const name of ['echo', 'hook']) await succeed('POST', `/setup/orgs/current/resources/${name}/open`, {})
  const file = { Title: 'file', PathOnClient: 'file.bin', VersionData: 'QUFB'.repeat(250_000) }
  const { id: fileId } = await succeed('POST', '/sobjects/ContentVersion', file)
  return { accountId, fileId }
}

/** Returns the facts that callers and attackers need to know of a server that has started for the first time. */
async function prepare({ address, greeting }: ServerProcess, amounts: Amounts) {
  const credentials = credentialsIn(greeting)!
  const token = await fetchToken(address, credentials)
  const revokedToken = await fetchToken(address, credentials)
  await fetch(`${address}/services/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: revokedToken }),
  })
  const records = await fill(new Client(address, token, SETUP_LIMIT_MS, makeAgent()), amounts)
  const main = address
  const site = /public site is at (http:\/\/[^\s]+)\./.exec(greeting)![1]!
  return { ...credentials, token, revokedToken, ...records, addresses: { main, site } }
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Starts a server on an empty database. */
export async function openPlace(database: Variables, bounds: Bounds, amounts = USUAL): Promise<Location> {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-hostile-'))
  const probe = join(folder, 'probe')
  const server = await startServer({
    ...database,
    ...boundVariables(bounds),
    ...NO_RATES,
    OBJECTRY_LOG_LEVEL: 'error',
    OBJECTRY_DEPLOYMENT: writeDeployment(FILES),
    NODE_ENV: 'production',
    EVENT_LOOP_PROBE: probe,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES} --import ${pathToFileURL(join(import.meta.dirname, 'event-loop-probe.ts'))}`,
  })
  const failures: string[] = []
  server.child.stdout!.on('data', (text) => failures.push(...String(text).split('\n').filter(Boolean)))
  server.child.stderr!.on('data', (text) => failures.push(String(text)))
  const known = await prepare(server, amounts).catch(async (error) => {
    await server.end('SIGKILL')
    throw error
  })
  const holds = await HoldWatch.open(probe)
  const { pid } = server.child
  let max = 0
  const resident = () => {
    const megabytes = server.child.exitCode === null ? residentMegabytes(pid!) : 0
    max = Math.max(max, megabytes)
    return megabytes
  }
  const sampling = setInterval(resident, SAMPLE_MS)
  return {
    ...known,
    holds,
    boundMs: hangMs(bounds),
    failures,
    memory() {
      const megabytes = resident()
      const result = { now: megabytes, max }
      max = megabytes
      return result
    },
    isAlive: () => server.child.exitCode === null && server.child.signalCode === null,
    async close() {
      clearInterval(sampling)
      holds.close()
      await Promise.race([server.end('SIGTERM'), sleep(bounds.stopSeconds * 1000 + 2000)])
      await server.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { type BrowserClient, openBrowserClient, PASSWORD, USERNAME } from '../support/browser-client.ts'
import { fetchSteps } from '../support/deploying.ts'
import { makeAnswer } from '../support/org.ts'

/*
 * Requests that clients of the platform have sent, and what it answers: a line of `recorded/requests.jsonl` for each, with the steps that
 * lead there. `~` is the path of a version, `{{A}}` what an earlier step has saved, `{{R}}` a number of the case's own.
 */

const FOLDER = join(import.meta.dirname, 'recorded')

interface Step {
  readonly method: string
  readonly path: string
  readonly version?: string
  /** A text is sent as it is, packed when it begins with `@gzip:`. */
  readonly body?: unknown
  /** The first record of the body is sent so many times. */
  readonly times?: number
  /** Null: not sent. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Names of values, with the member of the answer that has them, or its header: `@location`. */
  readonly save?: Readonly<Record<string, string>>
  /** A member of the answer and its values at last. */
  readonly until?: readonly [string, readonly string[]]
}

/** Of the last answer. */
interface Expected {
  readonly status?: number | readonly number[]
  /** A part of the body: members that it must have; a text that begins with `~/re/` is a regular expression. */
  readonly body?: unknown
  readonly text?: readonly string[]
  readonly not?: readonly string[]
  readonly header?: Readonly<Record<string, string>>
}

interface Recorded {
  readonly name: string
  readonly steps: readonly Step[]
  readonly expect: Expected
}

const RECORDED = readFileSync(join(FOLDER, 'requests.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

const MAX_TRIES = 60
const PAUSE_MS = 250

let o: BrowserClient
let number = Date.now() % 1e8

before(async () => {
  o = await openBrowserClient({ settings: { allowPasswordFlow: 'true' } })
  const files = readdirSync(join(FOLDER, 'objects'))
  await fetchSteps(
    o,
    Object.fromEntries(
      files.map((file) => [
        basename(file, '.yaml'),
        parse(readFileSync(join(FOLDER, 'objects', file), 'utf8')),
      ]),
    ),
  )
})

type Values = Record<string, string>

/** @param text JSON */
const fillText = (text: string, values: Values) =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
  })

const fill = <T>(value: T, values: Values): T => JSON.parse(fillText(JSON.stringify(value), values))

function makePayload({ body, times = 1 }: Step): string | Buffer | undefined {
  if (typeof body === 'string')
    return body.startsWith('@gzip:') ? gzipSync(body.slice('@gzip:'.length)) : body
  if (body === undefined) return undefined
  if (times === 1) return JSON.stringify(body)
  const { records, ...rest } = body as { records: readonly unknown[] }
  return JSON.stringify({ ...rest, records: Array.from({ length: times }, () => records[0]) })
}

async function send(step: Step) {
  const { method, version = '64.0', headers } = step
  const payload = makePayload(step)
  const all = {
    host: o.host,
    authorization: `Bearer ${o.token}`,
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  const answer = await o.server.inject({
    method: method as 'GET',
    url: step.path.replaceAll('~', `/services/data/v${version}`),
    headers: Object.fromEntries(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null),
    ),
    ...(payload !== undefined && { payload }),
  })
  const isPacked = answer.headers['content-encoding'] === 'gzip'
  return makeAnswer(isPacked ? { ...answer, body: gunzipSync(answer.rawPayload).toString() } : answer)
}

async function takeStep(step: Step) {
  for (let tries = 1; ; tries++) {
    const answer = await send(step)
    if (step.until === undefined) return answer
    const [member, values] = step.until
    if (values.includes(answer.body?.[member]) || tries === MAX_TRIES) return answer
    await sleep(PAUSE_MS)
  }
}

const find = (body: unknown, path: string) =>
  path.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)?.[name], body)

/** Returns the first difference, or undefined if there is none. */
function findDifference(wanted: unknown, given: unknown, path = 'body'): string | undefined {
  const shown = `${path}: ${JSON.stringify(given)}, wanted ${JSON.stringify(wanted)}`
  if (typeof wanted === 'string' && wanted.startsWith('~/re/'))
    return new RegExp(wanted.slice('~/re/'.length), 's').test(String(given)) ? undefined : shown
  if (typeof wanted !== 'object' || wanted === null) return wanted === given ? undefined : shown
  if (typeof given !== 'object' || given === null) return shown
  if (Array.isArray(wanted) && (given as unknown[]).length !== wanted.length) return shown
  for (const [name, value] of Object.entries(wanted)) {
    const difference = findDifference(value, (given as Record<string, unknown>)[name], `${path}.${name}`)
    if (difference !== undefined) return difference
  }
  return undefined
}

async function play({ steps, expect }: Recorded): Promise<void> {
  const values: Values = {
    R: String(number++),
    TOKEN: o.token,
    CLIENT: o.clientId,
    SECRET: o.clientSecret,
    USERNAME: encodeURIComponent(USERNAME),
    PASSWORD: encodeURIComponent(PASSWORD),
  }
  let last: Awaited<ReturnType<typeof takeStep>> | undefined
  for (const step of steps) {
    last = await takeStep(fill(step, values))
    for (const [name, member] of Object.entries(step.save ?? {})) {
      const { headers, body } = last
      values[name] = String(member.startsWith('@') ? headers[member.slice(1)] : find(body, member))
    }
  }
  const { status, body, text, header } = fill(expect, values)
  const { text: sent } = last!
  if (status !== undefined) assert.ok([status].flat().includes(last!.status), `${last!.status} ${sent}`)
  if (body !== undefined) assert.equal(findDifference(body, last!.body), undefined)
  for (const part of text ?? []) assert.ok(sent.includes(part), `${part} is not in ${sent}`)
  for (const part of fill(expect.not ?? [], values)) assert.ok(!sent.includes(part), `${part} is in ${sent}`)
  for (const [name, pattern] of Object.entries(header ?? {}))
    assert.match(String(last!.headers[name]), new RegExp(pattern))
}

describe('what clients of the platform have sent is answered as there:', () => {
  for (const recorded of RECORDED) test(recorded.name, () => play(recorded))
})

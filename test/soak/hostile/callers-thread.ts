import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { step } from '../../support/composite.ts'
import { makeSignature } from '../../support/webhooks.ts'
import { makeAgent, sendHttp } from '../faults/http-call.ts'
import type { CallerCall } from './callers.ts'
import { now } from './hold-watch.ts'

export interface CallersPlace {
  readonly address: string
  readonly siteAddress: string
  readonly token: string
  readonly clientId: string
  readonly clientSecret: string
  /** Of a record that they read and change. */
  readonly accountId: string
  /** Between two calls of a kind, in milliseconds; the next begins whether or not the last was answered. */
  readonly pauseMs: number
}

const LIMIT_MS = 60_000
const DATA = '/services/data/v64.0'

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly isOnSite?: boolean
}

const location = workerData as CallersPlace
const { accountId, clientId, clientSecret } = location
const calls: CallerCall[] = []
const underWay = new Set<Promise<void>>()
const agent = makeAgent()
let number = 0

const get = (path: string): Sent => ({ method: 'GET', path })
const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body })

/** One of each API. */
const KINDS: Readonly<Record<string, () => Sent>> = {
  read: () => get(`${DATA}/sobjects/Account/${accountId}`),
  create: () => post(`${DATA}/sobjects/Account`, { Name: `caller ${number++}` }),
  update: () => ({
    method: 'PATCH',
    path: `${DATA}/sobjects/Account/${accountId}`,
    body: { Phone: String(number++) },
  }),
  query: () =>
    get(`${DATA}/query?q=${encodeURIComponent(`SELECT Id, Name FROM Account WHERE Id = '${accountId}'`)}`),
  composite: () =>
    post(`${DATA}/composite`, {
      allOrNone: true,
      compositeRequest: [
        step('POST', '/sobjects/Account', { Name: `composite ${number++}` }, 'account'),
        step('POST', '/sobjects/Contact', { LastName: 'c', AccountId: '@{account.id}' }, 'contact'),
      ],
    }),
  GraphQL: () =>
    post(`${DATA}/graphql`, {
      query: '{uiapi{query{Account(first:3){edges{node{Id Name{value}}}}}}}',
    }),
  search: () => get(`${DATA}/search?q=${encodeURIComponent('FIND {growth} RETURNING Account(Id)')}`),
  describe: () => get(`${DATA}/sobjects/Contact/describe`),
  token: () => ({
    method: 'POST',
    path: '/services/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  }),
  'custom resource': () => post('/services/customrest/echo', { a: number++ }),
  site: () => ({ ...post('/services/customrest/echo', { a: number++ }), isOnSite: true }),
  webhook: () => {
    const body = JSON.stringify({ id: `caller-${number++}` })
    return {
      method: 'POST',
      path: '/services/customrest/hook',
      body,
      headers: { 'x-hub-signature-256': makeSignature(body) },
      isOnSite: true,
    }
  },
}

async function call(kind: string, { method, path, body, headers, isOnSite }: Sent): Promise<void> {
  const began = now()
  const { status, text } = await sendHttp((isOnSite ? location.siteAddress : location.address) + path, {
    method,
    headers: {
      ...(path.startsWith('/services/oauth2') ? {} : { authorization: `Bearer ${location.token}` }),
      'content-type': 'application/json',
      ...headers,
    },
    body:
      body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body),
    limitMs: LIMIT_MS,
    agent,
  })
  calls.push({ kind, began, ms: now() - began, status: status === 'cut' ? `cut: ${text}` : String(status) })
}

const kinds = Object.entries(KINDS)
const timers = kinds.map(([kind, make], index) => {
  const send = () => {
    const sent = call(kind, make()).finally(() => underWay.delete(sent))
    underWay.add(sent)
  }
  // Not all of them at the same moment.
  return setTimeout(
    () => timers.push(setInterval(send, location.pauseMs)),
    (index * location.pauseMs) / kinds.length,
  )
})

parentPort!.once('message', async () => {
  for (const timer of timers) clearInterval(timer)
  await Promise.race([Promise.all(underWay), sleep(LIMIT_MS)])
  parentPort!.postMessage(calls)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { V64 } from './composite.ts'
import {
  credentialsIn,
  fetchToken,
  type ServerProcess,
  startServer,
  type Variables,
} from './server-process.ts'

/** The state of records whose values follow from each other, after a server with writers was killed. */
export interface Round {
  /** Writes that were answered, and those of them that the server refused for a reason of theirs. */
  readonly answered: number
  readonly refused: number
  /** Answers that no client may get: failures and locks. */
  readonly wrong: readonly string[]
  /** Records by object whose values differ from what the platform derives of the others. */
  readonly differing: readonly string[]
}

/** A write of a client, or undefined if it has nothing to write now. */
type Write =
  | {
      readonly method: string
      readonly object: string
      readonly path: string
      readonly body: object | undefined
    }
  | undefined

/** Ids of the records that a client made, by object, of objects whose records it changes again. */
type Own = Record<string, string[]>

/** The writes of clients while the server is killed. */
export interface Load<Shared> {
  readonly clients: number
  /** Makes the records that all clients share: few, so that they meet. */
  readonly makeShared: (caller: Caller) => Promise<Shared>
  /** Objects whose records a client changes again. */
  readonly own: readonly string[]
  readonly chooseWrite: (shared: Shared, own: Own) => Write
}

export class Caller {
  readonly #address: string
  readonly #token: string

  constructor(address: string, token: string) {
    this.#address = address
    this.#token = token
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const response = await fetch(this.#address + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }

  /** @returns its id */
  async create(object: string, fields: object): Promise<string> {
    const { status, text } = await this.send('POST', `${V64}/sobjects/${object}`, fields)
    if (status !== 201) throw new Error(`create ${object}: ${status} ${text}`)
    return JSON.parse(text).id
  }
}

/** The records that all writers share: few, so that they meet. */
interface Shared {
  readonly accounts: readonly string[]
  readonly contacts: readonly string[]
  readonly campaigns: readonly string[]
  readonly deals: readonly string[]
  readonly entry: string
  readonly product: string
}

async function makeShared(caller: Caller): Promise<Shared> {
  const { text } = await caller.send('GET', `${V64}/query?q=SELECT+Id+FROM+Pricebook2+WHERE+IsStandard=true`)
  const book = JSON.parse(text).records[0].Id as string
  await caller.send('PATCH', `${V64}/sobjects/Pricebook2/${book}`, { IsActive: true })
  const product = await caller.create('Product2', { Name: 'P', IsActive: true })
  const price = { Pricebook2Id: book, Product2Id: product, UnitPrice: 3, IsActive: true }
  const entry = await caller.create('PricebookEntry', price)
  const accounts = [
    await caller.create('Account', { Name: 'A' }),
    await caller.create('Account', { Name: 'B' }),
  ]
  const contacts: string[] = []
  const deals: string[] = []
  const campaigns: string[] = []
  for (const AccountId of accounts) {
    contacts.push(await caller.create('Contact', { LastName: 'C', AccountId }))
    campaigns.push(await caller.create('Campaign', { Name: 'M' }))
    const deal = { Name: 'D', StageName: 'Prospecting', CloseDate: '2026-05-10', AccountId }
    deals.push(await caller.create('Opportunity', deal), await caller.create('Opportunity', deal))
  }
  return { accounts, contacts, campaigns, deals, entry, product }
}

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
const count = () => 1 + Math.floor(Math.random() * 9)
const day = () => `2026-0${count()}-1${count()}`

/** A change, or without a body the deletion, of a record that the client made. */
export function changeOwn(own: Own, object: string, body: object | undefined): Write {
  const ids = own[object]!
  const at = Math.floor(Math.random() * ids.length)
  const [id] = body === undefined ? ids.splice(at, 1) : ids.slice(at, at + 1)
  if (id === undefined) return undefined
  return { method: body === undefined ? 'DELETE' : 'PATCH', object, path: `/${id}`, body }
}

/** A random write: of a new record, or of one that the writer made. */
function chooseWrite(shared: Shared, own: Own): Write {
  const about = () => ({
    WhatId: pick([...shared.deals, ...shared.accounts, null]),
    WhoId: pick(shared.contacts),
  })
  const change = (object: string, body: object | undefined) => changeOwn(own, object, body)
  const add = (object: string, body: object) => ({ method: 'POST', object, path: '', body })
  const choices = [
    () =>
      add('OpportunityLineItem', {
        OpportunityId: pick(shared.deals),
        PricebookEntryId: shared.entry,
        Quantity: count(),
      }),
    () => change('OpportunityLineItem', { UnitPrice: count() }),
    () => change('OpportunityLineItem', undefined),
    () =>
      add('Task', {
        Subject: 'T',
        ...about(),
        ActivityDate: day(),
        Status: pick(['Completed', 'Not Started']),
      }),
    () => change('Task', { Status: pick(['Completed', 'Not Started']), ...pick([{}, about()]) }),
    () => change('Task', undefined),
    () =>
      add('Event', { Subject: 'E', ...about(), StartDateTime: `${day()}T10:00:00Z`, DurationInMinutes: 30 }),
    () => add('Quote', { Name: 'Q', OpportunityId: pick(shared.deals), Tax: count() }),
    () => ({
      method: 'PATCH',
      object: 'Opportunity',
      path: `/${pick(shared.deals)}`,
      body: { Name: `D ${count()}`, AccountId: pick(shared.accounts) },
    }),
    () => ({
      method: 'PATCH',
      object: 'Product2',
      path: `/${shared.product}`,
      body: { Name: `P ${count()}`, ProductCode: `${count()}` },
    }),
    () => ({
      method: 'PATCH',
      object: 'Opportunity',
      path: `/${pick(shared.deals)}`,
      body: {
        StageName: pick(['Prospecting', 'Closed Won', 'Closed Lost']),
        CampaignId: pick(shared.campaigns),
      },
    }),
  ]
  return pick(choices)()
}

const isWrong = (status: number, text: string) => status >= 500 || text.includes('UNABLE_TO_LOCK_ROW')

/** Sixteen clients that write lines, activities and opportunities of the same few parents. */
export const STANDARD_OBJECTS: Load<Shared> = {
  clients: 16,
  makeShared,
  own: ['OpportunityLineItem', 'Task'],
  chooseWrite,
}

async function writeUntilGone<S>(
  caller: Caller,
  load: Load<S>,
  shared: S,
  seen: { answered: number; refused: number; wrong: string[] },
) {
  const own = Object.fromEntries(load.own.map((object): [string, string[]] => [object, []]))
  for (;;) {
    const write = load.chooseWrite(shared, own)
    if (write === undefined) continue
    try {
      const { status, text } = await caller.send(
        write.method,
        `${V64}/sobjects/${write.object}${write.path}`,
        write.body,
      )
      seen.answered++
      if (status >= 400) seen.refused++
      if (isWrong(status, text)) seen.wrong.push(`${write.method} ${write.object}: ${status} ${text}`)
      if (status === 201) own[write.object]?.push(JSON.parse(text).id)
    } catch (error) {
      // The connection broke.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

async function findDiffering(caller: Caller): Promise<string[]> {
  const path = '/setup/orgs/current/recompute'
  const { objects } = JSON.parse((await caller.send('GET', path)).text) as { objects: string[] }
  const found: string[] = []
  for (const object of objects) {
    const { text } = await caller.send('POST', path, { object, check: true })
    for (const { id, fields } of JSON.parse(text).differing) found.push(`${object} ${id}: ${fields}`)
  }
  return found
}

/**
 * Starts a server, lets writers change records that follow from each other, kills it with -9 after a random time, starts it again
 * and compares all records with what the platform derives; as often as asked for, on the same data.
 */
export async function* killDuringDerivations<S>(
  variables: Variables,
  rounds: number,
  load: Load<S>,
): AsyncGenerator<Round> {
  let server: ServerProcess = await startServer(variables)
  try {
    const credentials = credentialsIn(server.greeting)!
    const shared = await load.makeShared(
      new Caller(server.address, await fetchToken(server.address, credentials)),
    )
    for (let round = 0; round < rounds; round++) {
      const seen = { answered: 0, refused: 0, wrong: [] as string[] }
      const caller = new Caller(server.address, await fetchToken(server.address, credentials))
      const writers = Array.from({ length: load.clients }, () => writeUntilGone(caller, load, shared, seen))
      await sleep(1000 + Math.random() * 2000)
      await server.end('SIGKILL')
      await Promise.all(writers)
      server = await startServer(variables)
      const fresh = new Caller(server.address, await fetchToken(server.address, credentials))
      yield { ...seen, differing: await findDiffering(fresh) }
    }
  } finally {
    await server.end('SIGTERM')
  }
}

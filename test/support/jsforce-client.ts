import assert from 'node:assert/strict'
import { Connection } from 'jsforce'
import type { Texts } from '../../src/config/config.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { ACCOUNT } from '../../src/standard/sales/account.ts'
import { openOrg, type TestOrg } from './org.ts'
import { openPort } from './real-port.ts'

/** The jsforce of the registry, unmodified, in front of an org of its own over a real port. */
export interface JsforceClient {
  readonly o: TestOrg
  readonly loginUrl: string
  /** A connection that is signed in. */
  readonly conn: Connection
  /** All calls that were answered since it was last emptied. */
  readonly calls: { readonly method: string; readonly url: string; readonly status: number }[]
  /** A connection that is not signed in. */
  connect(options?: ConstructorParameters<typeof Connection>[0]): Connection
  close(): Promise<void>
}

const KEYS = [
  { name: 'Key__c', label: 'Key', type: 'string', length: 40, externalId: true, unique: true },
  { name: 'Loose_Key__c', label: 'Loose Key', type: 'string', length: 40, externalId: true },
] as const

export const authorize = (connection: Connection) =>
  connection.authorize({ grant_type: 'client_credentials' })

/**
 * Accounts have `Key__c`, which is unique, and `Loose_Key__c`, which is not.
 * @param settings of the server, by their names
 * @param more objects that the org has too
 */
export async function openJsforceClient(
  settings: Texts = {},
  more: readonly ObjectDefinition[] = [],
): Promise<JsforceClient> {
  const o = await openOrg({ settings })
  await o.deploy([{ ...ACCOUNT, fields: [...ACCOUNT.fields, ...KEYS] }, ...more])
  const calls: JsforceClient['calls'][number][] = []
  const { address: loginUrl, close } = await openPort((server) => {
    server.addHook('onSend', async ({ method, url }, { statusCode }) => {
      calls.push({ method, url, status: statusCode })
    })
  }, settings)
  const { clientId, clientSecret } = o
  const connect: JsforceClient['connect'] = (options = {}) =>
    new Connection({ version: '64.0', oauth2: { loginUrl, clientId, clientSecret }, ...options })
  const conn = connect()
  await authorize(conn)
  return { o, loginUrl, conn, calls, connect, close }
}

/** How a call is refused: jsforce names the error after the code. */
export async function catchError(
  work: PromiseLike<unknown>,
): Promise<{ name: string; message: string; data: unknown }> {
  return Promise.resolve(work).then(
    () => assert.fail('the call was not refused'),
    (error) => error,
  )
}

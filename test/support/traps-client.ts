import type { Texts } from '../../src/config/config.ts'
import { type JsforceClient, openJsforceClient } from './jsforce-client.ts'
import { SPECIMEN } from './specimen-schema.ts'
import { type WireClient, type WireClientName, wireClient } from './wire-clients.ts'

/** Every client in front of one org over a real port: jsforce as it is, the others by their requests. */
export interface TrapsClient extends JsforceClient {
  /** @param token another one than that of the org's administrator */
  as(name: WireClientName, token?: string): WireClient
}

/** The org has specimens, and the keys of accounts that the jsforce client has. */
export async function openTrapsClient(settings: Texts = {}): Promise<TrapsClient> {
  const client = await openJsforceClient(settings, [SPECIMEN])
  return { ...client, as: (name, token = client.o.token) => wireClient(name, client.loginUrl, token) }
}

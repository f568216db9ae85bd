import { join } from 'node:path'
import { startOrg } from 'objectry/test'

/** Jest calls this once, outside of the environment of the tests; they get the address and the token from their own environment. */
export default async function start() {
  const org = await startOrg({ deployment: join(import.meta.dirname, '../../deployment') })
  globalThis.testOrg = org
  process.env.OBJECTRY_URL = org.url
  process.env.OBJECTRY_TOKEN = org.token
}

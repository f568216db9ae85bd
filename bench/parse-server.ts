import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Parse Server as a good user would run it on PostgreSQL: classes defined at its start and locked, a pool as large as
 * ours, no logs in files, and code of its own for the one thing that takes two requests otherwise.
 * Run as its own process: PARSE_FOLDER (where it is installed), PARSE_DATABASE_URL, PARSE_APP_ID, PARSE_MASTER_KEY.
 */
const load = createRequire(join(process.env.PARSE_FOLDER!, 'package.json'))
const { ParseServer } = load('parse-server')
const express = load('express')
const Parse = load('parse/node')

const port = Number(process.env.PORT)
const masterKey = process.env.PARSE_MASTER_KEY!

const text = { type: 'String' }
const definitions = [
  {
    className: 'Account',
    fields: { name: text, industry: text, annualRevenue: { type: 'Number' }, benchKey: text },
  },
  {
    className: 'Contact',
    fields: {
      firstName: text,
      lastName: text,
      email: text,
      account: { type: 'Pointer', targetClass: 'Account' },
    },
  },
]

interface Call {
  readonly params: { readonly benchKey: string; readonly name: string; readonly industry: string }
}

function defineFunctions(): void {
  // By REST it would be two requests: one that looks for the key, one that writes.
  Parse.Cloud.define('upsertAccount', async ({ params: { benchKey, ...values } }: Call) => {
    const options = { useMasterKey: true }
    const found = await new Parse.Query('Account')
      .equalTo('benchKey', benchKey)
      .select('objectId')
      .first(options)
    const account = found ?? new Parse.Object('Account', { benchKey })
    await account.save(values, options)
    return { objectId: account.id }
  })
}

const server = new ParseServer({
  appId: process.env.PARSE_APP_ID,
  masterKey,
  serverURL: `http://127.0.0.1:${port}/parse`,
  databaseURI: `${process.env.PARSE_DATABASE_URL}?max=16`,
  schema: { definitions, lockSchemas: true },
  // A request that makes records of two classes gives the ids, because they refer to each other.
  allowCustomObjectId: true,
  cloud: defineFunctions,
  logsFolder: null,
  silent: true,
  logLevel: 'error',
})
await server.start()

express()
  .get('/healthz', (_request: IncomingMessage, response: ServerResponse) => response.end())
  .use('/parse', server.app)
  .listen(port, '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

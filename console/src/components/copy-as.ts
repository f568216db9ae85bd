import { apiVersion } from '../api/client.ts'

/* A call in the words of other clients, with the token as a variable. */

export interface CopiedCall {
  readonly method: string
  /** Below the origin, with its query. */
  readonly path: string
  readonly body?: string | undefined
  /** When the call is a query: clients have a method for these. */
  readonly soql?: string | undefined
}

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const DATA_PATH = /^\/services\/data\/v[\d.]+\//

/** A command line that works in a POSIX shell where TOKEN is set. */
export function asCurl({ method, path, body }: CopiedCall): string {
  const words = [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    shellQuote(location.origin + path),
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellQuote(body)}`]),
  ]
  return words.join(' \\\n  ')
}

const asConnection = () =>
  `import { Connection } from 'jsforce'

const conn = new Connection({
  instanceUrl: ${JSON.stringify(location.origin)},
  accessToken: process.env.TOKEN,
  version: '${apiVersion()}',
})
`

export function asJsforce({ method, path, body, soql }: CopiedCall): string {
  if (soql !== undefined)
    return `${asConnection()}const { records } = await conn.query(${JSON.stringify(soql)})\nconsole.log(records)\n`
  const sent =
    body === undefined
      ? ''
      : `,\n  headers: { 'Content-Type': 'application/json' },\n  body: ${JSON.stringify(body)}`
  return `${asConnection()}const answer = await conn.request({\n  method: ${JSON.stringify(method)},\n  url: ${JSON.stringify(path)}${sent},\n})\nconsole.log(answer)\n`
}

/** JSON strings are Python strings, but for what lies beyond the basic plane. */
const pythonQuote = (text: string) =>
  JSON.stringify(text).replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, (pair) => pair)

export function asPython({ method, path, body, soql }: CopiedCall): string {
  const client = `import json
import os
from simple_salesforce import Salesforce

sf = Salesforce(instance_url=${pythonQuote(location.origin)}, session_id=os.environ["TOKEN"], version="${apiVersion()}")
`
  if (soql !== undefined) return `${client}print(sf.query(${pythonQuote(soql)}))\n`
  if (!DATA_PATH.test(path))
    return `${client}answer = sf._call_salesforce(${pythonQuote(method)}, ${pythonQuote(location.origin + path)}${body === undefined ? '' : `, data=${pythonQuote(body)}`})\nprint(answer.text)\n`
  const rest = path.replace(DATA_PATH, '')
  const sent = body === undefined ? '' : `, data=${pythonQuote(body)}`
  return `${client}answer = sf.restful(${pythonQuote(rest)}, method=${pythonQuote(method)}${sent})\nprint(json.dumps(answer, indent=2))\n`
}

/** The sf command, where it knows the org as `objectry`. */
export function asSf({ method, path, body, soql }: CopiedCall): string {
  if (soql !== undefined) return `sf data query --target-org objectry --query ${shellQuote(soql)}`
  const sent = body === undefined ? '' : ` --body ${shellQuote(body)}`
  return `sf api request rest ${shellQuote(path)} --method ${method}${sent} --target-org objectry`
}

import {
  belowVersion,
  type CopiedBody,
  type CopiedCall,
  findOperation,
  type Operation,
  readBody,
  versionOf,
} from './copied-call.ts'
import { javascriptLiteral, pythonLiteral } from './literals.ts'

/* A call in the words of other clients, with the token as a variable. */

const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The headers of a call, with the type of its body unless it has one of its own. */
const withType = ({ headers = {}, body }: CopiedCall): Readonly<Record<string, string>> => ({
  ...(body !== undefined &&
    !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type') && {
      'Content-Type': 'application/json',
    }),
  ...headers,
})

/** A command line that works in a POSIX shell where TOKEN is set. */
export function asCurl(call: CopiedCall): string {
  const { method, path, body } = call
  const words = [
    'curl -s',
    // Without a body to wait for.
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    shellQuote(location.origin + path),
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(withType(call)).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuote(body)}`]),
  ]
  return words.join(' \\\n  ')
}

function jsforceOperation(operation: Operation): string {
  const { kind } = operation
  const text = javascriptLiteral
  switch (kind) {
    case 'query':
      return `const { records } = await conn.query(${text(operation.text)}${operation.isAll ? ', { scanAll: true }' : ''})\nconsole.log(records)`
    case 'search':
      return `const { searchRecords } = await conn.search(${text(operation.text)})\nconsole.log(searchRecords)`
  }
  const object = `conn.sobject(${text(operation.object)})`
  switch (kind) {
    case 'describe':
      return `const { fields } = await ${object}.describe()\nconsole.log(fields)`
    case 'create':
      return `const result = await ${object}.create(${text(operation.fields)})\nconsole.log(result)`
    case 'retrieve':
      return `const record = await ${object}.retrieve(${text(operation.id)})\nconsole.log(record)`
    case 'update':
      return `const result = await ${object}.update(${text({ Id: operation.id, ...operation.fields })})\nconsole.log(result)`
    case 'delete':
      return `const result = await ${object}.destroy(${text(operation.id)})\nconsole.log(result)`
  }
}

const JSFORCE_METHODS: Readonly<Record<string, string>> = {
  POST: 'requestPost',
  PATCH: 'requestPatch',
  PUT: 'requestPut',
}

function jsforceRequest(call: CopiedCall, body: CopiedBody): string {
  const { method, path, headers = {} } = call
  // The client takes other paths for ones below its version.
  const url = javascriptLiteral(path.startsWith('/services/') ? path : location.origin + path)
  const own = Object.keys(headers).length > 0
  const post = JSFORCE_METHODS[method]
  if (!own && body.kind === 'value' && post !== undefined)
    return `const answer = await conn.${post}(${url}, ${javascriptLiteral(body.value)})\nconsole.log(answer)`
  if (!own && body.kind === 'none' && method === 'GET')
    return `const answer = await conn.requestGet(${url})\nconsole.log(answer)`
  const all = withType(call)
  const lines = [
    `method: ${javascriptLiteral(method)}`,
    `url: ${url}`,
    ...(Object.keys(all).length > 0 ? [`headers: ${javascriptLiteral(all, '  ')}`] : []),
    ...(body.kind === 'value' ? [`body: JSON.stringify(${javascriptLiteral(body.value, '  ')})`] : []),
    ...(body.kind === 'text' ? [`body: ${javascriptLiteral(body.text)}`] : []),
  ]
  return `const answer = await conn.request({\n${lines.map((line) => `  ${line},\n`).join('')}})\nconsole.log(answer)`
}

export function asJsforce(call: CopiedCall): string {
  const operation = findOperation(call)
  return `import { Connection } from 'jsforce'

const conn = new Connection({
  instanceUrl: ${javascriptLiteral(location.origin)},
  accessToken: process.env.TOKEN,
  version: '${versionOf(call)}',
})
${operation === undefined ? jsforceRequest(call, readBody(call.body)) : jsforceOperation(operation)}
`
}

function pythonOperation(operation: Operation): string {
  const text = pythonLiteral
  switch (operation.kind) {
    case 'query':
      return `sf.query(${text(operation.text)}${operation.isAll ? ', include_deleted=True' : ''})["records"]`
    case 'search':
      return `sf.search(${text(operation.text)})["searchRecords"]`
    case 'describe':
      return `sf.${operation.object}.describe()["fields"]`
    case 'create':
      return `sf.${operation.object}.create(${text(operation.fields)})`
    case 'retrieve':
      return `sf.${operation.object}.get(${text(operation.id)})`
    case 'update':
      return `sf.${operation.object}.update(${text(operation.id)}, ${text(operation.fields)})`
    case 'delete':
      return `sf.${operation.object}.delete(${text(operation.id)})`
  }
}

function pythonRequest({ method, path, headers = {} }: CopiedCall, body: CopiedBody): string {
  const more = [
    ...(body.kind === 'value' ? [`json=${pythonLiteral(body.value)}`] : []),
    ...(body.kind === 'text' ? [`data=${pythonLiteral(body.text)}`] : []),
    ...(Object.keys(headers).length > 0 ? [`headers=${pythonLiteral(headers)}`] : []),
  ]
  const rest = belowVersion(path)
  const hasJson = rest !== undefined && ['GET', 'POST'].includes(method)
  return hasJson
    ? `sf.restful(${[pythonLiteral(rest), ...(method === 'GET' ? [] : [`method="${method}"`]), ...more].join(', ')})`
    : `sf._call_salesforce(${[`"${method}"`, pythonLiteral(location.origin + path), ...more].join(', ')}).text`
}

/** The client writes https into every address: its session makes http of it for a server that has nothing else. */
const PLAIN_HTTP = `

class PlainHttp(requests.Session):
    """simple-salesforce always writes https."""

    def request(self, method, url, **more):
        return super().request(method, url.replace("https:", "http:", 1), **more)

`

export function asPython(call: CopiedCall): string {
  const operation = findOperation(call)
  const isPlain = location.protocol === 'http:'
  return `import os
${isPlain ? '\nimport requests\n' : ''}from simple_salesforce import Salesforce
${isPlain ? PLAIN_HTTP : ''}
sf = Salesforce(
    instance_url=${pythonLiteral(location.origin)},
    session_id=os.environ["TOKEN"],
    version="${versionOf(call)}",
${isPlain ? '    session=PlainHttp(),\n' : ''})
print(${operation === undefined ? pythonRequest(call, readBody(call.body)) : pythonOperation(operation)})
`
}

/** The sf command, where it knows the org as `objectry`. */
export function asSf(call: CopiedCall): string {
  const operation = findOperation(call)
  if (operation?.kind === 'query')
    return `sf data query --target-org objectry --query ${shellQuote(operation.text)}${operation.isAll ? ' --all-rows' : ''}`
  const { method, path, body, headers = {} } = call
  return [
    `sf api request rest ${shellQuote(path)} --method ${method}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--body ${shellQuote(body)}`]),
    '--target-org objectry',
  ].join(' ')
}

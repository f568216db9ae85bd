import type { LightMyRequestResponse } from 'fastify'
import type { TestOrg } from './org.ts'
import { until } from './until.ts'

/* Version 1 of bulk jobs without a client. */

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface Sent {
  readonly type?: string
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly version?: string
}

/** @param path behind `/services/async/XX.X` */
export const sendClassic = (
  org: TestOrg,
  method: Method,
  path: string,
  { type, text, headers, version = '64.0' }: Sent = {},
): Promise<LightMyRequestResponse> =>
  org.server.inject({
    method,
    url: `/services/async/${version}${path}`,
    headers: {
      'x-sfdc-session': org.token,
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(text !== undefined && { payload: text }),
  })

/** Returns the text of the first element of a name, or undefined if there is none. */
export const textOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

export const jobXml = (members: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="UTF-8"?><jobInfo xmlns="http://www.force.com/2009/06/asyncapi/dataload">${Object.entries(
    members,
  )
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</jobInfo>`

export const XML = 'application/xml; charset=UTF-8'

/** The id of a new job. */
export async function openClassic(org: TestOrg, members: Readonly<Record<string, string>>): Promise<string> {
  const answer = await sendClassic(org, 'POST', '/job', { type: XML, text: jobXml(members) })
  const id = textOf(answer.body, 'id')
  if (answer.statusCode !== 201 || id === undefined) throw new Error(answer.body)
  return id
}

/** Adds a batch and waits until it is over. @returns its id, and the last answer about it */
export async function runBatch(
  org: TestOrg,
  job: string,
  type: string,
  text: string | Buffer,
): Promise<{ id: string; info: string; path: string }> {
  const added = await sendClassic(org, 'POST', `/job/${job}/batch`, { type, text })
  const find = (body: string, name: string) =>
    textOf(body, name) ?? new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1]
  const id = find(added.body, 'id')
  if (added.statusCode !== 201 || id === undefined) throw new Error(added.body)
  const path = `/job/${job}/batch/${id}`
  const info = await until(async () => {
    const { body } = await sendClassic(org, 'GET', path)
    return ['Completed', 'Failed', 'NotProcessed'].includes(find(body, 'state')!) && body
  })
  return { id, info, path }
}

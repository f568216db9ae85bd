// Contacts by the id that another system has for them: /services/customrest/contact-sync
import { HttpError, OrgError, reply } from 'objectry'

interface Request {
  params: Record<string, string>
  body: unknown
}

interface Contact {
  Id: string
  [field: string]: unknown
}

interface Org {
  read(object: string, key: string | Record<string, unknown>, fields?: string[]): Promise<Contact | undefined>
  create(object: string, records: object[]): Promise<{ id: string }[]>
  update(object: string, records: object[]): Promise<unknown>
}

const FIELDS = ['ExternalId__c', 'FirstName', 'LastName', 'Email', 'Phone']

/** Members of the body and the fields that they are. */
const MEMBERS = { lastName: 'LastName', firstName: 'FirstName', email: 'Email', phone: 'Phone' }

const read = (org: Org, externalId: string) => org.read('Contact', { ExternalId__c: externalId }, FIELDS)

function bodyOf(request: Request): Record<string, unknown> {
  const { body } = request
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>
  throw new HttpError(400, 'The body must be a JSON object')
}

function required(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new HttpError(400, `${name} is required`)
}

function fieldsIn(body: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(MEMBERS).filter(([name]) => body[name] !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [field, body[name]]))
}

/** What the org refuses is the caller's mistake; whatever else happens is ours. */
async function answer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (error instanceof OrgError && error.errorCode !== 'UNKNOWN_EXCEPTION')
      throw new HttpError(400, error.message)
    throw new HttpError(500, error instanceof Error ? error.message : String(error))
  }
}

export default {
  path: '/contact-sync/*',

  GET: (request: Request, org: Org) =>
    answer(async () => {
      const externalId = request.params['*']!.trim()
      if (externalId === '') throw new HttpError(400, 'externalId is required')
      const contact = await read(org, externalId)
      if (contact === undefined) throw new HttpError(404, `There is no contact ${externalId}`)
      return contact
    }),

  POST: (request: Request, org: Org) =>
    answer(async () => {
      const body = bodyOf(request)
      const externalId = required(body, 'externalId')
      required(body, 'lastName')
      await org.create('Contact', [{ ExternalId__c: externalId, ...fieldsIn(body) }])
      return reply(201, await read(org, externalId))
    }),

  PUT: (request: Request, org: Org) =>
    answer(async () => {
      const body = bodyOf(request)
      const externalId = required(body, 'externalId')
      const contact = await read(org, externalId)
      if (contact === undefined) throw new HttpError(404, `There is no contact ${externalId}`)
      await org.update('Contact', [{ Id: contact.Id, ...fieldsIn(body) }])
      return read(org, externalId)
    }),
}

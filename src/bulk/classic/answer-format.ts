import type { ApiError } from '../../base/api-error.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { type Reply, retryHeaders } from '../../calls/reply.ts'
import { writeElement, type XmlContent } from '../../xml/write-xml.ts'
import { openRoot } from '../jobs/bulk-namespace.ts'

export const XML_TYPE = 'application/xml; charset=UTF-8'
export const JSON_TYPE = 'application/json; charset=UTF-8'

type Headers = Readonly<Record<string, string | undefined>>

export const isJsonType = (type: string | undefined): boolean => /\bapplication\/json\b/i.test(type ?? '')

/** True if a request is JSON, or asks for it. */
export const wantsJson = (headers: Headers): boolean =>
  isJsonType(headers.accept) || isJsonType(headers['content-type'])

/** The outermost element of an answer, with its content as text. */
export const writeRoot = (name: string, content: string): string => `${openRoot(name)}${content}</${name}>`

export const writeMembers = (members: Readonly<Record<string, XmlContent>>): string =>
  Object.entries(members)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => writeElement(name, value))
    .join('')

export const xmlReply = (status: number, body: string): Reply => ({
  status,
  body,
  headers: { 'Content-Type': XML_TYPE },
})

export const jsonReply = (status: number, body: unknown): Reply => ({
  status,
  body,
  headers: { 'Content-Type': JSON_TYPE },
})

/** Codes of version 1. Clients compare some of them. */
const CODES: Partial<Record<ErrorCode, string>> = {
  INVALID_SESSION_ID: 'InvalidSessionId',
  INVALID_AUTH_HEADER: 'InvalidSessionId',
  NOT_FOUND: 'InvalidUrl',
  METHOD_NOT_ALLOWED: 'InvalidUrl',
  GONE: 'InvalidVersion',
  UNSUPPORTED_API_VERSION: 'InvalidVersion',
  INVALIDENTITY: 'InvalidEntity',
  INVALIDJOB: 'InvalidJob',
  INVALIDBATCH: 'InvalidBatch',
  INVALIDJOBSTATE: 'InvalidJobState',
  FEATURENOTENABLED: 'FeatureNotEnabled',
  API_DISABLED_FOR_ORG: 'FeatureNotEnabled',
  INSUFFICIENT_ACCESS: 'InvalidUser',
  EXCEEDEDQUOTA: 'ExceededQuota',
  LIMIT_EXCEEDED: 'ExceededQuota',
  REQUEST_LIMIT_EXCEEDED: 'ExceededQuota',
}

/** Faults that any body can have. */
const OF_BODIES: readonly ErrorCode[] = [
  'JSON_PARSER_ERROR',
  'XML_PARSER_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_BODY_TOO_LARGE',
]

/** Clients look for the code in answers of 400; these other statuses say something to those who know only HTTP. */
const KEPT_STATUSES = [405, 408, 429]

const findCode = ({ code, status }: ApiError, isOfBatch: boolean): string => {
  if (OF_BODIES.includes(code)) return isOfBatch ? 'InvalidBatch' : 'InvalidJob'
  return CODES[code] ?? (status === 401 ? 'InvalidSessionId' : 'Unknown')
}

/** An error in the form of version 1. (docs/reference/api/bulk-jobs.md#errors-of-version-1) */
export function errorReply(error: ApiError, isJson: boolean, isOfBatch: boolean): Reply {
  const { status, message } = error
  const body = { exceptionCode: findCode(error, isOfBatch), exceptionMessage: message }
  const sent = status >= 500 || KEPT_STATUSES.includes(status) ? status : 400
  const reply = isJson ? jsonReply(sent, body) : xmlReply(sent, writeRoot('error', writeMembers(body)))
  return { ...reply, headers: { ...reply.headers, ...retryHeaders(error) }, error }
}

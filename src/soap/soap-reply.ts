import type { ApiError } from '../base/api-error.ts'
import type { ErrorCode } from '../base/error-codes.ts'
import { type Reply, retryHeaders } from '../calls/reply.ts'
import { escapeXml, writeElement, XML_START, type XmlContents } from '../xml/write-xml.ts'
import { XSI_URI } from '../xml/xml-element.ts'
import type { SoapApi } from './soap-api.ts'

export const ENVELOPE_URI = 'http://schemas.xmlsoap.org/soap/envelope/'

const HEADERS = { 'Content-Type': 'text/xml; charset=UTF-8' }

/** The prefix stays as it is: some clients look for it. */
const writeEnvelope = (namespaces: string, body: string) =>
  `${XML_START}<soapenv:Envelope xmlns:soapenv="${ENVELOPE_URI}" xmlns:xsi="${XSI_URI}" ${namespaces}><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`

/** @param result of the call, if it has one */
export function soapReply({ uri }: SoapApi, operation: string, result: XmlContents | undefined): Reply {
  const content = result === undefined ? {} : { result }
  return {
    status: 200,
    body: writeEnvelope(`xmlns="${uri}"`, writeElement(`${operation}Response`, content)),
    headers: HEADERS,
  }
}

/** Requests that are no calls: the client is at fault, before any API has looked at them. */
const OF_THE_CLIENT: readonly ErrorCode[] = [
  'XML_PARSER_ERROR',
  'JSON_PARSER_ERROR',
  'METHOD_NOT_ALLOWED',
  'REQUEST_BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/** Statuses that say something to HTTP clients. Every other fault is 500, as SOAP requires. */
const KEPT_STATUSES = [405, 413, 415, 503]

const DETAIL_TYPES: Partial<Record<ErrorCode, string>> = {
  INVALID_LOGIN: 'LoginFault',
  INVALID_OPERATION: 'LoginFault',
  INVALID_NEW_PASSWORD: 'InvalidNewPasswordFault',
  INVALID_ID_FIELD: 'InvalidIdFault',
  MALFORMED_ID: 'InvalidIdFault',
}

/** An error as a fault. Clients show its text, or look for the code in its detail. (docs/reference/api/soap.md#faults) */
export function faultReply(error: ApiError, { faultUri }: SoapApi): Reply {
  const { code, message, status } = error
  const isOfClient = OF_THE_CLIENT.includes(code)
  const type = `sf:${DETAIL_TYPES[code] ?? 'UnexpectedErrorFault'}`
  const members = writeElement('sf:exceptionCode', code) + writeElement('sf:exceptionMessage', message)
  const fault = [
    writeElement('faultcode', isOfClient ? 'soapenv:Client' : `sf:${code}`),
    writeElement('faultstring', isOfClient ? message : `${code}: ${message}`),
    `<detail><${type} xsi:type="${type}">${members}</${type}></detail>`,
  ]
  return {
    status: KEPT_STATUSES.includes(status) ? status : 500,
    body: writeEnvelope(
      `xmlns:sf="${escapeXml(faultUri)}"`,
      `<soapenv:Fault>${fault.join('')}</soapenv:Fault>`,
    ),
    headers: { ...HEADERS, ...retryHeaders(error) },
    error,
  }
}

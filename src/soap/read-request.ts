import { ApiError } from '../base/api-error.ts'
import { runQuickly } from '../base/run-in-slices.ts'
import { parseXmlInSlices } from '../xml/parse-xml.ts'
import { findChild, type XmlElement } from '../xml/xml-element.ts'
import { isCall } from './operation-names.ts'
import type { SoapApi } from './soap-api.ts'
import { ENVELOPE_URI } from './soap-reply.ts'
import { takeArchive } from './take-archive.ts'

/** A SOAP call without its transport. */
export interface SoapRequest {
  readonly api: SoapApi
  /** The element that is the call. */
  readonly operation: XmlElement
  /** The digits of an archive that is deployed, as they came: base64. */
  readonly archive: Uint8Array | undefined
  /** The token; undefined: none is named. */
  readonly sessionId: string | undefined
  /** The name that the client gives itself. */
  readonly clientName: string | undefined
  /** The org that the header names for a log-in. */
  readonly scopeOrgId: string | undefined
}

/** In bytes. The largest ones are manifests of what is retrieved. */
const MAX_ENVELOPE_BYTES = 256 * 1024

const invalid = (reason: string) => new ApiError('XML_PARSER_ERROR', reason)

/** The text of an element of the API below another one; undefined: it is not there. */
export const findText = (
  { uri }: SoapApi,
  parent: XmlElement | undefined,
  name: string,
): string | undefined => parent && findChild(parent, uri, name)?.text

function findBody(envelope: XmlElement): XmlElement {
  if (envelope.name !== 'Envelope' || envelope.uri !== ENVELOPE_URI) {
    throw invalid(
      `The body is not an envelope of SOAP 1.1: its outermost element is Envelope of ${ENVELOPE_URI}.`,
    )
  }
  const body = findChild(envelope, ENVELOPE_URI, 'Body')
  if (body === undefined) throw invalid('The envelope has no Body.')
  return body
}

/** @throws ApiError XML_PARSER_ERROR where the API has no such call */
function findOperation(api: SoapApi, body: XmlElement): XmlElement {
  const [operation, ...more] = body.children
  if (operation === undefined || more.length > 0) throw invalid('The Body has not exactly one call.')
  const { uri, name } = operation
  if (uri === api.uri && isCall(api.letter, name)) return operation
  throw invalid(
    `No operation available for request {${uri.slice(0, 200)}}${name.slice(0, 100)}, please check the WSDL for the service.`,
  )
}

/**
 * Parses a request. Elements are known by their namespaces, whatever their prefixes are.
 * @throws ApiError XML_PARSER_ERROR, UNSUPPORTED_MEDIA_TYPE, REQUEST_BODY_TOO_LARGE
 */
export async function readRequest(api: SoapApi, bytes: Uint8Array): Promise<SoapRequest> {
  const { rest, archive } = api.letter === 'm' ? takeArchive(bytes) : { rest: bytes, archive: undefined }
  if (rest.length > MAX_ENVELOPE_BYTES) {
    throw new ApiError(
      'REQUEST_BODY_TOO_LARGE',
      `The envelope is larger than ${MAX_ENVELOPE_BYTES} bytes, without an archive in it.`,
    )
  }
  const envelope = await runQuickly(parseXmlInSlices(rest))
  const operation = findOperation(api, findBody(envelope))
  const header = findChild(envelope, ENVELOPE_URI, 'Header')
  const find = (block: string, name: string) =>
    findText(api, header && findChild(header, api.uri, block), name)?.trim()
  return {
    api,
    operation,
    archive,
    sessionId: find('SessionHeader', 'sessionId'),
    clientName: find('CallOptions', 'client'),
    scopeOrgId: find('LoginScopeHeader', 'organizationId'),
  }
}

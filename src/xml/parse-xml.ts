import { ApiError } from '../base/api-error.ts'
import { isReadAsUtf8 } from '../base/charset.ts'
import { drain } from '../base/run-in-slices.ts'
import { parseInSlices } from './parse-in-slices.ts'
import type { XmlElement } from './xml-element.ts'

/** The calls that are answered here are nested four elements deep; records in other calls, some more. */
export const MAX_DEPTH = 20

/** Longer explanations hold parts of the document, and may hold all of it. */
const MAX_REASON = 200

/** Why a document cannot be read. */
export const malformed = (reason: string) =>
  new ApiError('XML_PARSER_ERROR', `The body is not valid XML: ${reason.slice(0, MAX_REASON).toWellFormed()}`)

/** The encoding that a document says it has. */
const DECLARED = /^<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.-]{1,40})["']/

/**
 * The text of a document.
 * @throws ApiError XML_PARSER_ERROR, UNSUPPORTED_MEDIA_TYPE
 */
export function readXmlText(bytes: Uint8Array): string {
  let text = '\0'
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {}
  // UTF-16 without a mark is full of them; XML has none.
  if (text.includes('\0')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body is not UTF-8. Send it in this encoding.')
  }
  const encoding = DECLARED.exec(text)?.[1] ?? 'UTF-8'
  if (!isReadAsUtf8(encoding)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The encoding ${encoding} is not supported. Send UTF-8.`)
  }
  return text
}

/**
 * Parses a document and returns its outermost element. Definitions of documents and of entities are refused, and so is what is nested
 * deeper than any call. Takes a pause after each step.
 * @throws ApiError XML_PARSER_ERROR, UNSUPPORTED_MEDIA_TYPE
 */
export const parseXmlInSlices = (bytes: Uint8Array): Generator<void, XmlElement> =>
  parseInSlices({ text: readXmlText(bytes), maxDepth: MAX_DEPTH, malformed })

/** The same at once, of a short document. */
export const parseXml = (bytes: Uint8Array): XmlElement => drain(parseXmlInSlices(bytes))

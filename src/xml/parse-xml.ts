import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { ApiError } from '../base/api-error.ts'
import { isReadAsUtf8 } from '../base/charset.ts'
import { type XmlElement, XSI_URI } from './xml-element.ts'

/** The calls that are answered here are nested four elements deep; records in other calls, some more. */
const MAX_DEPTH = 20

/** Longer explanations hold parts of the document, and may hold all of it. */
const MAX_REASON = 200

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  // A password may begin or end with a blank.
  trimValues: false,
  maxNestedTags: MAX_DEPTH,
  cdataPropName: '#cdata',
})

/** An element, a text or a CDATA section as the parser has it: its only other member is its name. */
type ParsedNode = Readonly<Record<string, readonly ParsedNode[] | string>> & {
  readonly ':@'?: Readonly<Record<string, string>>
}

/** Namespaces by prefix; the default one by the empty text. */
type Namespaces = ReadonlyMap<string, string>

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** Why a document cannot be read. */
export const malformed = (reason: string) =>
  new ApiError('XML_PARSER_ERROR', `The body is not valid XML: ${reason.slice(0, MAX_REASON).toWellFormed()}`)

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

function decodeReference(name: string): string {
  const known = NAMED.get(name)
  if (known !== undefined) return known
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hexadecimal === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hexadecimal, 16)
  // XML has no such character. Not a number: it is no reference to a character.
  if (
    !(code >= 0x20 || [0x9, 0xa, 0xd].includes(code)) ||
    code > 0x10ffff ||
    (code >= 0xd800 && code < 0xe000)
  )
    throw malformed('it has a reference to what is not defined')
  return String.fromCodePoint(code)
}

/** Decodes the five predefined entities and references to characters; documents can define no others. */
const decode = (text: string): string =>
  text.includes('&') ? text.replaceAll(/&([^;&]{0,10});?/g, (_whole, name) => decodeReference(name)) : text

function declareNamespaces(attributes: Readonly<Record<string, string>>, outer: Namespaces): Namespaces {
  const declared = Object.entries(attributes).filter(
    ([name]) => name === 'xmlns' || name.startsWith('xmlns:'),
  )
  if (declared.length === 0) return outer
  return new Map([
    ...outer,
    ...declared.map(([name, uri]): [string, string] => [name.slice('xmlns:'.length), decode(uri)]),
  ])
}

function resolveName(qualified: string, namespaces: Namespaces): Pick<XmlElement, 'uri' | 'name'> {
  const colon = qualified.indexOf(':')
  const prefix = colon < 0 ? '' : qualified.slice(0, colon)
  const uri = namespaces.get(prefix) ?? (prefix === '' ? '' : undefined)
  if (uri === undefined) throw malformed(`the prefix ${prefix} is not declared`)
  return { uri, name: qualified.slice(colon + 1) }
}

/** A prefix that is not declared is none of an attribute that says something here. */
function isNil(attributes: Readonly<Record<string, string>>, namespaces: Namespaces): boolean {
  return Object.entries(attributes).some(([name, value]) => {
    if (!name.endsWith(':nil') || namespaces.get(name.slice(0, -':nil'.length)) !== XSI_URI) return false
    return value === 'true' || value === '1'
  })
}

function makeElement(node: ParsedNode, qualified: string, outer: Namespaces): XmlElement {
  const attributes = node[':@'] ?? {}
  const namespaces = declareNamespaces(attributes, outer)
  const children: XmlElement[] = []
  let text = ''
  for (const inside of node[qualified] as readonly ParsedNode[]) {
    const name = nameOf(inside)
    if (name === '#text') text += decode(inside['#text'] as string)
    else if (name === '#cdata') text += joinTexts(inside['#cdata'] as readonly ParsedNode[])
    else children.push(makeElement(inside, name, namespaces))
  }
  return { ...resolveName(qualified, namespaces), children, text, isNil: isNil(attributes, namespaces) }
}

const nameOf = (node: ParsedNode) => Object.keys(node).find((name) => name !== ':@')!

const joinTexts = (nodes: readonly ParsedNode[]) => nodes.map((node) => node['#text']).join('')

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
 * Parses a document.
 * @throws ApiError XML_PARSER_ERROR, UNSUPPORTED_MEDIA_TYPE
 */
export const parseXml = (bytes: Uint8Array): XmlElement => parseXmlText(readXmlText(bytes))

/**
 * Parses the text of a document and returns its outermost element. Definitions of documents and of entities are refused, and so is what is
 * nested deeper than any call.
 * @throws ApiError XML_PARSER_ERROR
 */
export function parseXmlText(text: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw malformed('it has a DOCTYPE, which is not allowed here')
  let parsed: readonly ParsedNode[]
  try {
    // First: it stops at once where elements are nested too deep.
    parsed = parser.parse(text) as readonly ParsedNode[]
    const valid = XMLValidator.validate(text)
    if (valid !== true) throw new Error(`line ${valid.err.line}: ${valid.err.msg}`)
  } catch (error) {
    throw malformed((error as Error).message)
  }
  const [root, ...more] = parsed.filter((node) => nameOf(node) !== '#text')
  if (root === undefined || more.length > 0) throw malformed('it has not exactly one outermost element')
  return makeElement(root, nameOf(root), new Map([['xml', XML_NAMESPACE]]))
}

import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { XmlElement, type XmlNode } from './xml-element.ts'

/** Metadata is nested at most five elements deep. The limit protects against deeply nested input. */
const MAX_DEPTH = 30

const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))

/** Decodes the five predefined XML entities and character references. Files cannot define others. */
function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: MAX_DEPTH,
  cdataPropName: '#cdata',
})

function decoded(node: unknown): XmlNode {
  if (typeof node === 'string') return decode(node)
  if (Array.isArray(node)) return node.map(decoded) as unknown as XmlNode
  const { '#cdata': cdata, ...rest } = node as Record<string, unknown>
  const children = Object.entries(rest).map(([name, value]) => [name, decoded(value)] as const)
  if (cdata === undefined) return Object.fromEntries(children)
  const text = [rest['#text'] ?? '', cdata].flat().join('')
  return children.length === 0 ? text : { ...Object.fromEntries(children), '#text': text }
}

/**
 * Parses a metadata file and returns its root element.
 * @throws Error with the problem and its location
 */
export function parseXml(path: string, text: string): XmlElement {
  const fail = (reason: string): never => {
    throw new Error(`${path}: ${reason}`)
  }
  if (/<!DOCTYPE/i.test(text)) fail('has a DOCTYPE, which no metadata file has')
  let parsed: Record<string, unknown> = {}
  try {
    parsed = parser.parse(text) as Record<string, unknown>
  } catch (error) {
    fail((error as Error).message)
  }
  const valid = XMLValidator.validate(text)
  if (valid !== true) fail(`line ${valid.err.line}: ${valid.err.msg}`)
  const [root, ...more] = Object.values(parsed)
  if (root === undefined || more.length > 0)
    fail('is no metadata file: it has not exactly one outermost element')
  return new XmlElement(decoded(root))
}

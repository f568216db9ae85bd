import { XMLBuilder } from 'fast-xml-parser'

/** The content of an element: a text, or elements by name; a list is one element for each item. */
export type XmlContent = string | number | boolean | readonly XmlContent[] | Content

/** Elements by name, in any order. Names that begin with `@_` are attributes. */
export interface Content {
  readonly [name: string]: XmlContent | undefined
}

const builder = new XMLBuilder({ format: true, indentBy: '    ', ignoreAttributes: false })

const NAMESPACE = 'http://soap.sforce.com/2006/04/metadata'

const isAttribute = (name: string) => name.startsWith('@_')

/** Names of components stand before all else. */
const rank = (name: string) => (name === 'fullName' ? 0 : 1)

/** The elements that are there, in the order of files that were retrieved, so that two of them can be compared: the alphabet's. */
const listInOrder = (content: Content) =>
  Object.entries(content)
    .filter((entry): entry is [string, XmlContent] => entry[1] !== undefined)
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))

/** The same content in the order of files. */
export function putInOrder(content: XmlContent): XmlContent {
  if (typeof content !== 'object') return content
  if (Array.isArray(content)) return content.map(putInOrder)
  return Object.fromEntries(listInOrder(content as Content).map(([name, inner]) => [name, putInOrder(inner)]))
}

/** An element as it stands inside the outermost one. */
function writeElement(name: string, content: XmlContent): string {
  const text: string = builder.build({ outer: { [name]: putInOrder(content) } })
  // As it stands it would be read as the end of a line.
  const safe = text.replaceAll('\r', '&#13;')
  return safe.slice(safe.indexOf('\n') + 1, safe.lastIndexOf('</outer>'))
}

/** Writes the text of a metadata file, and pauses between its elements: of an object they may be hundreds. */
export function* writeXml(root: string, content: Content): Generator<void, string> {
  const parts = listInOrder(content)
  const bare: string = builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    [root]: { '@_xmlns': NAMESPACE, ...Object.fromEntries(parts.filter(([name]) => isAttribute(name))) },
  })
  const elements: string[] = []
  for (const [name, inner] of parts) {
    if (isAttribute(name)) continue
    for (const one of [inner].flat()) {
      elements.push(writeElement(name, one))
      yield
    }
  }
  if (elements.length === 0) return bare
  const end = `</${root}>\n`
  return `${bare.slice(0, -end.length)}\n${elements.join('')}${end}`
}

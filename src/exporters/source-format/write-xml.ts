import { XMLBuilder } from 'fast-xml-parser'

/** The content of an element: a text, or elements by name, in order; a list is one element for each item. */
export type XmlContent =
  | string
  | number
  | boolean
  | readonly XmlContent[]
  | { readonly [name: string]: XmlContent | undefined }

const builder = new XMLBuilder({ format: true, indentBy: '    ', ignoreAttributes: false })

const NAMESPACE = 'http://soap.sforce.com/2006/04/metadata'

/** The text of a metadata file. Names that begin with `@_` are attributes. */
export function writeXml(root: string, content: Readonly<Record<string, XmlContent | undefined>>): string {
  const given = Object.entries(content).filter(([, value]) => value !== undefined)
  const document = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    [root]: { '@_xmlns': NAMESPACE, ...Object.fromEntries(given) },
  }
  return builder.build(document)
}

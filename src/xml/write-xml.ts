/** The first line of documents. */
export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>'

/**
 * The content of an element: a value, null for nil, or elements by name, in order; several of one name as a list. Names that begin with
 * `@_` are attributes, and `#text` is text.
 */
export type XmlContent = string | number | boolean | null | { readonly [name: string]: XmlContents }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Elements of one name. */
export type XmlContents = XmlContent | readonly XmlContent[]

/** Makes text safe in elements and attributes. Characters that XML does not have are replaced; a carriage return would be read as an end of line. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[&<>"\r]/g, (character) => ESCAPES[character]!)
  )
}

/** An element. The document declares the prefix xsi. */
export function writeElement(name: string, content: XmlContent): string {
  if (content === null) return `<${name} xsi:nil="true"/>`
  if (typeof content !== 'object') return `<${name}>${escapeXml(String(content))}</${name}>`
  let [attributes, inside] = ['', '']
  for (const [child, value] of Object.entries(content)) {
    if (child.startsWith('@_')) attributes += ` ${child.slice('@_'.length)}="${escapeXml(String(value))}"`
    else if (child === '#text') inside += escapeXml(String(value))
    else for (const one of [value].flat()) inside += writeElement(child, one as XmlContent)
  }
  return `<${name}${attributes}>${inside}</${name}>`
}

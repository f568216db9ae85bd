import { MAX_DEPTH, malformed } from './parse-xml.ts'
import type { XmlElement } from './xml-element.ts'
import { XmlParser } from './xml-parser.ts'

/**
 * Parses a document and returns the children of its outermost element, some of these at a time, so that a long one is never there as a whole.
 * @param maxCharacters of a child
 * @throws ApiError XML_PARSER_ERROR
 */
export function* splitXml(text: string, maxCharacters: number): Generator<readonly XmlElement[], void> {
  const parser = new XmlParser({ text, maxDepth: MAX_DEPTH, malformed, maxChild: maxCharacters })
  for (let goesOn = true; goesOn; ) {
    goesOn = parser.step()
    yield parser.takeChildren()
  }
}

import type { XmlElement } from './xml-element.ts'
import { type ParserOptions, XmlParser } from './xml-parser.ts'

/**
 * Parses a document and returns its outermost element. Takes a pause after each step.
 * @throws Error as the options make it
 */
export function* parseInSlices(options: ParserOptions): Generator<void, XmlElement> {
  const parser = new XmlParser(options)
  while (parser.step()) yield
  return parser.root!
}

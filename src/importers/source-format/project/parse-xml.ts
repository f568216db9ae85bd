import { parseInSlices } from '../../../xml/parse-in-slices.ts'
import type { XmlElement } from '../../../xml/xml-element.ts'

/** Metadata is nested at most five elements deep. The limit protects against deeply nested input. */
const MAX_DEPTH = 30

/** Of a file: ten times what the largest profiles have. */
const MAX_ELEMENTS = 1_000_000

/**
 * Parses a metadata file and returns its root element. Takes a pause after each step.
 * @throws Error with the problem and its location
 */
export const parseXml = (path: string, text: string): Generator<void, XmlElement> =>
  parseInSlices({
    text,
    maxDepth: MAX_DEPTH,
    maxElements: MAX_ELEMENTS,
    trims: true,
    malformed: (reason) => new Error(`${path}: ${reason}`),
  })

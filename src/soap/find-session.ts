import { parseXml } from '../xml/parse-xml.ts'

/** In characters. Tokens have a hundred. */
const MAX_CONTENT = 2000

const START = /<(?:[\w.-]{1,100}:)?sessionId(?=[\s>])/

/**
 * Returns the token in the start of an envelope, before the rest of it has come, or undefined if there is none.
 * Where it seems to be, the whole envelope is read once more by its rules.
 */
export function findSession(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1')
  const tag = text.search(START)
  if (tag < 0) return undefined
  const from = text.indexOf('>', tag) + 1
  const content = text.slice(from, from + MAX_CONTENT)
  const end = content.search(/<\/(?:[\w.-]{1,100}:)?sessionId/)
  if (from === 0 || end < 0) return undefined
  try {
    // It may have comments, sections and references.
    return parseXml(Buffer.from(`<x>${content.slice(0, end)}</x>`)).text.trim()
  } catch {
    return undefined
  }
}

import type { Envelope } from '../../calls/envelope.ts'
import { DELIMITERS, LINE_ENDINGS } from './job.ts'

/** One of the words that a member may be. */
export function readWord(envelope: Envelope, name: string, words: readonly string[]): string | undefined {
  const text = envelope.text(name)
  if (text === undefined) return undefined
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  if (word !== undefined) return word
  throw envelope.refusal(`"${text.slice(0, 255)}" is not a valid ${name}; use ${words.join(', ')}`, name)
}

/** How the rows of a job are written. */
export const readFormat = (envelope: Envelope) => {
  readWord(envelope, 'contentType', ['CSV'])
  return {
    columnDelimiter: readWord(envelope, 'columnDelimiter', Object.keys(DELIMITERS)) ?? 'COMMA',
    lineEnding: readWord(envelope, 'lineEnding', Object.keys(LINE_ENDINGS)) ?? 'LF',
  }
}

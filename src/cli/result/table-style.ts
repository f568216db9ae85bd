import { type Style, styledText } from '../command/styled-text.ts'
import type { Output, Terminal } from '../command/terminal.ts'

/** Between two columns of a table. */
const GAP = 2

/** A column is not cut to less than this. */
const NARROWEST = 5

/** How many columns a terminal has; undefined: what is printed goes elsewhere, whole. */
export const terminalWidth = ({ isTTY, columns = 0 }: Output): number | undefined =>
  isTTY && columns > 0 ? columns : undefined

/**
 * Widths of columns with which a table fits into a terminal: the widest column that may be cut loses until it is as
 * wide as the next one, and so on. A table that cannot fit stays wider.
 */
export function fitWidths(
  widths: readonly number[],
  room: number | undefined,
  mayCut: (at: number) => boolean = () => true,
): readonly number[] {
  if (room === undefined) return widths
  const fitted = [...widths]
  let excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - room
  for (; excess > 0; excess--) {
    let widest = -1
    for (let at = 0; at < fitted.length; at++) {
      if (mayCut(at) && (widest < 0 || fitted[at]! > fitted[widest]!)) widest = at
    }
    if (widest < 0 || fitted[widest]! <= NARROWEST) break
    fitted[widest]!--
  }
  return fitted
}

/** Words that tell at a glance how something is. */
const STATUS_STYLES: Readonly<Record<string, Style>> = {
  ok: 'green',
  Done: 'green',
  'as required': 'green',
  warning: 'yellow',
  Retrying: 'yellow',
  deprecated: 'yellow',
  problem: 'red',
  Dead: 'red',
  NOT: 'red',
  retired: 'red',
}

/** For standard output: coloured on a terminal only, as NO_COLOR and FORCE_COLOR say. */
export const heading = (terminal: Terminal, text: string) => styledText(terminal, 'stdout', 'bold', text)

/** The same of a text that is a status word, blanks around it or not; any other text stays. */
export function statusText(terminal: Terminal, text: string): string {
  const word = text.trim()
  return Object.hasOwn(STATUS_STYLES, word)
    ? styledText(terminal, 'stdout', STATUS_STYLES[word]!, text)
    : text
}

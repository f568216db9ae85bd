import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { Environment, Output, Terminal } from './terminal.ts'

export type Style = Parameters<typeof styleText>[0]

/** Node's own rules: the bits of a terminal's colours by the variables of an environment. */
const { getColorDepth } = WriteStream.prototype

/** Bits of a colour: a terminal with fewer has no colours. */
const COLOR_BITS = 4

/** True on a terminal with colours; NO_COLOR and FORCE_COLOR overrule it. */
const hasColors = ({ isTTY }: Output, environment: Environment): boolean =>
  (environment.FORCE_COLOR !== undefined || isTTY === true) &&
  Reflect.apply(getColorDepth, undefined, [environment]) >= COLOR_BITS

/** A text for one of the outputs, styled where that has colours. */
export const styledText = (
  terminal: Terminal,
  output: 'stdout' | 'stderr',
  style: Style,
  text: string,
): string =>
  hasColors(terminal[output], terminal.environment) ? styleText(style, text, { validateStream: false }) : text

/** An error for standard error: red on a terminal, as NO_COLOR and FORCE_COLOR say. */
export const errorText = (terminal: Terminal, text: string): string =>
  styledText(terminal, 'stderr', 'red', text)

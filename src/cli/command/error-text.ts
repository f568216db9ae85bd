import { styledText } from './styled-text.ts'
import type { Terminal } from './terminal.ts'

/** An error for standard error: red on a terminal, as NO_COLOR and FORCE_COLOR say. */
export const errorText = (terminal: Terminal, text: string): string =>
  styledText(terminal, 'stderr', 'red', text)

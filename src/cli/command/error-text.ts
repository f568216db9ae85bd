import { styleText } from 'node:util'

/** An error for standard error: red on a terminal, as NO_COLOR and FORCE_COLOR say. */
export const errorText = (text: string): string => styleText('red', text, { stream: process.stderr })

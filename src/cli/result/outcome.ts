import type { Command } from 'commander'
import type { Flags } from '../command/setting-flags.ts'

/** Result of a command. */
export interface Outcome {
  /** In words, for people. */
  readonly text: string
  /** Answer of the admin API, for programs: its members are documented and stable. */
  readonly answer: unknown
  /** The exit code of the command; 0 when absent. */
  readonly exitCode?: number
}

/** Gives a command the flag by which programs get its answer. */
export const addJsonFlag = (command: Command): Command =>
  command.option('--json', 'print the answer of the API as JSON')

/** An answer as programs get it. */
export const jsonText = (answer: unknown) => `${JSON.stringify(answer, null, 2)}\n`

/** Returns the text to print: the answer with `--json`, otherwise the words. */
export const outcomeText = ({ text, answer }: Outcome, { json }: Flags): string =>
  json === true ? jsonText(answer) : text

import type { Terminal } from '../command/terminal.ts'
import { countText } from '../result/terminal-text.ts'
import type { Reached } from './progress-file.ts'
import { STDIN } from './source-file.ts'

/** An import that came to its end. */
interface FinishedImport {
  readonly path: string
  /** Everything that was typed behind `objectry`. */
  readonly args: readonly string[]
  /** The file of results. */
  readonly results: string
}

/** Returns the command that tries the refused rows again. */
function retryCommand({ path, results, args: [, ...given] }: FinishedImport): string {
  const args = given.filter((arg) => arg !== path && arg !== '--restart')
  for (const flag of ['--retry', '--results']) {
    const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`))
    if (at >= 0) args.splice(at, args[at] === flag ? 2 : 1)
  }
  const shown = [path, ...args, '--retry', results].map((arg) =>
    /^[\w./:=@%+,-]+$/.test(arg) ? arg : `'${arg}'`,
  )
  return `objectry import ${shown.join(' ')}`
}

/** @throws Error that says it, when rows were refused */
export function reportSummary(
  { stdout }: Terminal,
  done: FinishedImport,
  { written, refused }: Reached,
): void {
  const { path, results } = done
  if (refused === 0) {
    stdout.write(`${countText(written)} ${written === 1 ? 'row' : 'rows'} written: see ${results}\n`)
    return
  }
  const next =
    path === STDIN
      ? ''
      : `\nCorrect the refused rows where they stand in ${path}, and try them again:\n  ${retryCommand(done)}`
  const [some, all] = [countText(written), countText(written + refused)]
  throw new Error(`${some} of ${all} rows written, ${countText(refused)} refused: see ${results}${next}`)
}

import { countText } from '../result/count-text.ts'
import type { Reached } from './progress-file.ts'
import { STDIN } from './source-file.ts'

/** What to type to try the refused rows again. */
function retryCommand(path: string, results: string): string {
  const args = process.argv.slice(3).filter((arg) => arg !== path && arg !== '--restart')
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
export function reportSummary(path: string, results: string, { written, refused }: Reached): void {
  if (refused === 0) {
    process.stdout.write(`${countText(written)} ${written === 1 ? 'row' : 'rows'} written: see ${results}\n`)
    return
  }
  const next =
    path === STDIN
      ? ''
      : `\nCorrect the refused rows where they stand in ${path}, and try them again:\n  ${retryCommand(path, results)}`
  const [some, all] = [countText(written), countText(written + refused)]
  throw new Error(`${some} of ${all} rows written, ${countText(refused)} refused: see ${results}${next}`)
}

import { Command, Option } from 'commander'
import type { TriedFormula } from '../records/formulas/try-formula.ts'
import { addOrgFlags, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag } from './result/outcome.ts'
import { workIn } from './work/work-command.ts'

interface FormulaFlags extends Flags {
  readonly object: string
  readonly record?: string
  readonly blanks: 'zero' | 'blank'
}

function formatTried({ type, value, error, sql, sqlError, references }: TriedFormula): string {
  const lines = [
    `value       ${error === undefined ? JSON.stringify(value) : `none: ${error}`}`,
    `type        ${type}`,
    `references  ${references.length === 0 ? 'none' : references.join(', ')}`,
    `sql         ${sql ?? `none: ${sqlError}`}`,
  ]
  return `${lines.join('\n')}\n`
}

const tryFormula =
  (terminal: Terminal) =>
  (text: string, flags: FormulaFlags): Promise<void> =>
    workIn(terminal, flags, {}, async (org) => {
      const { object, record, blanks } = flags
      const body = { object, formula: text, blanks, ...(record !== undefined && { record }) }
      const answer = await readBody<TriedFormula>(org.call('POST', '/setup/orgs/current/formula', body))
      return { text: formatTried(answer), answer }
    })

/** `objectry formula 'Amount * 2' --object Opportunity --record 006...`: what a formula is and gives. */
export function formulaCommand(terminal: Terminal): Command {
  const command = new Command('formula')
    .description('Evaluate a formula for a record, and show its type, its references and its SQL.')
    .argument('<text>', 'the formula')
    .requiredOption('--object <name>', 'the object that it is a formula of')
    .option('--record <id>', 'a record of the object; without one, a new record without values')
    .addOption(
      new Option('--blanks <how>', 'how it sees blank numbers').choices(['zero', 'blank']).default('zero'),
    )
  return addOrgFlags(addJsonFlag(command), []).action(tryFormula(terminal))
}

import { Command, Option } from 'commander'
import type { TriedFormula } from '../records/formulas/try-formula.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import { reachOrg } from './reach/reach-org.ts'
import { readBody } from './reach/record-pages.ts'

interface FormulaFlags extends Flags {
  readonly object: string
  readonly record?: string
  readonly blanks: 'zero' | 'blank'
  readonly json?: boolean
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

async function tryFormula(text: string, flags: FormulaFlags): Promise<void> {
  await runCommand(async () => {
    const org = await reachOrg(configFrom(flags), { org: flags.org })
    try {
      const { object, record, blanks } = flags
      const body = { object, formula: text, blanks, ...(record !== undefined && { record }) }
      const tried = await readBody<TriedFormula>(org.call('POST', '/setup/orgs/current/formula', body))
      process.stdout.write(flags.json === true ? `${JSON.stringify(tried, null, 2)}\n` : formatTried(tried))
    } finally {
      await org.close()
    }
  })
}

/** `objectry formula 'Amount * 2' --object Opportunity --record 006...`: what a formula is and gives. */
export function formulaCommand(): Command {
  const command = new Command('formula')
    .description('Evaluate a formula for a record, and show its type, its references and its SQL.')
    .argument('<text>', 'the formula')
    .requiredOption('--object <name>', 'the object that it is a formula of')
    .option('--record <id>', 'a record of the object; without one, a new record without values')
    .addOption(
      new Option('--blanks <how>', 'how it sees blank numbers').choices(['zero', 'blank']).default('zero'),
    )
    .option('--json', 'print JSON')
  return addOrgFlags(command, []).action(tryFormula)
}

import { FUNCTION_GROUPS } from '../src/formulas/functions/registry.ts'

/** The functions of the reference as Markdown; a test compares it with the page. `node scripts/formula-table.ts` prints it. */
export function makeFormulaTable(): string {
  const places = { field: 'formula fields', rule: 'validation rules', default: 'default values' }
  return Object.entries(FUNCTION_GROUPS)
    .map(([group, functions]) => {
      const lines = functions.map(({ signature, result, description, places: where }) => {
        const only =
          where === undefined ? '' : ` In ${where.map((place) => places[place]).join(' and ')} only.`
        return `| \`${signature}\` | ${result} | ${(description + only).replaceAll('|', '\\|')} |`
      })
      return `### ${group}\n\n| Function | Result | What it gives |\n|---|---|---|\n${lines.join('\n')}`
    })
    .join('\n\n')
}

if (import.meta.main) console.log(makeFormulaTable())

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FormulaError } from '../src/formulas/language/formula-error.ts'
import type { FormulaType } from '../src/formulas/language/formula-type.ts'
import { parseFormula } from '../src/formulas/parse/parser.ts'
import { Decimal } from '../src/formulas/values/number.ts'
import { removeBuildTokens } from '../src/importers/source-format/project/source-file.ts'
import type { Db } from '../src/storage/database/db.ts'
import { openEngine } from '../src/storage/open-engine.ts'
import {
  checkRow,
  evaluateInDatabase,
  evaluateInProcess,
  type FormulaRow,
  type RowField,
  type RowFields,
  type RowResult,
} from '../test/support/formula-rows.sql.ts'

/*
 * Runs cases of the formula language from a folder by both backends: `cases.jsonl` has formulas with rows and expected values,
 * `real-formulas.jsonl` texts that have to parse.
 *
 *   npm run test:formula-cases -- <folder>
 *   npm run test:formula-cases -- <folder> --database-url postgres://postgres@127.0.0.1:5432/postgres
 *   npm run test:formula-cases -- <folder> --only testCeilRound
 *
 * SQL runs on the embedded engine, and on PostgreSQL too where an address is given. Ends with 1 when a value differs. Cases that are
 * marked `extension` are left out.
 */

type CaseType = 'Number' | 'Currency' | 'Percent' | 'Text' | 'Boolean' | 'DateOnly' | 'DateTime' | 'TimeOnly'
type CaseValue = string | number | boolean | null | { readonly error: true }

interface Case {
  readonly name: string
  readonly formula: string
  readonly returnType: CaseType
  readonly scale?: number
  readonly functions: readonly string[]
  readonly fields: Readonly<Record<string, { readonly type: CaseType; readonly formula?: string }>>
  readonly rows: readonly {
    readonly in: FormulaRow
    readonly asZero: CaseValue
    readonly asBlank: CaseValue
    readonly pgDiffers?: { readonly asZero?: CaseValue; readonly asBlank?: CaseValue }
  }[]
  readonly approximate?: boolean
  readonly extension?: boolean
}

const TYPES: Readonly<Record<CaseType, RowField['type']>> = {
  Number: 'Number',
  Currency: 'Number',
  Percent: 'Percent',
  Text: 'Text',
  Boolean: 'Boolean',
  DateOnly: 'Date',
  DateTime: 'DateTime',
  TimeOnly: 'Time',
}

const { values, positionals } = parseArgs({
  options: { 'database-url': { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Usage: npm run test:formula-cases -- <folder>')
  process.exit(2)
}

const readLines = <Line>(name: string): Line[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** Datetimes of cases as PostgreSQL reads a timestamp. */
const plain = (value: FormulaRow[string]) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)
    ? value.replace('T', ' ').replace('Z', '')
    : value

const plainRow = (row: FormulaRow, fields: Case['fields']): FormulaRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      fields[name]?.type === 'DateTime' ? plain(value) : value,
    ]),
  )

/** True if a result is the expected one, at the scale of the case. */
function isExpected(
  result: RowResult,
  expected: CaseValue,
  { returnType, scale = 0, approximate }: Case,
): boolean {
  if (typeof expected === 'object' && expected !== null) return 'error' in result
  if ('error' in result) return false
  if (expected === null || result.value === null) return expected === null && result.value === null
  if (TYPES[returnType] === 'Number' || returnType === 'Percent') {
    const [a, b] = [result.value, String(expected)].map((text) => new Decimal(text).toDecimalPlaces(scale))
    const difference = a!.minus(b!).abs()
    return approximate === true ? difference.lte(new Decimal(10).pow(-scale)) : difference.isZero()
  }
  return result.value === String(plain(expected))
}

/**
 * A time below midnight is one of the day before, as a time above it is one of the day after, although the cases have an error there
 * for one of two implementations.
 */
const isWrapped = (result: RowResult, row: Case['rows'][number], setting: 'asZero' | 'asBlank', one: Case) =>
  one.returnType === 'TimeOnly' && 'value' in result && result.value === row.pgDiffers?.[setting]

let wrapped = 0
let differing = 0
let compared = 0

async function runCase(one: Case, db: Db, engine: string): Promise<void> {
  const fields: RowFields = Object.fromEntries(
    Object.entries(one.fields).map(([name, { type, formula }]) => [
      name,
      { type: TYPES[type], ...(formula !== undefined && { formula }) },
    ]),
  )
  const rows = one.rows.map((row) => plainRow(row.in, one.fields))
  const isPercent = one.returnType === 'Percent'
  const result: FormulaType = isPercent ? 'Number' : (TYPES[one.returnType] as FormulaType)
  const isRegex = one.functions.includes('REGEX')
  for (const setting of ['asZero', 'asBlank'] as const) {
    const place = isRegex ? 'rule' : 'field'
    const formula = checkRow(one.formula, { fields, result, place, zero: setting === 'asZero' })
    const output = { isPercent }
    const results = new Map([['process', evaluateInProcess(formula, output, fields, rows)]])
    if (!isRegex) results.set(engine, await evaluateInDatabase(db, formula, output, fields, rows))
    for (const [backend, found] of results) {
      one.rows.forEach((row, index) => {
        compared++
        if (isExpected(found[index]!, row[setting], one)) return
        if (isWrapped(found[index]!, row, setting, one)) {
          wrapped++
          return
        }
        differing++
        const shown = JSON.stringify({ in: row.in, expected: row[setting], found: found[index] })
        console.log(`${one.name} ${setting} (${backend}): ${one.formula}\n  ${shown}`)
      })
    }
  }
}

async function runCases(databaseUrl: string | undefined): Promise<void> {
  const engine = await openEngine({ databaseUrl, poolSize: 2, data: 'memory' })
  const name = databaseUrl === undefined ? 'embedded engine' : 'PostgreSQL'
  try {
    const cases = readLines<Case>('cases.jsonl').filter(
      (one) => one.extension !== true && (values.only === undefined || one.name === values.only),
    )
    for (const one of cases) {
      try {
        await runCase(one, engine.db, name)
      } catch (error) {
        differing++
        const where = error instanceof FormulaError ? ` at ${error.at}` : ''
        console.log(`${one.name} (${name}): ${one.formula}\n  ${error}${where}`)
      }
    }
    console.log(
      `${name}: ${cases.length} cases, ${compared} values compared so far, ${wrapped} of them times of the day before, ${differing} differ`,
    )
  } finally {
    await engine.close()
  }
}

function parseTexts(): void {
  const texts = readLines<{ readonly name: string; readonly formula?: string }>('real-formulas.jsonl')
  let parsed = 0
  const given = texts.filter(({ formula }) => formula !== undefined)
  for (const { name, formula } of given) {
    try {
      parseFormula(removeBuildTokens(formula!))
      parsed++
    } catch (error) {
      differing++
      console.log(`${name} does not parse: ${error}\n  ${formula}`)
    }
  }
  console.log(`${parsed} of ${given.length} texts parse`)
}

if (values.only === undefined) parseTexts()
await runCases(undefined)
if (values['database-url'] !== undefined) await runCases(values['database-url'])
process.exitCode = differing === 0 ? 0 : 1

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Formula } from '../../src/formulas/language/expression.ts'
import { FormulaError } from '../../src/formulas/language/formula-error.ts'
import { sharedEngine } from '../support/engine.ts'
import {
  checkRow,
  evaluateInDatabase,
  evaluateInProcess,
  type RowResult,
} from '../support/formula-rows.sql.ts'
import { isSoak, runs } from '../support/runs.ts'
import { RANDOM_FIELDS, randomFormula, randomRow } from './random-formula.ts'

/*
 * Random formulas over random rows: PostgreSQL gives what the process gives, to the last digit. PROPERTY_EFFORT tries more, PROPERTY_SEED
 * others: `npm run soak -- formulas`.
 */

const RUNS = runs(500)
const ROWS = 12
const REPORT_EVERY = 1000

/** Decimals of a number field, at most. */
const SCALE = 18

let tried = 0
let refused = 0

/** A formula may be refused for its size only. */
function check(text: string, result: Formula['result'], zero: boolean): Formula | undefined {
  try {
    return checkRow(text, { fields: RANDOM_FIELDS, result, zero })
  } catch (error) {
    if (!(error instanceof FormulaError) || !/too big|too deeply/.test(error.message)) throw error
    refused++
    return undefined
  }
}

const show = (result: RowResult) => ('error' in result ? 'fails' : result.value)

test('a formula has the same value in the process and in the database', async () => {
  const { db } = await sharedEngine()
  await fc.assert(
    fc.asyncProperty(
      randomFormula(),
      fc.boolean(),
      fc.array(randomRow, { minLength: ROWS, maxLength: ROWS }),
      async ({ text, result }, zero, rows) => {
        if (isSoak && ++tried % REPORT_EVERY === 0)
          process.stdout.write(`${tried} formulas, ${refused} refused\n`)
        const formula = check(text, result, zero)
        if (formula === undefined) return
        const output = { scale: SCALE }
        const expected = evaluateInProcess(formula, output, RANDOM_FIELDS, rows)
        const found = await evaluateInDatabase(db, formula, output, RANDOM_FIELDS, rows)
        rows.forEach((row, index) => {
          const [a, b] = [show(expected[index]!), show(found[index]!)]
          if (a === b) return
          assert.fail(`${text} (zero: ${zero})\nof ${JSON.stringify(row)}\nprocess:  ${a}\ndatabase: ${b}`)
        })
      },
    ),
    { numRuns: RUNS },
  )
})

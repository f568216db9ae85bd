import fc from 'fast-check'
import type { FormulaType } from '../../src/formulas/language/formula-type.ts'
import type { FormulaRow, RowFields } from '../support/formula-rows.sql.ts'

/** Random formulas that have a type, and rows of values for them. */

export const RANDOM_FIELDS: RowFields = {
  N1: { type: 'Number', facts: { scale: 2, digits: 16 } },
  N2: { type: 'Number', facts: { scale: 0, digits: 4 } },
  N3: { type: 'Number', facts: { scale: 8, digits: 10 } },
  P1: { type: 'Percent', facts: { scale: 2, digits: 5 } },
  T1: { type: 'Text', facts: { length: 80 } },
  T2: { type: 'Text', facts: { length: 80 } },
  K1: { type: 'Picklist', facts: { length: 80 } },
  M1: { type: 'MultiPicklist', facts: { length: 80 } },
  B1: { type: 'Boolean' },
  B2: { type: 'Boolean' },
  D1: { type: 'Date', facts: { reach: 0 } },
  D2: { type: 'Date', facts: { reach: 0 } },
  S1: { type: 'DateTime', facts: { reach: 0 } },
  S2: { type: 'DateTime', facts: { reach: 0 } },
  H1: { type: 'Time' },
  H2: { type: 'Time' },
  F1: { type: 'Number', formula: 'N1 / N2' },
  F2: { type: 'Text', formula: 'IF(B1, T1 & "-" & TEXT(N2), T2)' },
  F3: { type: 'Boolean', formula: 'D1 > D2' },
}

/** The texts of formulas by the type of their values. */
type Texts = Record<'Number' | 'Text' | 'Boolean' | 'Date' | 'DateTime' | 'Time', string>

const letters = fc.stringMatching(/^[a-zA-Z0-9 éßñЯ\-.]{0,6}$/)
const literalText = letters.map((text) => `"${text}"`)
const literalNumber = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom('0.5', '0.1', '100', '3.14159', '365', '1000000', '0.000001', '24'),
)

const call = (name: string, ...args: fc.Arbitrary<string>[]) =>
  fc.tuple(...args).map((texts) => `${name}(${texts.join(', ')})`)
const operator = (symbols: readonly string[], a: fc.Arbitrary<string>, b: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...symbols), a, b).map(([symbol, left, right]) => `(${left} ${symbol} ${right})`)

const ORDER = ['<', '>', '<=', '>=', '=', '<>']

function makeTexts() {
  return fc.letrec<Texts>((untyped) => {
    const tie = (type: keyof Texts) => untyped(type) as fc.Arbitrary<string>
    const number = tie('Number')
    const text = tie('Text')
    const boolean = tie('Boolean')
    const date = tie('Date')
    const moment = tie('DateTime')
    const time = tie('Time')
    const shared = (type: keyof Texts) => {
      const one = tie(type)
      return [
        call('IF', boolean, one, one),
        call('CASE', number, literalNumber, one, literalNumber, one, one),
        call('CASE', text, literalText, one, one),
        call('CASE', fc.constant('K1'), fc.constantFrom('"A"', '"B"'), one, one),
      ]
    }
    const replacing = (type: Exclude<keyof Texts, 'Boolean'>) => [
      call('BLANKVALUE', tie(type), tie(type)),
      call('NULLVALUE', tie(type), tie(type)),
    ]
    const small = fc.oneof(literalNumber, fc.constantFrom('N2', '-N2', 'LEN(T1)'))
    return {
      Number: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.oneof(fc.constantFrom('N1', 'N2', 'N3', 'P1', 'F1'), literalNumber),
        operator(['+', '-', '*', '/'], number, number),
        operator(['^'], fc.constantFrom('N2', 'N3', '2', '1.5'), small),
        number.map((one) => `-${one}`),
        ...['ABS', 'CEILING', 'FLOOR', 'MCEILING', 'MFLOOR', 'SQRT'].map((name) => call(name, number)),
        ...['EXP', 'LN', 'LOG', 'SIN', 'COS', 'ATAN', 'ACOS', 'ASIN'].map((name) => call(name, number)),
        call('ROUND', number, small),
        call('TRUNC', number, small),
        call('MOD', number, number),
        call('MAX', number, number),
        call('MIN', number, number, number),
        call('LEN', text),
        call('FIND', text, text),
        call('FIND', literalText, text, small),
        call(
          'VALUE',
          fc.oneof(
            text,
            number.map((one) => `TEXT(${one})`),
          ),
        ),
        call('ASCII', text),
        ...['ISOWEEK', 'ISOYEAR'].map((name) => call(name, moment)),
        ...['YEAR', 'MONTH', 'DAY', 'WEEKDAY', 'ISOWEEK', 'ISOYEAR', 'DAYOFYEAR'].map((name) =>
          call(name, date),
        ),
        ...['HOUR', 'MINUTE', 'SECOND', 'MILLISECOND'].map((name) => call(name, time)),
        operator(['-'], date, date),
        operator(['-'], moment, moment),
        operator(['-'], time, time),
        ...[date, moment, time].map((one) => call('UNIXTIMESTAMP', one)),
        call('PICKLISTCOUNT', fc.constant('M1')),
        ...shared('Number'),
        ...replacing('Number'),
      ),
      Text: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.oneof(fc.constantFrom('T1', 'T2', 'TEXT(K1)', 'F2'), literalText),
        operator(['&', '+'], text, text),
        call('LEFT', text, small),
        call('RIGHT', text, small),
        call('MID', text, small, small),
        call('SUBSTITUTE', text, literalText, literalText),
        call('TRIM', text),
        call('LPAD', text, small),
        call('RPAD', text, small, literalText),
        ...['UPPER', 'LOWER', 'INITCAP', 'REVERSE'].map((name) => call(name, text)),
        call('CHR', number),
        ...[number, date, moment, time].map((one) => call('TEXT', one)),
        call('FORMATDURATION', number, boolean),
        call('FORMATDURATION', moment, moment),
        call('HYPERLINK', text, text),
        ...shared('Text'),
        ...replacing('Text'),
      ),
      Boolean: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.constantFrom('B1', 'B2', 'F3', 'TRUE', 'FALSE'),
        ...[number, text, date, moment, time].map((one) => operator(ORDER, one, one)),
        operator(['&&', '||', '=', '<>'], boolean, boolean),
        boolean.map((one) => `NOT(${one})`),
        call('AND', boolean, boolean, boolean),
        call('OR', boolean, boolean, boolean),
        ...[number, text, date, moment, time].flatMap((one) => [call('ISBLANK', one), call('ISNULL', one)]),
        call('ISNUMBER', text),
        call('BEGINS', text, text),
        call('CONTAINS', text, literalText),
        fc.constantFrom('ISPICKVAL(K1, "A")', 'ISPICKVAL(K1, "")', 'INCLUDES(M1, "B")', 'ISBLANK(M1)'),
        call('IF', boolean, boolean, boolean),
      ),
      Date: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.constantFrom('D1', 'D2', 'TODAY()', 'DATE(2024, 2, 29)'),
        operator(['+', '-'], date, fc.oneof(small, number)),
        call('ADDMONTHS', date, fc.oneof(small, number)),
        call('DATE', fc.oneof(number, fc.constant('YEAR(D1)')), small, small),
        call(
          'DATEVALUE',
          fc.oneof(
            text,
            moment,
            date.map((one) => `TEXT(${one})`),
          ),
        ),
        ...shared('Date'),
        ...replacing('Date'),
      ),
      DateTime: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.constantFrom('S1', 'S2', 'NOW()'),
        operator(['+', '-'], moment, fc.oneof(small, number)),
        call('ADDMONTHS', moment, small),
        call('DATETIMEVALUE', fc.oneof(text, date)),
        call('FROMUNIXTIME', number),
        ...shared('DateTime'),
        ...replacing('DateTime'),
      ),
      Time: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'formula', withCrossShrink: true },
        fc.constantFrom('H1', 'H2', 'TIMENOW()'),
        operator(['+', '-'], time, fc.oneof(small, number)),
        call('TIMEVALUE', fc.oneof(text, moment)),
        ...shared('Time'),
        ...replacing('Time'),
      ),
    }
  })
}

export interface RandomFormula {
  readonly result: FormulaType
  readonly text: string
}

const TYPES = ['Number', 'Text', 'Boolean', 'Date', 'DateTime', 'Time'] as const

export function randomFormula(): fc.Arbitrary<RandomFormula> {
  const texts = makeTexts()
  return fc.oneof(...TYPES.map((result) => texts[result].map((text) => ({ result, text }))))
}

const orNothing = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 4 })
const decimals = (most: number, scale: number) =>
  fc
    .oneof(
      fc.integer({ min: -most, max: most }),
      fc.integer({ min: -20, max: 20 }).map((n) => n * 10 ** scale),
    )
    .map((value) => (value / 10 ** scale).toFixed(scale))
const day = fc.oneof(
  fc.date({ min: new Date('1700-01-01'), max: new Date('3999-12-31'), noInvalidDate: true }),
  fc.date({ min: new Date('2023-12-01'), max: new Date('2024-03-31'), noInvalidDate: true }),
)
const timeText = fc.integer({ min: 0, max: 86_399_999 }).map((n) => new Date(n).toISOString().slice(11, 23))
const rowText = fc.oneof(
  letters,
  fc.constantFrom(
    '12',
    '-3.5',
    '1e3',
    '2024-02-29',
    '2023-2-30',
    '10:15:00.000',
    '2024-01-31 23:59:59',
    '😀a',
    'x',
  ),
)

export const randomRow: fc.Arbitrary<FormulaRow> = fc.record({
  N1: orNothing(decimals(10 ** 12, 2)),
  N2: orNothing(fc.integer({ min: -50, max: 50 }).map(String)),
  N3: orNothing(decimals(10 ** 9, 8)),
  P1: orNothing(decimals(20_000, 2)),
  T1: orNothing(rowText.map((text) => text.trim())),
  T2: orNothing(rowText.map((text) => text.trim())),
  K1: orNothing(fc.constantFrom('A', 'B', 'C')),
  M1: orNothing(fc.constantFrom('A', 'A;B', 'A;B;C', 'BB')),
  B1: fc.boolean(),
  B2: fc.boolean(),
  D1: orNothing(day.map((date) => date.toISOString().slice(0, 10))),
  D2: orNothing(day.map((date) => date.toISOString().slice(0, 10))),
  S1: orNothing(day.map((date) => date.toISOString().slice(0, 19).replace('T', ' '))),
  S2: orNothing(day.map((date) => date.toISOString().slice(0, 19).replace('T', ' '))),
  H1: orNothing(timeText),
  H2: orNothing(timeText),
})

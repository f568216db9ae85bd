import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FUNCTIONS } from '../../src/formulas/functions/registry.ts'
import type { FormulaType } from '../../src/formulas/language/formula-type.ts'
import { sharedEngine } from '../support/engine.ts'
import {
  checkRow,
  evaluateInDatabase,
  evaluateInProcess,
  type FormulaRow,
  type RowFields,
  type RowResult,
} from '../support/formula-rows.sql.ts'

/** Every function, operator and rule of blanks, in the process and in the database. */

const FIELDS: RowFields = {
  Zero: { type: 'Number' },
  Two: { type: 'Number' },
  Neg: { type: 'Number' },
  NoNumber: { type: 'Number' },
  Half: { type: 'Percent' },
  Name: { type: 'Text' },
  NoText: { type: 'Text' },
  Yes: { type: 'Boolean' },
  No: { type: 'Boolean' },
  Day: { type: 'Date' },
  NoDay: { type: 'Date' },
  Start: { type: 'DateTime' },
  NoStart: { type: 'DateTime' },
  At: { type: 'Time' },
  NoTime: { type: 'Time' },
  Color: { type: 'Picklist' },
  NoColor: { type: 'Picklist' },
  Colors: { type: 'MultiPicklist' },
  NoColors: { type: 'MultiPicklist' },
  Third: { type: 'Number', formula: 'Two / 6' },
  Fails: { type: 'Number', formula: 'Two / Zero' },
  Unknown: { type: 'Boolean', formula: 'NoDay > Day' },
}

const ROW: FormulaRow = {
  Zero: 0,
  Two: 2,
  Neg: '-1.3',
  NoNumber: null,
  Half: 50,
  Name: 'Acme Inc.',
  NoText: null,
  Yes: true,
  No: false,
  Day: '2024-01-31',
  NoDay: null,
  Start: '2024-01-31 22:30:00',
  NoStart: null,
  At: '10:15:30.250',
  NoTime: null,
  Color: 'Red',
  NoColor: null,
  Colors: 'Red;Blue',
  NoColors: null,
}

const FAILS = 'fails'
type Expected = string | null

/** Type of the result, formula, value: where blanks are blank, then where they are zero if that differs. */
type Line = readonly [FormulaType, string, Expected, Expected?]

const LINES: readonly Line[] = [
  // Operators and their order
  ['Number', '1 + 2 * 3', '7'],
  ['Number', '2 * 2 ^ 3', '64'],
  ['Number', '2 ^ 3 ^ 2', '64'],
  ['Number', '-2 ^ 2', '4'],
  ['Number', '10 - 2 - 3', '5'],
  ['Number', '0.1 + 0.2', '0.3'],
  ['Number', '1 / 3 * 3', '0.9999999999999999999999999999999999999999'],
  ['Number', 'Two / Zero', FAILS],
  ['Number', 'Two / NoNumber', null, FAILS],
  ['Number', 'NoNumber / Zero', null, FAILS],
  ['Number', 'NoNumber + 1', null, '1'],
  ['Number', '-NoNumber', null, '0'],
  ['Number', '+Neg', '-1.3'],
  ['Number', '0 ^ 0', '1'],
  ['Number', '0 ^ -1', FAILS],
  ['Number', '2 ^ 0.5', FAILS],
  ['Number', '10 ^ 65', FAILS],
  ['Number', '3 ^ 40', '12157665459056928800'],
  ['Number', 'Half', '0.5'],
  ['Text', '"a" & "b" + "c"', 'abc'],
  ['Text', 'NoText & "x" & NoText', 'x'],
  ['Text', 'NoText & NoText', null],
  ['Text', '"a" + NoText', 'a'],
  ['Boolean', '1 < 2 && "a" < "b"', 'true'],
  ['Boolean', '"B" < "a"', 'true'],
  ['Boolean', '"a" = "A"', 'false'],
  ['Boolean', 'NoText = ""', 'true'],
  ['Boolean', 'NoText = NULL', 'true'],
  ['Boolean', 'Name <> NULL', 'true'],
  ['Boolean', 'NoText < "a"', 'false'],
  ['Boolean', 'NoNumber = 0', 'false', 'true'],
  ['Boolean', 'NoNumber <> 5', 'false', 'true'],
  ['Boolean', 'NOT(NoNumber <> 5)', 'false', 'false'],
  ['Boolean', 'NOT Yes = No', 'true'],
  ['Boolean', '!No && Yes', 'true'],
  ['Boolean', 'NoDay = Day', 'false'],
  ['Boolean', 'Unknown <> TRUE', 'true'],
  ['Boolean', 'Day == DATE(2024, 1, 31) && 1 != 2', 'true'],
  ['Boolean', 'No || Yes', 'true'],
  ['Date', 'Day + 0.7', '2024-01-31'],
  ['Date', 'Day - 0.7', '2024-01-31'],
  ['Date', 'Day + 0.5 + 0.5', '2024-01-31'],
  ['Date', 'Day + (0.5 + 0.5)', '2024-02-01'],
  ['Date', '1 + Day', '2024-02-01'],
  ['Date', 'Day + 1000000000', FAILS],
  ['Date', 'Day + NoNumber', null, '2024-01-31'],
  ['Number', 'Day - DATE(2024, 1, 1)', '30'],
  ['DateTime', 'Start + 0.5', '2024-02-01 10:30:00'],
  ['DateTime', 'Start - 1 / 86400 / 2', '2024-01-31 22:29:59'],
  ['Number', 'Start - (Start - 0.25)', '0.25'],
  ['Time', 'At + 86400000 - 1', '10:15:30.249'],
  ['Time', 'TIMEVALUE("00:00:01.000") - 2000', '23:59:59.000'],
  ['Number', 'TIMEVALUE("00:00:00.000") - TIMEVALUE("23:59:59.000")', '1000'],
  ['Number', 'Third * 3', '0.9999999999999999999999999999999999999999'],
  // Logic and blanks
  ['Text', 'IF(NoDay > Day, "yes", "no")', 'no'],
  ['Number', 'IF(Yes, 1, 1 / 0)', '1'],
  ['Number', 'IF(No, 1, 1 / 0)', FAILS],
  ['Boolean', 'AND(Yes, NoDay > Day)', 'false'],
  ['Boolean', 'NOT(AND(NoDay > Day, Yes))', 'true'],
  ['Boolean', 'AND(No, 1 / Zero > 1)', 'false'],
  ['Boolean', 'AND(Yes, 1 / Zero > 1)', FAILS],
  ['Boolean', 'OR(Yes, 1 / Zero > 1)', 'true'],
  ['Boolean', 'OR(NoDay > Day, 1 / Zero > 1)', FAILS],
  ['Boolean', 'NOT(NoDay > Day)', 'false'],
  ['Text', 'CASE(Two, 1, "one", 2.00, "two", "other")', 'two'],
  ['Text', 'CASE(NoNumber, 0, "zero", "other")', 'other', 'zero'],
  ['Text', 'CASE(NoText, "", "blank", "other")', 'blank'],
  ['Text', 'CASE(NoDay, Day, "day", "other")', 'other'],
  ['Text', 'CASE(Color, "Red", "warm", "cold")', 'warm'],
  ['Number', 'CASE(Two, 1, 1 / Zero, 2, 2, 3)', FAILS],
  ['Boolean', 'ISBLANK(NoNumber)', 'true', 'false'],
  ['Boolean', 'ISBLANK(NoText)', 'true'],
  ['Boolean', 'ISBLANK(NoColor)', 'true'],
  ['Boolean', 'ISBLANK(NoColors)', 'true'],
  ['Boolean', 'ISBLANK(No)', 'false'],
  ['Boolean', 'ISBLANK(Two / Zero)', FAILS],
  ['Boolean', 'ISNULL(NoText)', 'false'],
  ['Boolean', 'ISNULL(NoDay)', 'true'],
  ['Number', 'BLANKVALUE(NoNumber, 7)', '7', '0'],
  ['Text', 'BLANKVALUE(NoText, "none")', 'none'],
  ['Text', 'NULLVALUE(NoText, "none")', null],
  ['Date', 'NULLVALUE(NoDay, Day)', '2024-01-31'],
  // Numbers
  ['Number', 'ABS(Neg)', '1.3'],
  ['Number', 'CEILING(Neg)', '-2'],
  ['Number', 'CEILING(6 / 11 * 11)', '6'],
  ['Number', 'FLOOR(Neg)', '-1'],
  ['Number', 'MCEILING(Neg)', '-1'],
  ['Number', 'MFLOOR(Neg)', '-2'],
  ['Number', 'ROUND(-2.5, 0)', '-3'],
  ['Number', 'ROUND(-123456.3335, -2)', '-123500'],
  ['Number', 'ROUND(2.345, Two)', '2.35'],
  ['Number', 'TRUNC(-2.999)', '-2'],
  ['Number', 'TRUNC(1299, -2)', '1200'],
  ['Number', 'MOD(-101, 10)', '-1'],
  ['Number', 'MOD(100.5, -10)', '0.5'],
  ['Number', 'MOD(5, Zero)', FAILS],
  ['Number', 'MAX(1, NoNumber, Two)', null, '2'],
  ['Number', 'MIN(3, Two)', '2'],
  ['Number', 'SQRT(16)', '4'],
  ['Number', 'SQRT(Neg)', FAILS],
  ['Number', 'EXP(0)', '1'],
  ['Number', 'EXP(1)', '2.718281828459045'],
  ['Number', 'EXP(710)', FAILS],
  ['Number', 'LN(EXP(1))', '1'],
  ['Number', 'LN(Zero)', FAILS],
  ['Number', 'LOG(1000)', '3'],
  ['Number', 'ROUND(PI(), 4)', '3.1416'],
  ['Number', 'SIN(0)', '0'],
  ['Number', 'COS(0)', '1'],
  ['Number', 'TAN(1)', '1.557407724655'],
  ['Number', 'ASIN(Two)', FAILS],
  ['Number', 'ACOS(1)', '0'],
  ['Number', 'ATAN(1)', '0.785398163397'],
  ['Number', 'ATAN2(1, -1)', '2.356194490192'],
  ['Number', 'ROUND(DISTANCE(GEOLOCATION(0, 0), GEOLOCATION(0, 1), "km"), 1)', '111.2'],
  ['Number', 'DISTANCE(GEOLOCATION(91, 0), GEOLOCATION(0, 0), "mi")', FAILS],
  ['Number', 'DISTANCE(GEOLOCATION(NoNumber, NoNumber), GEOLOCATION(0, 0), "mi")', null, '0'],
  // Texts
  ['Number', 'LEN(Name)', '9'],
  ['Number', 'LEN(NoText)', '0'],
  ['Text', 'LEFT(Name, 4.9)', 'Acme'],
  ['Text', 'LEFT(Name, 0)', null],
  ['Text', 'RIGHT(Name, 4)', 'Inc.'],
  ['Text', 'RIGHT(Name, -1)', null],
  ['Text', 'MID(Name, 6, 3)', 'Inc'],
  ['Text', 'MID(Name, -5, 4)', 'Acme'],
  ['Number', 'FIND("c", Name)', '2'],
  ['Number', 'FIND("c", Name, 3)', '8'],
  ['Number', 'FIND("x", Name)', '0'],
  ['Boolean', 'BEGINS(Name, "Acme")', 'true'],
  ['Boolean', 'BEGINS(Name, "")', 'true'],
  ['Boolean', 'CONTAINS(Name, "acme")', 'false'],
  ['Boolean', 'CONTAINS(NoText, "a")', 'false'],
  ['Text', 'SUBSTITUTE(Name, "c", "")', 'Ame In.'],
  ['Text', 'TRIM("  a b ")', 'a b'],
  ['Text', 'TRIM("   ")', null],
  ['Text', 'LPAD("7", 3, "0")', '007'],
  ['Text', 'LPAD("1234", 2)', '12'],
  ['Text', 'RPAD("ab", 5, "xy")', 'abxyx'],
  ['Text', 'UPPER("große")', 'GROSSE'],
  ['Text', 'UPPER("i", "tr")', 'İ'],
  ['Text', 'LOWER("ÀB")', 'àb'],
  ['Text', 'INITCAP("hello wORLD-2x")', 'Hello World-2x'],
  ['Text', 'REVERSE("ab😀")', '😀ba'],
  ['Number', 'ASCII("€")', '8364'],
  ['Text', 'CHR(64.5)', '@'],
  ['Text', 'CHR(0)', null],
  ['Text', 'TEXT(1.50)', '1.5'],
  ['Text', 'TEXT(Half)', '0.5'],
  ['Text', 'TEXT(Day)', '2024-01-31'],
  ['Text', 'TEXT(Start)', '2024-01-31 22:30:00Z'],
  ['Text', 'TEXT(At)', '10:15:30.250'],
  ['Text', 'TEXT(Color)', 'Red'],
  ['Number', 'VALUE("-1.5e2")', '-150'],
  ['Number', 'VALUE("$5")', FAILS],
  ['Number', 'VALUE(NoText)', null],
  ['Boolean', 'ISNUMBER("1,000")', 'false'],
  ['Boolean', 'ISNUMBER(".5")', 'true'],
  ['Text', 'HYPERLINK("/a?b&c", "<x>")', '<a href="/a?b&amp;c" target="_blank">&lt;x&gt;</a>'],
  ['Text', 'HYPERLINK("java script:alert(1)", "x")', FAILS],
  [
    'Text',
    'IMAGE("/i.png", "pic", 10, 20)',
    '<img src="/i.png" alt="pic" style="height:10px; width:20px;" border="0"/>',
  ],
  ['Text', 'Name & BR()', 'Acme Inc.<br>'],
  ['Text', 'CASESAFEID("001000000000001")', '001000000000001AAA'],
  ['Text', 'GETSESSIONID()', null],
  // Dates and times
  ['Date', 'DATE(2024, 2, 29)', '2024-02-29'],
  ['Date', 'DATE(2023, 2, 29)', FAILS],
  ['Date', 'DATE(YEAR(Day), MONTH(Day) + 1, 1)', '2024-02-01'],
  ['Date', 'DATE(2024, NoNumber, 1)', null, FAILS],
  ['Date', 'DATEVALUE(Start)', '2024-01-31'],
  ['Date', 'DATEVALUE("2024-2-3")', '2024-02-03'],
  ['Date', 'DATEVALUE("2023-02-30")', FAILS],
  ['DateTime', 'DATETIMEVALUE("2024-01-02 3:04:05")', '2024-01-02 03:04:05'],
  ['DateTime', 'DATETIMEVALUE(Day)', '2024-01-31 00:00:00'],
  ['DateTime', 'DATETIMEVALUE("2024-01-02 24:00:00")', FAILS],
  ['Time', 'TIMEVALUE(Start)', '22:30:00.000'],
  ['Time', 'TIMEVALUE("1:00:00.000")', FAILS],
  ['Date', 'TODAY()', '2026-11-24'],
  ['DateTime', 'NOW()', '2026-11-24 05:06:07'],
  ['Time', 'TIMENOW()', '05:06:07.000'],
  ['Number', 'DAY(Day)', '31'],
  ['Number', 'MONTH(Day)', '1'],
  ['Number', 'YEAR(NoDay)', null],
  ['Number', 'HOUR(At)', '10'],
  ['Number', 'MINUTE(At)', '15'],
  ['Number', 'SECOND(At)', '30'],
  ['Number', 'MILLISECOND(At)', '250'],
  ['Number', 'WEEKDAY(Day)', '4'],
  ['Number', 'ISOWEEK(DATE(2021, 1, 3))', '53'],
  ['Number', 'ISOYEAR(DATE(2021, 1, 3))', '2020'],
  ['Number', 'ISOWEEK(DATETIMEVALUE("2021-01-03 23:59:59"))', '53'],
  ['Number', 'ISOWEEK(DATETIMEVALUE("2021-01-04 00:00:00"))', '1'],
  ['Number', 'ISOYEAR(DATETIMEVALUE("2021-01-03 23:59:59"))', '2020'],
  ['Number', 'ISOYEAR(DATETIMEVALUE("1969-12-28 23:00:00"))', '1969'],
  ['Number', 'ISOYEAR(Start)', '2024'],
  ['Number', 'DAYOFYEAR(DATE(2024, 12, 31))', '366'],
  ['Date', 'ADDMONTHS(Day, 1)', '2024-02-29'],
  ['Date', 'ADDMONTHS(DATE(2024, 2, 29), 1)', '2024-03-31'],
  ['DateTime', 'ADDMONTHS(Start, -2)', '2023-11-30 22:30:00'],
  ['Date', 'ADDMONTHS(Day, NoNumber)', null, '2024-01-31'],
  ['Number', 'UNIXTIMESTAMP(DATE(1970, 1, 2))', '86400'],
  ['Number', 'UNIXTIMESTAMP(At)', '36930'],
  ['DateTime', 'FROMUNIXTIME(86401)', '1970-01-02 00:00:01'],
  ['Text', 'FORMATDURATION(90061)', '25:01:01'],
  ['Text', 'FORMATDURATION(-90061, TRUE)', '1:01:01:01'],
  ['Text', 'FORMATDURATION(Start, Start - 1.5)', '1:12:00:00'],
  // Picklists
  ['Boolean', 'ISPICKVAL(Color, "Red")', 'true'],
  ['Boolean', 'ISPICKVAL(NoColor, "")', 'true'],
  ['Boolean', 'INCLUDES(Colors, "Blue")', 'true'],
  ['Boolean', 'INCLUDES(NoColors, "Blue")', 'false'],
  ['Number', 'PICKLISTCOUNT(Colors)', '2'],
  ['Number', 'PICKLISTCOUNT(NoColors)', '0'],
  // Formulas that refer to formulas
  ['Number', 'IF(Yes, Two, Fails)', '2'],
  ['Number', 'BLANKVALUE(Fails, 1)', FAILS],
]

const show = (result: RowResult | undefined): Expected =>
  result === undefined ? 'nothing' : 'error' in result ? FAILS : result.value

for (const zero of [false, true]) {
  test(`functions and operators where blank numbers are ${zero ? 'zero' : 'blank'}`, async () => {
    const { db } = await sharedEngine()
    for (const [result, text, blank, ifZero] of LINES) {
      const formula = checkRow(text, { fields: FIELDS, result, zero })
      const expected = zero && ifZero !== undefined ? ifZero : blank
      const [inProcess] = evaluateInProcess(formula, {}, FIELDS, [ROW])
      const [inDatabase] = await evaluateInDatabase(db, formula, {}, FIELDS, [ROW])
      assert.deepEqual(
        { text, process: show(inProcess), database: show(inDatabase) },
        { text, process: expected, database: expected },
      )
    }
  })
}

test('rules have functions of their own, and regular expressions', () => {
  const lines: readonly (readonly [string, string])[] = [
    ['ISNEW()', 'true'],
    ['ISCLONE()', 'false'],
    ['ISCHANGED(Name)', 'false'],
    ['PRIORVALUE(Name) = Name', 'true'],
    ['ISPICKVAL(PRIORVALUE(Color), "Red")', 'true'],
    ['REGEX(Name, "[A-Z]\\\\w+ Inc\\\\.")', 'true'],
    ['REGEX("ab", "a|b")', 'false'],
    ['REGEX(NoText, "a*")', 'true'],
  ]
  for (const [text, expected] of lines) {
    const formula = checkRow(text, { fields: FIELDS, result: 'Boolean', zero: false, place: 'rule' })
    const [result] = evaluateInProcess(formula, {}, FIELDS, [ROW])
    assert.equal(show(result), expected, text)
  }
})

test('a regular expression that would take exponential time elsewhere takes none', () => {
  const text = `REGEX("${'a'.repeat(2000)}c", "(a*)+b")`
  const formula = checkRow(text, { fields: FIELDS, result: 'Boolean', zero: false, place: 'rule' })
  assert.equal(show(evaluateInProcess(formula, {}, FIELDS, [ROW])[0]), 'false')
})

test('every function has a line above', () => {
  const texts = LINES.map(([, text]) => text).join(' ')
  const inRules = ['ISNEW', 'ISCLONE', 'ISCHANGED', 'PRIORVALUE', 'REGEX', 'VLOOKUP']
  const missing = [...FUNCTIONS.keys()].filter(
    (name) => !texts.includes(`${name}(`) && !inRules.includes(name),
  )
  assert.deepEqual(missing, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormulaError } from '../../src/formulas/language/formula-error.ts'
import type { FormulaPlace, FormulaType } from '../../src/formulas/language/formula-type.ts'
import { checkRow, type RowFields } from '../support/formula-rows.sql.ts'

const FIELDS: RowFields = {
  Amount: { type: 'Number' },
  Name: { type: 'Text' },
  Open: { type: 'Boolean' },
  Day: { type: 'Date' },
  Start: { type: 'DateTime' },
  Color: { type: 'Picklist' },
  Colors: { type: 'MultiPicklist' },
}

function findError(text: string, result?: FormulaType, place: FormulaPlace = 'field'): FormulaError {
  try {
    checkRow(text, { fields: FIELDS, zero: false, place, ...(result !== undefined && { result }) })
  } catch (error) {
    if (error instanceof FormulaError) return error
    throw error
  }
  throw new assert.AssertionError({ message: `${text} has no error` })
}

const LINES: readonly (readonly [text: string, message: string, at: number])[] = [
  ['', 'Syntax error.  Found end of formula', 0],
  ['1 +', 'Syntax error.  Found end of formula', 3],
  ['(1 + 2', "Syntax error.  Missing ')'", 0],
  ['IF(Open, 1', "Syntax error.  Missing ')'", 2],
  ['1 2', "Syntax error. Extra '2'", 2],
  ['.5', "Syntax error.  Found '.'", 0],
  ['5.', "Syntax error.  Found '.'", 1],
  ['"a', 'Syntax error.  Missing "', 0],
  ['"a\\x"', "Syntax error.  Found '\\x'", 2],
  ['/* open', 'Syntax error.  Missing */', 0],
  ['Amount [ 1', "Syntax error.  Found '['", 7],
  ['Nam', 'Field Nam does not exist. Check spelling.', 0],
  ['1 + ROUNDD(Amount, 1)', 'Unknown function ROUNDD. Check spelling. Did you mean ROUND?', 4],
  ['LEFT(Name)', "Incorrect number of parameters for function 'LEFT()'. Expected 2, received 1", 0],
  ['MAX()', "Incorrect number of parameters for function 'MAX()'. Expected at least 1, received 0", 0],
  ['LEFT(Amount, 1)', "Incorrect parameter type for function 'LEFT()'. Expected Text, received Number", 5],
  ['1 + 2 & "x"', "Incorrect parameter type for operator '&'. Expected Text, received Number", 2],
  [
    'Name - Name',
    "Incorrect parameter type for operator '-'. Expected Number, Date, DateTime, Time, received Text",
    0,
  ],
  ['Day + Day', "Incorrect parameter type for operator '+'. Expected Number, received Date", 6],
  ['Day = Start', "Incorrect parameter type for operator '='. Expected Date, received DateTime", 6],
  ['Open > TRUE', "Incorrect argument type for operator '>'.", 5],
  ['IF(Open, 1, "a")', "Incorrect parameter type for function 'IF()'. Expected Number, received Text", 12],
  ['IF(Amount, 1, 2)', "Incorrect parameter type for function 'IF()'. Expected Boolean, received Number", 3],
  ['CASE(Amount, 1, 2)', "Incorrect number of parameters for function 'CASE()'. Expected 4, received 3", 0],
  [
    'CASE(Open, TRUE, 1, 2)',
    "Incorrect parameter type for function 'CASE()'. Expected Number, Text, Date, DateTime, Time, Picklist, received Boolean",
    5,
  ],
  [
    'Color = "Red"',
    'Field Color is a picklist field. Picklist fields are only supported in certain functions.',
    0,
  ],
  [
    'LEN(Colors)',
    'Field Colors is a multi-select picklist field. Multi-select picklist fields are only supported in certain functions.',
    4,
  ],
  [
    'ISPICKVAL(Color, Name)',
    "Incorrect parameter type for function 'ISPICKVAL()'. Expected Text Literal, received Text",
    17,
  ],
  [
    'TEXT(Name)',
    "Incorrect parameter type for function 'TEXT()'. Expected Number, Date, DateTime, Time, Picklist, received Text",
    5,
  ],
  ['MONTH(Start)', "Incorrect parameter type for function 'MONTH()'. Expected Date, received DateTime", 6],
  ['REGEX(Name, "a")', 'Function REGEX may not be used in this type of formula', 0],
  ['ISCHANGED(Name)', 'Function ISCHANGED may not be used in this type of formula', 0],
  [
    'DISTANCE(GEOLOCATION(1, 2), GEOLOCATION(1, 2), "m")',
    "Incorrect parameter value for function 'DISTANCE()'. Expected 'mi' or 'km', received 'm'",
    47,
  ],
]

test('errors name what is wrong, what was expected, and where', () => {
  for (const [text, message, at] of LINES) {
    const error = findError(text)
    assert.deepEqual({ text, message: error.message, at: error.at }, { text, message, at })
  }
})

test('the result has the declared type', () => {
  const { message } = findError('Name', 'Number')
  assert.equal(message, 'Formula result is data type (Text), incompatible with expected data type (Number).')
  assert.equal(findError('Start', 'Date').message.includes('(DateTime)'), true)
  checkRow('Start', { fields: FIELDS, result: 'Date', zero: false, place: 'default' })
  checkRow('NULL', { fields: FIELDS, result: 'Time', zero: false })
})

test('a pattern with comments is refused where it is written', () => {
  const error = findError('REGEX(Name, "(?x)b")', 'Boolean', 'rule')
  assert.match(error.message, /^The regular expression '\(\?x\)b' is not supported/)
  assert.equal(error.at, 12)
})

test('formulas that are too long, too deep or too big are refused in no time', () => {
  assert.match(findError('1'.padEnd(3901, '+1')).message, /too long \(3901 characters\)/)
  assert.match(findError('('.repeat(1500)).message, /nested too deeply/)
  assert.match(findError('!'.repeat(1500)).message, /nested too deeply/)
  assert.match(
    findError(`${'SQRT('.repeat(60)}Amount${')'.repeat(60)}`).message,
    /^Compiled formula is too big/,
  )
  const grown = `${'SUBSTITUTE('.repeat(9)}Name${',"a","aaaaaaaaaa")'.repeat(9)}`
  assert.match(findError(grown).message, /texts may become too long/)
})

test('spaces, comments and case make no difference', () => {
  const text = 'if /* a */ (open,\r\n\tLen /* b */ ( name ), aMoUnT)'
  assert.equal(checkRow(text, { fields: FIELDS, result: 'Number', zero: false }).targets.length, 3)
})

import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import type { TestOrg } from '../support/org.ts'
import { openRefusingOrg, type RefusedEverywhere } from '../support/refused-everywhere.ts'

let org: TestOrg
let refusedEverywhere: RefusedEverywhere

before(async () => {
  ;({ org, refusedEverywhere } = await openRefusingOrg())
})

describe('a body that is not JSON is refused with what is wrong and where', () => {
  const OBJECT_END =
    'Unexpected end-of-input: expected close marker for Object (start marker at [line:1, column:1])'
  const VALUE = "expected a valid value (number, String, array, object, 'true', 'false' or 'null')"
  const WORD = "was expecting ('true', 'false' or 'null')"
  const CASES: readonly (readonly [string, string])[] = [
    [
      '{"Text__c" j',
      "Unexpected character ('j' (code 106)): was expecting a colon to separate field name and value at [line:1, column:12]",
    ],
    ['{"Text__c":"a"', `${OBJECT_END} at [line:1, column:15]`],
    ['{', `${OBJECT_END} at [line:1, column:2]`],
    ['{"Text__c":', `Unexpected end-of-input: ${VALUE} at [line:1, column:12]`],
    ['{"Text__c":}', `Unexpected character ('}' (code 125)): ${VALUE} at [line:1, column:12]`],
    [
      '{"Text__c":"a",}',
      "Unexpected character ('}' (code 125)): was expecting double-quote to start field name at [line:1, column:16]",
    ],
    [
      "{'Text__c':1}",
      "Unexpected character (''' (code 39)): was expecting double-quote to start field name at [line:1, column:2]",
    ],
    [
      '{"Text__c":"a" "Name":"b"}',
      "Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries at [line:1, column:16]",
    ],
    [
      '{"Text__c":[1 2]}',
      "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries at [line:1, column:15]",
    ],
    ['{\n  "Text__c": nope\n}', `Unrecognized token 'nope': ${WORD} at [line:2, column:14]`],
    ['{"Text__c":NaN}', `Unrecognized token 'NaN': ${WORD} at [line:1, column:12]`],
    ['{"Text__c":01}', 'Invalid numeric value at [line:1, column:12]'],
    ['{"Text__c":1.}', 'Unexpected character'],
    [
      '{"Text__c":"a\nb"}',
      'Illegal unquoted character (code 10): has to be escaped to be in a string value at [line:1, column:14]',
    ],
    ['{"Text__c":"\\x"}', 'Unrecognized character escape in a string value at [line:1, column:12]'],
    [
      '{"Text__c":"a',
      'Unexpected end-of-input: was expecting closing quote for a string value at [line:1, column:14]',
    ],
    ['{}{}', "Unexpected character ('{' (code 123)): Expected end of the text at [line:1, column:3]"],
    ['hello', `Unrecognized token 'hello': ${WORD} at [line:1, column:1]`],
    ['<xml/>', `Unexpected character ('<' (code 60)): ${VALUE} at [line:1, column:1]`],
    [
      `{"Text__c":${'['.repeat(100_000)}`,
      'The text is nested deeper than 500 levels at [line:1, column:512]',
    ],
  ]
  for (const [text, message] of CASES) {
    test(JSON.stringify(text.slice(0, 40)), async () => {
      const exact = message.includes(' at [')
        ? message
        : new RegExp(`^${message}.* at \\[line:1, column:\\d+\\]$`)
      await refusedEverywhere(text, 'JSON_PARSER_ERROR', exact)
    })
  }
})

describe('a body that is no record is refused', () => {
  test('when there is none', async () => {
    const message = 'The HTTP entity body is required, but this request has no entity body.'
    for (const text of ['', '  \n']) await refusedEverywhere(text, 'JSON_PARSER_ERROR', message)
  })

  test('when it is JSON of another kind', async () => {
    const kinds: [string, string][] = [
      ['"text"', 'VALUE_STRING value text'],
      ['17', 'VALUE_NUMBER_INT value 17'],
      ['1.5', 'VALUE_NUMBER_FLOAT value 1.5'],
      ['true', 'VALUE_TRUE value true'],
      ['null', 'VALUE_NULL value null'],
    ]
    for (const [text, token] of kinds) {
      const message = `Cannot deserialize instance of Specimen__c from ${token} or request may be missing a required field at [line:1, column:1]`
      await refusedEverywhere(text, 'JSON_PARSER_ERROR', message)
    }
  })

  test('when it is a list', async () => {
    const message =
      "Json Deserialization failed on token 'null' and has left off in the middle of parsing a row. Will go to end of row to begin parsing the next row"
    for (const text of ['[]', '[{"Text__c":"a"}]']) await refusedEverywhere(text, 'INVALID_FIELD', message)
  })

  test('when it is no UTF-8', async () => {
    const text = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const answer = await org.call('POST', '/sobjects/Specimen__c', { text })
    assertRefused(answer, 400, 'JSON_PARSER_ERROR', 'The request body is not UTF-8 text')
  })
})

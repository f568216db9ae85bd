import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ErrorCode } from '../../src/base/error-codes.ts'
import type { TestOrg } from '../support/org.ts'
import { openRefusingOrg, type RefusedEverywhere } from '../support/refused-everywhere.ts'

let org: TestOrg
let refusedEverywhere: RefusedEverywhere

before(async () => {
  ;({ org, refusedEverywhere } = await openRefusingOrg())
})

describe('a member that is no field is refused', () => {
  test('its name is in the message as it was written', async () => {
    for (const name of [
      'Foo__c',
      'text_c',
      '',
      ' Text__c',
      '__proto__',
      'constructor',
      'toString',
      'a"b',
      '😀',
    ]) {
      const body = `{"Text__c":"changed",${JSON.stringify(name)}:{"a":1}}`
      await refusedEverywhere(
        body,
        'INVALID_FIELD',
        `No such column '${name}' on sobject of type Specimen__c`,
      )
    }
  })
})

describe('a value of the wrong kind is refused with its place', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['Text__c', 'string', '17', 'VALUE_NUMBER_INT value 17'],
    ['Text__c', 'string', 'true', 'VALUE_TRUE value true'],
    ['Long__c', 'textarea', '{"a":1}', 'START_OBJECT value {'],
    ['Rich__c', 'textarea', '["a"]', 'START_ARRAY value ['],
    ['Text__c', 'string', '"a\\u0000b"', 'VALUE_STRING value a\0b'],
    ['Email__c', 'email', 'false', 'VALUE_FALSE value false'],
    ['Color__c', 'picklist', '1', 'VALUE_NUMBER_INT value 1'],
    ['Tags__c', 'multipicklist', '["four"]', 'START_ARRAY value ['],
    ['Flag__c', 'boolean', '"yes"', 'VALUE_STRING value yes'],
    ['Flag__c', 'boolean', '""', 'VALUE_STRING value '],
    ['Flag__c', 'boolean', '1', 'VALUE_NUMBER_INT value 1'],
    ['Count__c', 'int', '"many"', 'VALUE_STRING value many'],
    ['Count__c', 'int', '1.5', 'VALUE_NUMBER_FLOAT value 1.5'],
    ['Count__c', 'int', '"0x10"', 'VALUE_STRING value 0x10'],
    ['Count__c', 'int', 'true', 'VALUE_TRUE value true'],
    ['Ratio__c', 'double', '"1,5"', 'VALUE_STRING value 1,5'],
    ['Ratio__c', 'double', '"NaN"', 'VALUE_STRING value NaN'],
    ['Ratio__c', 'double', '1e400', 'VALUE_NUMBER_FLOAT value Infinity'],
    ['Price__c', 'currency', '"$5"', 'VALUE_STRING value $5'],
    ['Share__c', 'percent', '{}', 'START_OBJECT value {'],
    ['Day__c', 'date', '"2017-13-01"', 'VALUE_STRING value 2017-13-01'],
    ['Day__c', 'date', '"2023-02-29"', 'VALUE_STRING value 2023-02-29'],
    ['Day__c', 'date', '"31.01.2011"', 'VALUE_STRING value 31.01.2011'],
    ['Day__c', 'date', '"2011-01-31Tnoon"', 'VALUE_STRING value 2011-01-31Tnoon'],
    ['Day__c', 'date', '"1699-12-31"', 'VALUE_STRING value 1699-12-31'],
    ['Day__c', 'date', '"4001-01-01"', 'VALUE_STRING value 4001-01-01'],
    ['Day__c', 'date', '20110131', 'VALUE_NUMBER_INT value 20110131'],
    ['Moment__c', 'datetime', '"2021-11-06"', 'VALUE_STRING value 2021-11-06'],
    ['Moment__c', 'datetime', '"2021-11-06T25:00:00Z"', 'VALUE_STRING value 2021-11-06T25:00:00Z'],
    ['Moment__c', 'datetime', '"2021-11-06T10:00:00+99:99"', 'VALUE_STRING value 2021-11-06T10:00:00+99:99'],
    ['Moment__c', 'datetime', '1636220320000', 'VALUE_NUMBER_INT value 1636220320000'],
    ['Clock__c', 'time', '"24:00:00Z"', 'VALUE_STRING value 24:00:00Z'],
    ['Clock__c', 'time', '"10:00:00+02:00"', 'VALUE_STRING value 10:00:00+02:00'],
    ['Clock__c', 'time', '36000000', 'VALUE_NUMBER_INT value 36000000'],
    ['Account__c', 'reference', '17', 'VALUE_NUMBER_INT value 17'],
    ['Account__c', 'reference', '{"Name":"Acme"}', 'START_OBJECT value {'],
    ['Account__r', 'reference', '"Acme"', 'VALUE_STRING value Acme'],
    ['Bytes__c', 'base64Binary', '"not base64!"', 'VALUE_STRING value not base64!'],
    ['attributes', 'attributes', '"Specimen__c"', 'VALUE_STRING value Specimen__c'],
  ]
  for (const [field, kind, json, token] of cases) {
    test(`${field}: ${json}`, async () => {
      const text = `{\n  "Name": "x",\n  "${field}": ${json}\n}`
      const message = `Cannot deserialize instance of ${kind} from ${token} or request may be missing a required field at [line:3, column:${field.length + 7}]`
      await refusedEverywhere(text, 'JSON_PARSER_ERROR', message)
    })
  }
})

describe('a value that the field does not allow is refused and the field named', () => {
  const cases: readonly (readonly [string, unknown, ErrorCode, string])[] = [
    [
      'Text__c',
      'x'.repeat(41),
      'STRING_TOO_LONG',
      `Text: data value too large: ${'x'.repeat(41)} (max length=40)`,
    ],
    [
      'Text__c',
      '😀'.repeat(41),
      'STRING_TOO_LONG',
      `Text: data value too large: ${'😀'.repeat(41)} (max length=40)`,
    ],
    [
      'Area__c',
      'x'.repeat(256),
      'STRING_TOO_LONG',
      `Area: data value too large: ${'x'.repeat(256)} (max length=255)`,
    ],
    [
      'Long__c',
      'x'.repeat(131073),
      'STRING_TOO_LONG',
      `Long: data value too large: ${'x'.repeat(1000)}... (max length=131072)`,
    ],
    [
      'Phone__c',
      '1'.repeat(41),
      'STRING_TOO_LONG',
      `Phone: data value too large: ${'1'.repeat(41)} (max length=40)`,
    ],
    [
      'Color__c',
      'x'.repeat(256),
      'STRING_TOO_LONG',
      `Color: data value too large: ${'x'.repeat(256)} (max length=255)`,
    ],
    [
      'Email__c',
      `${'x'.repeat(80)}@example.com`,
      'STRING_TOO_LONG',
      `Mail: data value too large: ${'x'.repeat(80)}@example.com (max length=80)`,
    ],
    ['Email__c', 'not-an-email', 'INVALID_EMAIL_ADDRESS', 'Mail: invalid email address: not-an-email'],
    ['Email__c', 'a@b', 'INVALID_EMAIL_ADDRESS', 'Mail: invalid email address: a@b'],
    ['Email__c', 'a b@c.de', 'INVALID_EMAIL_ADDRESS', 'Mail: invalid email address: a b@c.de'],
    ['Email__c', 'a@b..de', 'INVALID_EMAIL_ADDRESS', 'Mail: invalid email address: a@b..de'],
    [
      'Count__c',
      1431655766,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Count: value outside of valid range on numeric field: 1431655766',
    ],
    [
      'Count__c',
      -100_000_000,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Count: value outside of valid range on numeric field: -100000000',
    ],
    [
      'Count__c',
      1e300,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Count: value outside of valid range on numeric field: 1e+300',
    ],
    [
      'Ratio__c',
      1_000_000,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Ratio: value outside of valid range on numeric field: 1000000',
    ],
    [
      'Ratio__c',
      '999999.9999',
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Ratio: value outside of valid range on numeric field: 1000000',
    ],
    [
      'Price__c',
      1e16,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Price: value outside of valid range on numeric field: 10000000000000000',
    ],
    [
      'Share__c',
      '1e308',
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Share: value outside of valid range on numeric field: 1e+308',
    ],
    [
      'Home__Latitude__s',
      1000,
      'NUMBER_OUTSIDE_VALID_RANGE',
      'Home Latitude: value outside of valid range on numeric field: 1000',
    ],
    [
      'Size__c',
      'XL',
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      'Size: bad value for restricted picklist field: XL',
    ],
    [
      'Size__c',
      'XXL',
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      'Size: bad value for restricted picklist field: XXL',
    ],
    [
      'Tags__c',
      'four;seven',
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      'Tags: bad value for restricted picklist field: seven',
    ],
  ]
  for (const [field, value, code, message] of cases) {
    test(`${field}: ${String(value).slice(0, 30)}`, async () => {
      await refusedEverywhere(JSON.stringify({ Text__c: 'changed', [field]: value }), code, message, [field])
    })
  }
})

describe('the first kind of error is reported, in the order in which a body is checked', () => {
  const order: readonly (readonly [ErrorCode, object])[] = [
    ['JSON_PARSER_ERROR', { Flag__c: 'yes' }],
    ['INVALID_FIELD_FOR_INSERT_UPDATE', { IsDeleted: true, Number__c: 'x' }],
    ['MALFORMED_ID', { Account__c: 'x' }],
    ['STRING_TOO_LONG', { Text__c: 'x'.repeat(41) }],
    ['INVALID_CROSS_REFERENCE_KEY', { Target__c: '001000000000001AAA' }],
    ['DUPLICATE_VALUE', { Exact__c: 'held' }],
  ]

  test('kinds, permission, ids, values, parents, duplicates', async () => {
    await org.create('Specimen__c', { Exact__c: 'held' })
    for (const [index, [code]] of order.entries()) {
      // The wrong members that are looked at later stand first.
      const body = Object.assign(
        {},
        ...order
          .slice(index)
          .map(([, part]) => part)
          .reverse(),
      )
      const answer = await org.call('POST', '/sobjects/Specimen__c', { body })
      assert.equal(answer.body[0].errorCode, code, answer.text)
    }
  })
})

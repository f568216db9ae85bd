import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN } from '../support/specimen-schema.ts'

let org: TestOrg

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN])
})

/** Writes each input, at create and at update, and compares it with the output. */
async function comesOutAs(field: string, cases: readonly (readonly [unknown, unknown])[]): Promise<void> {
  const updated = await org.create('Specimen__c', {})
  for (const [input, output] of cases) {
    const created = await org.create('Specimen__c', { [field]: input })
    const answer = await org.call('PATCH', `/sobjects/Specimen__c/${updated}`, { body: { [field]: input } })
    assert.equal(answer.status, 204, answer.text)
    for (const id of [created, updated]) {
      const { body } = await org.call('GET', `/sobjects/Specimen__c/${id}?fields=${field}`)
      assert.deepEqual(body[field], output, `${field}: ${JSON.stringify(input)}`)
    }
  }
}

const EMPTY = [
  [null, null],
  ['', null],
  ['  \t', null],
] as const

describe('texts', () => {
  test('lose the blanks around them, and are null when nothing is left', async () => {
    for (const field of [
      'Text__c',
      'Area__c',
      'Long__c',
      'Rich__c',
      'Secret__c',
      'Phone__c',
      'Web__c',
      'Kind__c',
    ]) {
      await comesOutAs(field, [[' a  b\n', 'a  b'], ...EMPTY])
    }
  })

  test('keep every character of every script, quotes and markup as they are', async () => {
    const text = `"quoted" 'single' \\ <b>&amp;</b> \u2028 日本 😀 $1 %s ;--`
    await comesOutAs('Area__c', [[text, text]])
    await comesOutAs('Rich__c', [[`<p onclick="x">${text}</p>`, `<p onclick="x">${text}</p>`]])
  })

  test('are as long as the field allows, counted in characters', async () => {
    await comesOutAs('Text__c', [
      ['x'.repeat(40), 'x'.repeat(40)],
      ['😀'.repeat(40), '😀'.repeat(40)],
    ])
    await comesOutAs('Long__c', [['x'.repeat(131072), 'x'.repeat(131072)]])
  })

  test('a half of a surrogate pair is stored as the replacement character', async () => {
    await comesOutAs('Text__c', [['a\ud800b', 'a\ufffdb']])
  })

  test('an email is kept as written', async () => {
    await comesOutAs('Email__c', [
      [' Ada.King+x@Example.co.uk ', 'Ada.King+x@Example.co.uk'],
      ["o'neil@xn--bcher-kva.example", "o'neil@xn--bcher-kva.example"],
      ...EMPTY,
    ])
  })
})

describe('numbers', () => {
  test('come as numbers or as texts that read as numbers', async () => {
    await comesOutAs('Count__c', [
      [12, 12],
      ['10000', 10000],
      [' -7 ', -7],
      ['1e3', 1000],
      [5.0, 5],
      [-0, 0],
      [99_999_999, 99_999_999],
      ...EMPTY,
    ])
  })

  test('are rounded to the digits of the field, halves away from zero', async () => {
    await comesOutAs('Ratio__c', [
      [1.2345, 1.235],
      ['-1.2345', -1.235],
      [1.0005, 1.001],
      [999_999.999, 999_999.999],
      [0.0004, 0],
      ['.5', 0.5],
      ['+7.', 7],
      ...EMPTY,
    ])
    await comesOutAs('Share__c', [[99.95, 100]])
    await comesOutAs('Price__c', [
      [1e15, 1e15],
      [0.1 + 0.2, 0.3],
      ['1234567890123.45', 1234567890123.45],
    ])
  })
})

describe('booleans', () => {
  test('come as such or as the words, and are never null', async () => {
    await comesOutAs('Flag__c', [
      [true, true],
      [false, false],
      ['true', true],
      [' FALSE ', false],
      [null, false],
    ])
  })
})

describe('days and times', () => {
  test('a date is a day, and no datetime unless the setting is lenient', async () => {
    await comesOutAs('Day__c', [
      ['2011-01-31', '2011-01-31'],
      [' 2024-02-29 ', '2024-02-29'],
      ['1700-01-01', '1700-01-01'],
      ['4000-12-31', '4000-12-31'],
      ...EMPTY,
    ])
    const lenient = await openOrg({ settings: { lenient: 'true' } })
    await lenient.deploy([SPECIMEN])
    for (const Day__c of ['2011-01-31T23:00:00.000Z', '2011-01-31T23:00:00-05:00', '2011-01-31T23:00:00']) {
      assertRefused(
        await org.call('POST', '/sobjects/Specimen__c', { body: { Day__c } }),
        400,
        'JSON_PARSER_ERROR',
        `Cannot deserialize instance of date from VALUE_STRING value ${Day__c} or request may be missing a required field at [line:1, column:11]`,
      )
      const id = await lenient.create('Specimen__c', { Day__c })
      const { body } = await lenient.call('GET', `/sobjects/Specimen__c/${id}`)
      assert.equal(body.Day__c, '2011-01-31')
    }
  })

  test('a value of the wrong kind is refused with the name of the type of its field', async () => {
    for (const [field, kind] of [
      ['Text__c', 'string'],
      ['Area__c', 'textarea'],
      ['Phone__c', 'phone'],
      ['Web__c', 'url'],
      ['Kind__c', 'combobox'],
    ] as const) {
      const answer = await org.call('POST', '/sobjects/Specimen__c', { body: { [field]: ['x'] } })
      assertRefused(
        answer,
        400,
        'JSON_PARSER_ERROR',
        new RegExp(`^Cannot deserialize instance of ${kind} from START_ARRAY value`),
      )
    }
  })

  test('a datetime comes out in UTC, in whole seconds, with the offset +0000', async () => {
    await comesOutAs('Moment__c', [
      ['2021-11-06T17:38:40.999Z', '2021-11-06T17:38:40.000+0000'],
      ['2021-11-06T17:38:40+0200', '2021-11-06T15:38:40.000+0000'],
      ['2021-11-06T17:38:40-05:30', '2021-11-06T23:08:40.000+0000'],
      ['2021-11-06T17:38:40', '2021-11-06T17:38:40.000+0000'],
      ['2021-12-31T23:30:00.000-01:00', '2022-01-01T00:30:00.000+0000'],
      ['1700-01-01T00:00:00Z', '1700-01-01T00:00:00.000+0000'],
      ...EMPTY,
    ])
  })

  test('a time is a time of day, to the millisecond', async () => {
    await comesOutAs('Clock__c', [
      ['11:59:59.000Z', '11:59:59.000Z'],
      ['11:59:59Z', '11:59:59.000Z'],
      ['00:00:00.5', '00:00:00.500Z'],
      ['23:59:59.9999Z', '23:59:59.999Z'],
      ...EMPTY,
    ])
  })
})

describe('choices', () => {
  test('a picklist takes listed values in any case and, unless it is restricted, others too', async () => {
    await comesOutAs('Color__c', [['red', 'Red'], ['BLUE', 'Blue'], ['Mauve', 'Mauve'], ...EMPTY])
    await comesOutAs('Size__c', [['l', 'L'], ['S', 'S'], ...EMPTY])
  })

  test('a multipicklist keeps its values once, in the order of the definition', async () => {
    await comesOutAs('Tags__c', [
      ['six;four', 'four;six'],
      [' EIGHT ;four;eight;', 'four;eight'],
      [';;', null],
      ...EMPTY,
    ])
  })

  test('a multipicklist of more characters than its field has is refused before its members are looked at', async () => {
    const message = /^Tags: data value too large: .* \(max length=4099\)$/
    for (const member of ['four;', 'ten;']) {
      const Tags__c = member.repeat(2_000_000)
      assertRefused(
        await org.call('POST', '/sobjects/Specimen__c', { body: { Tags__c } }),
        400,
        'STRING_TOO_LONG',
        message,
        ['Tags__c'],
      )
    }
  })

  test('a combobox takes any text', async () => {
    await comesOutAs('Kind__c', [
      ['Call', 'Call'],
      ['call', 'call'],
      ['Pigeon', 'Pigeon'],
    ])
  })
})

describe('compound values', () => {
  test('coordinates are within the degrees that there are', async () => {
    for (const [field, most] of [
      ['Site__Latitude__s', 90],
      ['Site__Longitude__s', 180],
      ['Home__Latitude__s', 90],
      ['Home__Longitude__s', 180],
    ] as const) {
      for (const value of [most, -most]) await org.create('Specimen__c', { [field]: value })
      for (const value of [most + 0.5, -most - 0.5])
        assertRefused(
          await org.call('POST', '/sobjects/Specimen__c', { body: { [field]: value } }),
          400,
          'NUMBER_OUTSIDE_VALID_RANGE',
          /value outside of valid range on numeric field/,
          [field],
        )
    }
  })

  test('an address and a location are written by their parts and read as one, null without any', async () => {
    const none = await org.create('Specimen__c', {})
    const { body: empty } = await org.call('GET', `/sobjects/Specimen__c/${none}?fields=Home__c,Site__c`)
    assert.deepEqual([empty.Home__c, empty.Site__c], [null, null])
    const id = await org.create('Specimen__c', {
      Home__City__s: 'Bonn',
      Home__Latitude__s: '50.7',
      Home__GeocodeAccuracy__s: 'city',
      Site__Latitude__s: 1.5,
      Site__Longitude__s: -2,
    })
    const { body } = await org.call('GET', `/sobjects/Specimen__c/${id}?fields=Home__c,Site__c,Home__City__s`)
    assert.deepEqual(body.Home__c, {
      city: 'Bonn',
      country: null,
      geocodeAccuracy: 'City',
      latitude: 50.7,
      longitude: null,
      postalCode: null,
      state: null,
      street: null,
    })

    test('a distance is measured from an address as from a location', async () => {
      const point = { Latitude__s: 50.7, Longitude__s: 7.1 }
      const members = ['Home', 'Site'].flatMap((name) =>
        Object.entries(point).map(([part, value]) => [`${name}__${part}`, value]),
      )
      const id = await org.create('Specimen__c', Object.fromEntries(members))
      const select = ['Home__c', 'Site__c'].map(
        (name) => `DISTANCE(${name}, GEOLOCATION(50.7, 7.2), 'km') ${name.slice(0, 4)}`,
      )
      const q = encodeURIComponent(`SELECT ${select} FROM Specimen__c WHERE Id = '${id}'`)
      const [found] = (await org.call('GET', `/query?q=${q}`)).body.records
      assert.ok(Math.abs(found.Home - 7.04) < 0.01)
      assert.equal(found.Home, found.Site)
    })
    assert.deepEqual(body.Site__c, { latitude: 1.5, longitude: -2 })
    assert.equal(body.Home__City__s, 'Bonn')
  })

  test('the name of a person is joined from its parts', async () => {
    const name = async (parts: object) => {
      const id = await org.create('Contact', parts as Record<string, unknown>)
      return (await org.call('GET', `/sobjects/Contact/${id}?fields=Name`)).body.Name
    }
    assert.equal(await name({ LastName: 'King' }), 'King')
    assert.equal(await name({ FirstName: 'Ada', LastName: 'King', Salutation: 'Ms.' }), 'Ms. Ada King')
    assert.equal(await name({ Salutation: 'Dr.', LastName: 'No' }), 'Dr. No')
  })
})

describe('bytes', () => {
  test('go in as base64 and come out as the address where they can be fetched', async () => {
    const id = await org.create('Specimen__c', { Bytes__c: 'aGVs\nbG8=' })
    const address = `/services/data/v64.0/sobjects/Specimen__c/${id}/Bytes__c`
    const read = async () =>
      (await org.call('GET', `/sobjects/Specimen__c/${id}?fields=Bytes__c`)).body.Bytes__c
    assert.equal(await read(), address)
    await org.call('PATCH', `/sobjects/Specimen__c/${id}`, { body: { Bytes__c: '' } })
    assert.equal(await read(), null)
  })

  test('are required where the object says so', async () => {
    const parent = await org.create('Account', { Name: 'Acme' })
    const file = await org.create('Attachment', { Name: 'a.txt', ParentId: parent, Body: 'aGVsbG8=' })
    const { body } = await org.call('GET', `/sobjects/Attachment/${file}`)
    assert.equal(body.Body, `/services/data/v64.0/sobjects/Attachment/${file}/Body`)
  })
})

describe('autonumbers', () => {
  test('come in their format', async () => {
    const id = await org.create('Specimen__c', {})
    const { body } = await org.call('GET', `/sobjects/Specimen__c/${id}?fields=Number__c`)
    assert.match(body.Number__c, /^SP-\d{4}\/x$/)
  })
})

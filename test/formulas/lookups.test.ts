import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deploy, fetchRefusals, type Objects } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

/* VLOOKUP */

const zip = (field: string, name = 'Zip__c') =>
  `VLOOKUP($ObjectType.Zip__c.Fields.${field}, $ObjectType.Zip__c.Fields.Name, ${name})`

const OBJECTS: Objects = {
  Zip__c: {
    fields: {
      City__c: { type: 'string' },
      Share__c: { type: 'percent' },
      Since__c: { type: 'date' },
      Next__c: { type: 'string' },
      Kind__c: { type: 'picklist', values: ['Rural', 'Urban'] },
      Twice__c: { type: 'double', formula: 'Share__c * 2' },
    },
  },
  Letter__c: {
    fields: { Zip__c: { type: 'string' }, City__c: { type: 'string' } },
    validations: {
      City: { condition: `${zip('City__c')} <> City__c`, message: 'Another city.', field: 'City__c' },
    },
  },
}

let o: TestOrg

before(async () => {
  o = await openOrg()
  const answer = await deploy(o, OBJECTS)
  assert.equal(answer.status, 200, answer.text)
  await o.create('Zip__c', {
    Name: 'ab-1',
    City__c: 'Bergen',
    Share__c: 25,
    Since__c: '2020-05-06',
    Next__c: 'ab-2',
    Kind__c: 'Urban',
  })
  await o.create('Zip__c', { Name: 'ab-2', City__c: 'Voss' })
})

const attempt = async (formula: string) => {
  const body = { object: 'Letter__c', formula, blanks: 'blank' }
  const answer = await o.call('POST', '/setup/orgs/current/formula', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

describe('VLOOKUP', () => {
  test('refuses records of a list by what others say, each by its own name', async () => {
    const records = [
      { Zip__c: 'ab-1', City__c: 'Bergen' },
      { Zip__c: 'AB-1', City__c: 'Voss' },
      { Zip__c: 'ab-2', City__c: 'Voss' },
      { Zip__c: 'none', City__c: null },
    ].map((record) => ({ attributes: { type: 'Letter__c' }, ...record }))
    const { body } = await o.call('POST', '/composite/sobjects', { body: { allOrNone: false, records } })
    assert.deepEqual(
      body.map(({ success }: { success: boolean }) => success),
      [true, false, true, true],
    )
    assert.deepEqual(body[1].errors[0].fields, ['City__c'])
  })

  test('gives values of each type, and null where there is no record', async () => {
    const cases: [string, unknown][] = [
      [zip('City__c', '"ab-1"'), 'Bergen'],
      [zip('Share__c', '"ab-1"'), 0.25],
      [zip('Since__c', '"ab-1"'), '2020-05-06'],
      [zip('Kind__c', '"ab-1"'), 'Urban'],
      [zip('City__c', '"ab-3"'), null],
      [zip('City__c', '""'), null],
      [`IF(ISBLANK(Zip__c), "no", ${zip('City__c', '"ab-1"')})`, 'no'],
    ]
    for (const [formula, value] of cases) assert.deepEqual((await attempt(formula)).value, value, formula)
  })

  test('finds a record by what another one says', async () => {
    assert.equal((await attempt(zip('City__c', zip('Next__c', '"ab-1"')))).value, 'Voss')
  })

  test('is for rules, and for the name of a custom object', async () => {
    const { sql, sqlError } = await attempt(zip('City__c', '"ab-1"'))
    assert.equal(sql, null)
    assert.match(sqlError, /VLOOKUP may not be used/)
    const wrong: [string, RegExp][] = [
      [
        'VLOOKUP($ObjectType.Zip__c.Fields.City__c, $ObjectType.Zip__c.Fields.City__c, Zip__c)',
        /is the Name/,
      ],
      ['VLOOKUP($ObjectType.Zip__c.Fields.City__c, $ObjectType.Account.Fields.Name, Zip__c)', /is the Name/],
      [
        'VLOOKUP($ObjectType.Letter__c.Fields.City__c, $ObjectType.Zip__c.Fields.Name, Zip__c)',
        /same object/,
      ],
      [
        'VLOOKUP($ObjectType.Zip__c.Fields.Twice__c, $ObjectType.Zip__c.Fields.Name, Zip__c)',
        /does not read/,
      ],
      ['VLOOKUP(City__c, $ObjectType.Zip__c.Fields.Name, Zip__c)', /Expected Column/],
      ['$ObjectType.Zip__c.Fields.City__c = "a"', /Only VLOOKUP takes it/],
      ['ISBLANK($ObjectType.Zip__c.Fields.City__c)', /Only VLOOKUP takes it/],
      ['$ObjectType.Zip__c.Fields.City__c', /Only VLOOKUP takes it/],
      ['ISBLANK($ObjectType.Zip__c.Fields.Citi__c)', /does not exist.*Did you mean/],
      ['ISBLANK($ObjectType.Zip__c.City__c)', /does not exist/],
    ]
    for (const [condition, message] of wrong) {
      const Letter__c = { ...OBJECTS.Letter__c, validations: { Wrong: { condition, message: 'x' } } }
      const refusals = await fetchRefusals(o, { ...OBJECTS, Letter__c })
      assert.match(JSON.stringify(refusals), message, condition)
    }
  })
})

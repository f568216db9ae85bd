import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchNames } from '../support/ask.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { PROJECT_SCHEMA } from '../support/project-schema.ts'

const NAMES = [
  'Acme',
  'ACME corp',
  '100% cotton',
  '100 percent',
  'under_score',
  'underXscore',
  'back\\slash',
  "O'Brien",
  'say "hi"',
  'line\nbreak',
  'tab\tstop',
  'Zürich',
  'ÅNGSTRÖM',
  '日本語',
  '🚀 rocket',
  'Straße',
]

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy(PROJECT_SCHEMA)
  for (const name of NAMES) await o.create('Account', { Name: name })
})

/** The accounts whose name matches a condition. The literal is written as in a query, after the operator. */
const named = (condition: string) => fetchNames(o, `Account WHERE Name ${condition} ORDER BY CreatedDate, Id`)

describe('text', () => {
  test('is compared without case, outside ASCII too', async () => {
    assert.deepEqual(await named("= 'aCmE'"), ['Acme'])
    assert.deepEqual(await named("= 'zÜRICH'"), ['Zürich'])
    assert.deepEqual(await named("IN ('ångström', 'ACME', 'x')"), ['Acme', 'ÅNGSTRÖM'])
    assert.deepEqual(await named("= 'STRAßE'"), ['Straße'])
    assert.deepEqual(await named("LIKE 'acme%'"), ['Acme', 'ACME corp'])
    assert.deepEqual(await named("LIKE '%ström'"), ['ÅNGSTRÖM'])
    assert.deepEqual((await named("!= 'acme'")).length, NAMES.length - 1)
  })

  test('of every kind finds itself', async () => {
    for (const name of NAMES) {
      const literal = name.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
      assert.deepEqual(await named(`= '${literal}'`), [name])
      assert.deepEqual(await named(`IN ('${literal}')`), [name])
    }
  })

  test('may be written with escapes', async () => {
    assert.deepEqual(await named(String.raw`= 'O\'Brien'`), ["O'Brien"])
    assert.deepEqual(await named(String.raw`= 'say \"hi\"'`), ['say "hi"'])
    assert.deepEqual(await named(String.raw`= 'back\\slash'`), ['back\\slash'])
    assert.deepEqual(await named(String.raw`= 'line\Nbreak'`), ['line\nbreak'])
    assert.deepEqual(await named(String.raw`= 'Z\u00FCrich'`), ['Zürich'])
    assert.deepEqual(await named(String.raw`= '\uD83D\uDE80 rocket'`), ['🚀 rocket'])
    assert.deepEqual(await named(String.raw`LIKE 'O\u0027B%'`), ["O'Brien"])
  })

  test('with case belongs to fields that say so', async () => {
    await o.create('Project__c', { Name: 'lower', Serial__c: 'abc', External_Key__c: 'Key' })
    await o.create('Project__c', { Name: 'upper', Serial__c: 'ABC' })
    const projects = (condition: string) => fetchNames(o, `Project__c WHERE ${condition} ORDER BY Name`)
    assert.deepEqual(await projects("Serial__c = 'abc'"), ['lower'])
    assert.deepEqual(await projects("Serial__c IN ('ABC', 'Abc')"), ['upper'])
    assert.deepEqual(await projects("Serial__c LIKE 'A%'"), ['upper'])
    assert.deepEqual(await projects("Serial__c < 'a'"), ['upper'])
    assert.deepEqual(await projects("External_Key__c = 'kEY'"), ['lower'])
  })

  test('is ordered on its upper-case characters', async () => {
    assert.deepEqual(await named("> 'STRAßE' AND Name < 'tz'"), ['tab\tstop'])
    assert.deepEqual(await named("< 'a'"), ['100% cotton', '100 percent'])
    // The underscore comes after the letters when they are upper case.
    assert.deepEqual(await named("> 'underx'"), [
      'under_score',
      'underXscore',
      'Zürich',
      'ÅNGSTRÖM',
      '日本語',
      '🚀 rocket',
    ])
  })
})

describe('LIKE', () => {
  test('takes % for any characters and _ for exactly one', async () => {
    assert.deepEqual(await named("LIKE '%rocket'"), ['🚀 rocket'])
    assert.deepEqual(await named("LIKE '_ rocket'"), ['🚀 rocket'])
    assert.deepEqual(await named("LIKE '___'"), ['日本語'])
    assert.deepEqual(await named("LIKE 'acm_'"), ['Acme'])
    assert.deepEqual(await named("LIKE 'acme_'"), [])
    assert.deepEqual(await named("LIKE 'under_score'"), ['under_score', 'underXscore'])
    assert.deepEqual(await named("LIKE '%a%e%'"), ['Acme', 'ACME corp', 'Straße'])
    assert.deepEqual((await named("LIKE '%'")).length, NAMES.length)
    assert.deepEqual(await named("LIKE 'line%break'"), ['line\nbreak'])
  })

  test('without wildcards matches the whole text', async () => {
    assert.deepEqual(await named("LIKE 'acme'"), ['Acme'])
  })

  test(String.raw`takes \% and \_ and \\ for the characters themselves`, async () => {
    assert.deepEqual(await named(String.raw`LIKE '100\%%'`), ['100% cotton'])
    assert.deepEqual(await named("LIKE '100%'"), ['100% cotton', '100 percent'])
    assert.deepEqual(await named(String.raw`LIKE 'under\_score'`), ['under_score'])
    assert.deepEqual(await named(String.raw`LIKE 'back\\%'`), ['back\\slash'])
    assert.deepEqual(await named(String.raw`LIKE '%\\'`), [])
    assert.deepEqual(await named(String.raw`LIKE 'back\u005Cslash'`), ['back\\slash'])
    assert.deepEqual(await named(String.raw`LIKE '%\'%'`), ["O'Brien"])
  })

  test('is negated by NOT in front of the condition', async () => {
    assert.deepEqual(await fetchNames(o, "Account WHERE NOT Name LIKE '_%' ORDER BY Name"), [])
    assert.deepEqual(await named("LIKE '%c%' AND (NOT Name LIKE 'ac%')"), [
      '100% cotton',
      '100 percent',
      'under_score',
      'underXscore',
      'back\\slash',
      'Zürich',
      '🚀 rocket',
    ])
  })
})

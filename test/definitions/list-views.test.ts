import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DefinitionError } from '../../src/definitions/checks/problem.ts'
import { loadDefinitions } from '../../src/definitions/files/load-definitions.ts'
import { saveDefinitions } from '../../src/definitions/files/save-definitions.ts'
import { writeDefinitions } from '../../src/definitions/files/write-definitions.ts'
import type { ObjectFile } from '../../src/definitions/formats/object-file.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchPlan, fetchRefusals } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'

const location = mkdtempSync(join(tmpdir(), 'objectry-list-views-'))
after(() => rmSync(location, { recursive: true }))

const BOX = `fields:
  Stage__c: { type: picklist, values: [Open, Closed] }
  Account__c: { type: reference, to: Account }
  Count__c: { type: int }
listViews:
`

/** Returns the problems of list views of a box, a line each. */
function findProblems(views: string, head = BOX): string[] {
  const folder = join(location, 'objects')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'Box__c.yaml'), `${head}${views}`)
  try {
    loadDefinitions(location)
  } catch (error) {
    assert.ok(error instanceof DefinitionError, String(error))
    return error.message.split('\n')
  }
  return []
}

describe('what is wrong with a list view is told with its place, and what was probably meant:', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      'a property that means nothing',
      '  A: { colums: [Name] }\n',
      'objects/Box__c.yaml:6:8 listViews.A.colums: "colums" means nothing for an object; did you mean columns?',
    ],
    [
      'a column that is no field',
      '  A: { columns: [Name, Stag__c] }\n',
      'objects/Box__c.yaml:6:24 listViews.A.columns.1: Box__c has no field Stag__c; did you mean Stage__c?',
    ],
    [
      'a column that is no field of a parent',
      '  A: { columns: [Account__r.Nane] }\n',
      'objects/Box__c.yaml:6:18 listViews.A.columns.0: Account has no field Nane; did you mean Name?',
    ],
    [
      'a way that there is not',
      '  A: { columns: [Acount__r.Name] }\n',
      'objects/Box__c.yaml:6:18 listViews.A.columns.0: there is no relationship Acount__r to a parent',
    ],
    [
      'a column that is what the caller may do',
      '  A: { columns: [UserRecordAccess.HasEditAccess] }\n',
      'objects/Box__c.yaml:6:18 listViews.A.columns.0: UserRecordAccess.HasEditAccess is no field of Box__c',
    ],
    [
      'a column that is more than a field',
      '  A: { columns: ["Name, (SELECT Id FROM Tasks)"] }\n',
      'objects/Box__c.yaml:6:18 listViews.A.columns.0: Name, (SELECT Id FROM Tasks) is not a path to a field',
    ],
    [
      'a column that stands there twice',
      '  A: { columns: [Name, NAME] }\n',
      'objects/Box__c.yaml:6:24 listViews.A.columns.1: NAME stands here twice',
    ],
    [
      'a condition that names no field',
      "  A:\n    label: x\n    where: Stge__c = 'Open'\n",
      'objects/Box__c.yaml:8:5 listViews.A.where: Box__c has no field Stge__c; did you mean Stage__c?',
    ],
    [
      'a condition that is more than one',
      "  A: { where: Stage__c = 'Open' LIMIT 1 }\n",
      "objects/Box__c.yaml:6:8 listViews.A.where: unexpected token: 'LIMIT'",
    ],
    [
      'a value of another kind',
      "  A: { where: Count__c = 'x' }\n",
      "objects/Box__c.yaml:6:8 listViews.A.where: value of filter criterion for field 'Count__c' must be of type int and should not be enclosed in quotes",
    ],
    [
      'an order that is a call',
      "  A:\n    orderBy: DISTANCE(Place__c, GEOLOCATION(1.0,2.0), 'km')\n",
      'a list view is sorted by fields',
    ],
    [
      'an order by no field',
      '  A: { orderBy: Count DESC }\n',
      'objects/Box__c.yaml:6:8 listViews.A.orderBy: Box__c has no field Count; did you mean Count__c?',
    ],
    ['a scope that there is not', '  A: { scope: team }\n', 'objects/Box__c.yaml:6:8 listViews.A.scope: '],
    ['a name that is none', '  a-b: {}\n', '"a-b" is no name: letters, digits and _, 80 at most'],
    ['a name that stands there twice', '  A:\n  a:\n', 'there are two list views of this name'],
  ]
  for (const [what, views, said] of cases) {
    test(what, () => {
      const reported = findProblems(views)
      assert.equal(reported.length, 1, reported.join('\n'))
      assert.ok(reported[0]!.includes(said), reported[0])
    })
  }

  test('the own records of an object without an owner', () => {
    const reported = findProblems('  A: { scope: mine }\n', `ownerless: true\n${BOX}`)
    assert.deepEqual(reported, ['objects/Box__c.yaml:7:8 listViews.A.scope: records of Box__c have no owner'])
  })

  test('they are looked at when the fields are as they should be', () => {
    const reported = findProblems('  A: { columns: [Nothing__c] }\n', BOX.replace('Account }', 'Acount }'))
    assert.equal(reported.length, 1)
    assert.match(reported[0]!, /fields.Account__c.to: there is no object Acount/)
  })
})

test('list views that are read, written and read again say the same', () => {
  assert.deepEqual(
    findProblems("  Open_Ones: { columns: [Name], where: Stage__c = 'Open', scope: mine }\n  Plain:\n"),
    [],
  )
  const { objects } = loadDefinitions(location)
  const box = objects.find(({ name }) => name === 'Box__c')!
  assert.deepEqual(box.listViews, [
    { name: 'Open_Ones', columns: ['Name'], where: "Stage__c = 'Open'", scope: 'mine', label: 'Open Ones' },
    { name: 'Plain', label: 'Plain' },
  ])
  saveDefinitions(location, writeDefinitions(objects))
  const again = loadDefinitions(location)
  assert.deepEqual(again.objects, objects)
  assert.equal(again.files.objects.Box__c!.listViews!.Plain, null)
})

describe('list views that are deployed', () => {
  let o: TestOrg
  before(async () => {
    o = await openOrg()
  })
  const views = (listViews: ObjectFile['listViews']) => ({ Box__c: { listViews } })
  const records = () =>
    fetchRecords(o, "SELECT Id, Name, DeveloperName FROM ListView WHERE SobjectType = 'Box__c' ORDER BY Id")

  test('come, change, keep their ids and go, and their records with them', async () => {
    assert.deepEqual(await fetchPlan(o, views({ A: null, B: { label: 'Bs' } })), [
      '+ Box__c: new object with 1 field',
    ])
    const [a, b] = await records()
    assert.deepEqual([a!.Name, b!.Name, b!.DeveloperName], ['A', 'Bs', 'B'])
    assert.deepEqual(
      await fetchPlan(o, views({ A: { label: 'As', where: 'Name != null' }, B: { label: 'Bs' }, C: null })),
      ['~ Box__c: list view A: label "A" → "As", list view A: where none → "Name != null", new list view C'],
    )
    assert.deepEqual((await records()).slice(0, 2), [{ ...a, Name: 'As' }, b])
    assert.deepEqual(await fetchPlan(o, views({ A: null }), { mode: 'keep' }), [
      '~ Box__c: list view A: label "As" → "A", list view A: where "Name != null" → none',
    ])
    assert.equal((await records()).length, 3)
    const gone = await fetchPlan(o, views({ A: null }))
    assert.deepEqual(gone, ['~ Box__c: list view B goes, list view C goes'])
    assert.deepEqual(await records(), [a])
    assert.deepEqual(await fetchPlan(o, views({ A: null })), [])
  })

  test('of a standard object are written in its file', async () => {
    const wanted = { Account: { listViews: { Hot: { where: "Rating = 'Hot'" } } } }
    assert.deepEqual(await fetchPlan(o, { ...views({ A: null }), ...wanted }), [
      '~ Account: new list view Hot',
    ])
    const { body } = await o.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.objects.Account, wanted.Account)
    const results = await o.call('GET', '/sobjects/Account/listviews/hot/results')
    assert.equal(results.status, 200)
  })

  test('are refused by the admin API for the same reasons', async () => {
    const refused = await fetchRefusals(o, views({ A: { columns: ['Nmae'] } }))
    assert.deepEqual(refused, [
      'objects.Box__c.listViews.A.columns.0: Box__c has no field Nmae; did you mean Name?',
    ])
  })

  test('go through a snapshot and back', async () => {
    const before = await fetchRecords(o, 'SELECT Id, DeveloperName FROM ListView ORDER BY Id')
    assert.ok(before.length > 0)
    await saveSnapshot(o, 'a')
    await fetchPlan(o, {}, { allowDestructive: true })
    assert.deepEqual(await fetchRecords(o, 'SELECT Id FROM ListView'), [])
    await restoreSnapshot(o, 'a')
    assert.deepEqual(await fetchRecords(o, 'SELECT Id, DeveloperName FROM ListView ORDER BY Id'), before)
    assert.equal((await o.call('POST', '/setup/orgs/current/reset')).status, 204)
    assert.deepEqual(await fetchRecords(o, 'SELECT Id, DeveloperName FROM ListView ORDER BY Id'), before)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, NO_RESOURCE } from '../support/assert-refused.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow, allowField, type Person } from '../support/people.ts'

let o: TestOrg
let clerk: Person

// biome-ignore lint/suspicious/noExplicitAny: a layout
type Body = any

before(async () => {
  o = await openOrg()
  await fetchSteps(o, {
    Box__c: {
      labelPlural: 'Boxes',
      fields: {
        Size__c: {
          type: 'picklist',
          values: ['S', 'M', { value: 'XXL', inactive: true }, 'L'],
          controller: 'Heavy__c',
        },
        Heavy__c: { type: 'boolean' },
        Code__c: { type: 'string', required: true },
        Count__c: { type: 'int', required: true, default: 1 },
        Number__c: { type: 'autonumber' },
        Site__c: { type: 'location' },
      },
      recordTypes: {
        Big: { default: true, picklists: { size__c: ['L', 'XXL'] } },
        Small: null,
        Gone: { inactive: true },
      },
    },
    Lid__c: {
      fields: {
        Box__c: { type: 'reference', to: 'Box__c', children: 'Lids__r' },
        Color__c: { type: 'string' },
      },
    },
  })
  clerk = await addPerson(o, 'clerk')
  await allow(o, clerk.setId, 'Box__c', 'Read', 'Create', 'Edit')
  await allowField(o, clerk.setId, 'Box__c.Size__c')
})

const fetchLayouts = async (object: string, caller: Pick<TestOrg, 'call'> = o): Promise<Body> => {
  const answer = await caller.call('GET', `/sobjects/${object}/describe/layouts/`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const itemsOf = (section: Body): Body[] => section.layoutRows.flatMap((row: Body) => row.layoutItems)
const fieldsOf = (section: Body): string[] =>
  itemsOf(section).flatMap((item) => item.layoutComponents.map((component: Body) => component.value))

describe('the layouts of an object', () => {
  test('are one layout with all keys, two columns wide, what the platform keeps last', async () => {
    const { layouts, recordTypeSelectorRequired } = await fetchLayouts('box__c')
    assert.equal(layouts.length, 1)
    const [layout] = layouts
    assert.deepEqual(Object.keys(layout), [
      'buttonLayoutSection',
      'detailLayoutSections',
      'editLayoutSections',
      'feedView',
      'highlightsPanelLayoutSection',
      'id',
      'multirowEditLayoutSections',
      'offlineLinks',
      'quickActionList',
      'relatedContent',
      'relatedLists',
      'saveOptions',
    ])
    assert.match(layout.id, /^00h\w{15}$/)
    assert.deepEqual(recordTypeSelectorRequired, [true])
    const [own, system] = layout.detailLayoutSections
    assert.deepEqual([own.heading, own.columns, own.parentLayoutId], ['Box Information', 2, layout.id])
    assert.deepEqual(fieldsOf(own), [
      ...['Name', 'Size__c', 'Heavy__c', 'Code__c', 'Count__c', 'Number__c', 'Site__c', 'RecordTypeId'],
      'OwnerId',
    ])
    assert.deepEqual(
      own.layoutRows.map((row: Body) => row.numItems),
      [2, 2, 2, 2, 1],
    )
    assert.deepEqual(fieldsOf(system), [
      ...['CreatedById', ', ', 'CreatedDate', 'LastModifiedById', ', ', 'LastModifiedDate'],
    ])
  })

  test('tell which fields have to be given and which can be written', async () => {
    const [layout] = (await fetchLayouts('Box__c')).layouts
    const flags = itemsOf(layout.detailLayoutSections[0]).map((item) => [
      item.layoutComponents[0].value,
      item.required,
      item.editableForNew,
      item.editableForUpdate,
    ])
    assert.deepEqual(flags, [
      ['Name', false, true, true],
      ['Size__c', false, true, true],
      ['Heavy__c', false, true, true],
      ['Code__c', true, true, true],
      ['Count__c', true, true, true],
      ['Number__c', false, false, false],
      ['Site__c', false, true, true],
      ['RecordTypeId', false, true, true],
      ['OwnerId', false, true, true],
    ])
    assert.ok(!fieldsOf(layout.editLayoutSections[0]).includes('Number__c'))
  })

  test('show a compound field as one item with its parts, and every field as its describe has it', async () => {
    const [layout] = (await fetchLayouts('Box__c')).layouts
    const items = itemsOf(layout.detailLayoutSections[0])
    const [site] = items.find((item) => item.label === 'Site').layoutComponents
    assert.equal(site.fieldType, 'location')
    const parts = site.components.map((part: Body) => part.value)
    assert.deepEqual(parts, ['Site__Latitude__s', 'Site__Longitude__s'])
    const { fields } = (await o.call('GET', '/sobjects/Box__c/describe')).body
    for (const item of items) {
      const [{ details, value }] = item.layoutComponents
      assert.deepEqual(
        details,
        fields.find((field: Body) => field.name === value),
      )
    }
  })

  test('begin with the name of a record, and end with the one that it was merged into', async () => {
    for (const [object, name] of [
      ['Account', 'Name'],
      ['Contact', 'Name'],
      ['Case', 'CaseNumber'],
    ] as const) {
      const fields = fieldsOf((await fetchLayouts(object)).layouts[0].detailLayoutSections[0])
      assert.deepEqual([fields[0], fields.at(-1)], [name, 'MasterRecordId'], object)
    }
  })

  test('list the records below that can be walked to', async () => {
    const [layout] = (await fetchLayouts('Box__c')).layouts
    const lists = layout.relatedLists.map((list: Body) => [list.name, list.sobject, list.field, list.label])
    assert.deepEqual(lists, [
      ['Attachments', 'Attachment', 'ParentId', 'Attachments'],
      ['ContentDocumentLinks', 'ContentDocumentLink', 'LinkedEntityId', 'Content Document Links'],
      ['Lids__r', 'Lid__c', 'Box__c', 'Lids'],
      ['Notes', 'Note', 'ParentId', 'Notes'],
    ])
    const columns = layout.relatedLists[2].columns.map((column: Body) => column.fieldApiName)
    assert.deepEqual(columns, ['Name', 'Color__c'])
  })

  test('say for each record type which values its picklists offer', async () => {
    const { recordTypeMappings, layouts } = await fetchLayouts('Box__c')
    const reported = recordTypeMappings.map((type: Body) => [
      type.developerName,
      type.active,
      type.defaultRecordTypeMapping,
      type.picklistsForRecordType.map((list: Body) => [
        list.picklistName,
        list.picklistValues.map((value: Body) => value.value).join(),
      ]),
    ])
    assert.deepEqual(reported, [
      ['Big', true, true, [['Size__c', 'L']]],
      ['Small', true, false, [['Size__c', 'S,M,L']]],
      ['Gone', false, false, [['Size__c', 'S,M,L']]],
      ['Master', true, false, [['Size__c', 'S,M,L']]],
    ])
    for (const type of recordTypeMappings) assert.equal(type.layoutId, layouts[0].id)
    assert.equal(recordTypeMappings[1].picklistsForRecordType[0].picklistValues[0].validFor, 'wA==')
  })

  test('of a record type are the layout itself', async () => {
    const { recordTypeMappings, layouts } = await fetchLayouts('Box__c')
    for (const { recordTypeId, urls } of recordTypeMappings) {
      assert.deepEqual((await o.call('GET', urls.layout)).body, layouts[0])
      const short = `/sobjects/Box__c/describe/layouts/${recordTypeId.slice(0, 15)}`
      assert.equal((await o.call('GET', short)).status, 200)
    }
    const [{ recordTypeId }] = recordTypeMappings
    for (const path of [
      `/sobjects/Lid__c/describe/layouts/${recordTypeId}`,
      '/sobjects/Box__c/describe/layouts/big',
      '/sobjects/Box__c/describe/layouts/001000000000001AAA',
      '/sobjects/Nothing__c/describe/layouts',
      '/sobjects/Nothing__c/describe/layouts/012000000000000AAA',
    ]) {
      assertRefused(await o.call('GET', path), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test("are there under the names of the describe, as jsforce's own tests ask for UserAlt", async () => {
    const { namedLayoutInfos } = (await o.call('GET', '/sobjects/User/describe')).body
    const layout = '/services/data/v64.0/sobjects/User/describe/namedLayouts/UserAlt'
    assert.deepEqual(namedLayoutInfos, [{ name: 'UserAlt', urls: { layout } }])
    const { body } = await o.call('GET', layout)
    assert.deepEqual(body, await fetchLayouts('User'))
    for (const one of body.layouts) assert.deepEqual(one.buttonLayoutSection, { detailButtons: [] })
    assert.deepEqual((await o.call('GET', '/sobjects/Account/describe')).body.namedLayoutInfos, [])
    for (const path of ['User/describe/namedLayouts/Other', 'Account/describe/namedLayouts/UserAlt']) {
      assertRefused(await o.call('GET', `/sobjects/${path}`), 404, 'NOT_FOUND', NO_RESOURCE)
    }
  })

  test('show what the caller may see, and as writable what the caller may write', async () => {
    const [layout] = (await fetchLayouts('Box__c', clerk)).layouts
    assert.deepEqual(fieldsOf(layout.detailLayoutSections[0]), [
      ...['Name', 'Size__c', 'Code__c', 'Count__c', 'RecordTypeId', 'OwnerId'],
    ])
    assert.ok(!fieldsOf(layout.editLayoutSections[0]).includes('Size__c'))
    assert.deepEqual(layout.relatedLists, [])
    assert.equal((await clerk.call('GET', '/sobjects/Lid__c/describe/layouts')).status, 404)
  })

  test('of no object are empty', async () => {
    for (const path of ['/describe/layouts', '/sobjects/Global/describe/layouts/']) {
      const { status, body } = await o.call('GET', path)
      assert.deepEqual([status, body.layouts], [200, []])
    }
  })

  test('change with the schema only, so a client may keep them', async () => {
    for (const path of ['/sobjects/Box__c/describe/layouts', '/compactLayouts?q=Box__c', '/tabs', '/theme']) {
      const whole = await o.call('GET', path)
      const headers = { 'if-modified-since': String(whole.headers['last-modified']) }
      const kept = await o.call('GET', path, { headers })
      assert.deepEqual([kept.status, kept.text, kept.headers.etag], [304, '', whole.headers.etag], path)
    }
  })
})

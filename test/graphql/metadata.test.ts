import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fetchUiapi, sendDocument } from '../support/graphql.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, allow } from '../support/people.ts'

/* Descriptions of objects, related lists and the caller. (docs/reference/api/graphql.md#descriptions) */

let o: TestOrg

before(async () => {
  o = await openOrg()
  await o.deploy([
    {
      name: 'Trip__c',
      label: 'Trip',
      labelPlural: 'Trips',
      keyPrefix: '',
      recordTypes: [
        { name: 'Sea', label: 'By sea', default: true },
        { name: 'Land', label: 'By land' },
      ],
      fields: [
        { name: 'Name', label: 'Name', type: 'string', length: 80, nameField: true },
        {
          name: 'Continent__c',
          label: 'Continent',
          type: 'picklist',
          length: 40,
          values: ['Europe', 'Asia'],
        },
        {
          name: 'Country__c',
          label: 'Country',
          type: 'picklist',
          length: 40,
          controller: 'Continent__c',
          values: [
            { value: 'no', label: 'Norway', validFor: ['Europe'], default: true },
            { value: 'jp', label: 'Japan', validFor: ['Asia'] },
          ],
        },
        { name: 'Note__c', label: 'Note', type: 'richtextarea', length: 1000, help: 'Anything' },
        {
          name: 'Guide__c',
          label: 'Guide',
          type: 'reference',
          to: ['Contact'],
          relationship: 'Guide__r',
          children: 'Trips__r',
          required: true,
        },
      ],
    },
  ])
})

const infos = async (args: string, selection: string) =>
  (await fetchUiapi(o, `{ uiapi { objectInfos(${args}) { ${selection} } } }`)).objectInfos

describe('objectInfos', () => {
  test('tell of the named objects what their describe says', async () => {
    const flags =
      'createable custom deletable feedEnabled keyPrefix label labelPlural layoutable locale mruEnabled nameFields queryable searchable updateable themeInfo { color }'
    const [trip, contact] = await infos('apiNames: ["Trip__c", "contact"]', `ApiName ${flags}`)
    const { body } = await o.call('GET', '/sobjects/Trip__c/describe')
    assert.deepEqual(trip, {
      ...{ ApiName: 'Trip__c', createable: true, custom: true, deletable: true, feedEnabled: false },
      ...{
        keyPrefix: body.keyPrefix,
        label: 'Trip',
        labelPlural: 'Trips',
        layoutable: true,
        locale: 'en_US',
      },
      ...{
        mruEnabled: true,
        nameFields: ['Name'],
        queryable: true,
        searchable: true,
        updateable: true,
        themeInfo: null,
      },
    })
    assert.deepEqual([contact.ApiName, contact.nameFields], ['Contact', ['FirstName', 'LastName']])
    const [french] = await infos('apiNames: ["Trip__c"], locale: "fr_FR"', 'locale')
    assert.equal(french.locale, 'fr_FR')
  })

  test('tell of fields', async () => {
    const selection = `fields { ApiName dataType label length required extraTypeInfo htmlFormatted inlineHelpText reference relationshipName
      referenceToInfos { ApiName nameFields } controllerName controllingFields custom sortable filterable updateable }`
    const [{ fields }] = await infos(
      'objectInfoInputs: [{apiName: "Trip__c", fieldNames: ["note__c", "Guide__c", "Country__c"]}]',
      selection,
    )
    const plain = {
      custom: true,
      updateable: true,
      reference: false,
      relationshipName: null,
      referenceToInfos: [],
    }
    const free = {
      controllerName: null,
      controllingFields: [],
      inlineHelpText: null,
      extraTypeInfo: null,
      htmlFormatted: false,
    }
    assert.deepEqual(fields, [
      {
        ...plain,
        ...free,
        ...{ ApiName: 'Country__c', dataType: 'PICKLIST', label: 'Country', length: 40, required: false },
        ...{
          controllerName: 'Continent__c',
          controllingFields: ['Continent__c'],
          sortable: true,
          filterable: true,
        },
      },
      {
        ...plain,
        ...free,
        ...{
          ApiName: 'Note__c',
          dataType: 'TEXTAREA',
          label: 'Note',
          length: 1000,
          required: false,
          inlineHelpText: 'Anything',
        },
        ...{ extraTypeInfo: 'RICHTEXTAREA', htmlFormatted: true, sortable: false, filterable: false },
      },
      {
        ...plain,
        ...free,
        ...{
          ApiName: 'Guide__c',
          dataType: 'REFERENCE',
          label: 'Guide',
          length: 18,
          required: true,
          reference: true,
        },
        ...{
          relationshipName: 'Guide__r',
          referenceToInfos: [{ ApiName: 'Contact', nameFields: ['FirstName', 'LastName'] }],
        },
        ...{ sortable: true, filterable: true },
      },
    ])
    const [account] = await infos(
      'apiNames: ["Account"]',
      'fields { ApiName compound compoundFieldName compoundComponentName }',
    )
    const found = account.fields.filter(({ ApiName }: { ApiName: string }) =>
      /^Billing(City|Address)$/.test(ApiName),
    )
    assert.deepEqual(
      found.map((field: object) => Object.values(field)),
      [
        ['BillingCity', false, 'BillingAddress', 'City'],
        ['BillingAddress', true, null, null],
      ],
    )
  })

  test('tell of listed values for record types, and which of them belong together', async () => {
    const values = `recordTypeInfos { name master defaultRecordTypeMapping recordTypeId } defaultRecordTypeId dependentFields { controllingField dependentFields { controllingField } }
      fields { __typename ApiName ... on PicklistField { picklistValuesByRecordTypeIDs { recordTypeID defaultValue { value }
        controllerValues { apiName index } picklistValues { label value validFor } } } }`
    const ask = (more: string) =>
      infos(`objectInfoInputs: [{apiName: "Trip__c", fieldNames: ["Country__c", "Note__c"]${more}}]`, values)
    const [trip] = await ask('')
    const ids = trip.recordTypeInfos.map(({ recordTypeId }: { recordTypeId: string }) => recordTypeId)
    assert.deepEqual(
      trip.recordTypeInfos.map(({ name }: { name: string }) => name),
      ['By sea', 'By land', 'Master'],
    )
    assert.equal(trip.defaultRecordTypeId, ids[0])
    assert.deepEqual(trip.dependentFields, [
      { controllingField: 'Continent__c', dependentFields: [{ controllingField: 'Country__c' }] },
    ])
    const [country, note] = trip.fields
    assert.equal(note.__typename, 'PlainField')
    assert.deepEqual(
      country.picklistValuesByRecordTypeIDs.map((one: { recordTypeID: string }) => one.recordTypeID),
      ids,
    )
    assert.deepEqual(country.picklistValuesByRecordTypeIDs[0], {
      recordTypeID: ids[0],
      defaultValue: { value: 'no' },
      controllerValues: [
        { apiName: 'Europe', index: 0 },
        { apiName: 'Asia', index: 1 },
      ],
      picklistValues: [
        { label: 'Norway', value: 'no', validFor: [0] },
        { label: 'Japan', value: 'jp', validFor: [1] },
      ],
    })
    const [one] = await ask(`, recordTypeIds: ["${ids[1].slice(0, 15)}"]`)
    assert.deepEqual(
      one.fields[0].picklistValuesByRecordTypeIDs.map(
        (entry: { recordTypeID: string }) => entry.recordTypeID,
      ),
      [ids[1]],
    )
    const [named] = await infos(
      'apiNames: ["Trip__c"]',
      'fields { ApiName ... on PicklistField { picklistValuesByRecordTypeIDs { recordTypeID } } }',
    )
    const plain = named.fields.find(({ ApiName }: { ApiName: string }) => ApiName === 'Country__c')
    assert.equal(plain.picklistValuesByRecordTypeIDs, null)
  })

  test('tell of child relationships, and of the objects behind them', async () => {
    const selection =
      'childRelationships { relationshipName childObjectApiName fieldName junctionIdListNames objectInfo { ApiName label } }'
    const [contact] = await infos('apiNames: ["Contact"]', selection)
    const trips = contact.childRelationships.find(
      (one: { relationshipName: string }) => one.relationshipName === 'Trips__r',
    )
    assert.deepEqual(trips, {
      ...{
        relationshipName: 'Trips__r',
        childObjectApiName: 'Trip__c',
        fieldName: 'Guide__c',
        junctionIdListNames: [],
      },
      objectInfo: { ApiName: 'Trip__c', label: 'Trip' },
    })
  })

  test('of an object that is not there are null, with an error in its place', async () => {
    const { data, errors } = await sendDocument(
      o,
      '{ uiapi { objectInfos(apiNames: ["Nope", "Account"]) { ApiName } } }',
    )
    assert.deepEqual(data.uiapi.objectInfos, [null, { ApiName: 'Account' }])
    assert.deepEqual(
      errors.map(({ paths, extensions }) => [paths, extensions.ErrorType]),
      [[['uiapi', 'objectInfos', 0], 'DataFetchingException']],
    )
    const person = await addPerson(o, 'narrow')
    await allow(o, person.setId, 'Account', 'Read')
    const narrow = await sendDocument(
      person,
      '{ uiapi { objectInfos(apiNames: ["Contact", "Account"]) { ApiName fields { ApiName } } } }',
    )
    assert.equal(narrow.data.uiapi.objectInfos[0], null)
    const names = narrow.data.uiapi.objectInfos[1].fields.map(({ ApiName }: { ApiName: string }) => ApiName)
    assert.deepEqual([names.includes('Name'), names.includes('Phone')], [true, false])
  })

  test('are asked for by one of two lists, of at most 2,000 names', async () => {
    for (const args of [
      '',
      '(locale: "en_US")',
      '(apiNames: ["Account"], objectInfoInputs: [{apiName: "Account"}])',
    ]) {
      const { data, errors } = await sendDocument(o, `{ uiapi { objectInfos${args} { ApiName } } }`)
      assert.equal(data.uiapi.objectInfos, null)
      assert.match(errors[0]!.message, /either apiNames or objectInfoInputs/)
    }
    const text = 'query($names: [String]) { uiapi { objectInfos(apiNames: $names) { ApiName } } }'
    const ask = async (n: number) => sendDocument(o, text, { variables: { names: Array(n).fill('Account') } })
    assert.equal((await ask(2000)).data.uiapi.objectInfos.length, 2000)
    assert.match((await ask(2001)).errors[0]!.message, /at most 2000 objects/)
    const below = 'childRelationships { objectInfo { '
    const nested = `{ uiapi { objectInfos(apiNames: ["Account"]) { ${below.repeat(6)}ApiName${' } }'.repeat(6)} } } }`
    assert.match((await sendDocument(o, nested)).errors[0]!.message, /at most 2000 objects/)
  })
})

describe('relatedListByName', () => {
  const text = (parent: string, list: string) =>
    `{ uiapi { relatedListByName(parentApiName: "${parent}", relatedListName: "${list}") {
      childApiName fieldApiName label parentApiName relatedListName displayColumns { fieldApiName label dataType sortable } orderedByInfo { fieldApiName isAscending } } } }`

  test('tells of the records below a record', async () => {
    const { relatedListByName } = await fetchUiapi(o, text('Contact', 'Trips__r'))
    assert.deepEqual(relatedListByName, {
      ...{
        childApiName: 'Trip__c',
        fieldApiName: 'Guide__c',
        label: 'Trips',
        parentApiName: 'Contact',
        relatedListName: 'Trips__r',
      },
      displayColumns: [
        { fieldApiName: 'Name', label: 'Name', dataType: 'STRING', sortable: true },
        {
          fieldApiName: 'LastModifiedDate',
          label: 'Last Modified Date',
          dataType: 'DATETIME',
          sortable: true,
        },
      ],
      orderedByInfo: [{ fieldApiName: 'Name', isAscending: true }],
    })
  })

  test('is null where there is none', async () => {
    for (const [parent, list] of [
      ['Contact', 'Nope'],
      ['Nope', 'Contacts'],
    ] as const) {
      const { data, errors } = await sendDocument(o, text(parent, list))
      assert.deepEqual(data, { uiapi: { relatedListByName: null } })
      assert.equal(errors[0]!.extensions.ErrorType, 'DataFetchingException')
    }
  })
})

test('currentUser is the caller', async () => {
  const text =
    '{ uiapi { currentUser { __typename Id Name { value } Username { value } Profile { Name { value } } } } }'
  const { currentUser } = await fetchUiapi(o, text)
  assert.deepEqual(currentUser, {
    __typename: 'User',
    Id: o.userId,
    Name: { value: 'Administrator' },
    Username: { value: 'admin@objectry.test' },
    Profile: { Name: { value: 'System Administrator' } },
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HIERARCHY_SCHEMA } from '../support/hierarchy-schema.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { SPECIMEN, TICKET } from '../support/specimen-schema.ts'

let org: TestOrg
const fields = new Map<string, Record<string, unknown>>()

before(async () => {
  org = await openOrg()
  await org.deploy([SPECIMEN, TICKET, ...HIERARCHY_SCHEMA])
  for (const object of [
    'Specimen__c',
    'Ticket__c',
    'Contact',
    'Task',
    'Account',
    'House__c',
    'Room__c',
    'Chair__c',
  ]) {
    const { body } = await org.call('GET', `/sobjects/${object}/describe`)
    for (const field of body.fields) fields.set(`${object}.${field.name}`, field)
  }
})

const FLAGS = {
  A: 'aggregatable',
  F: 'filterable',
  G: 'groupable',
  S: 'sortable',
  c: 'createable',
  u: 'updateable',
  n: 'nillable',
  d: 'defaultedOnCreate',
  p: 'permissionable',
  k: 'idLookup',
} as const

/** `AFGS cun p`: which of the flags a field has. */
function formatFlags(field: Record<string, unknown>): string {
  return Object.entries(FLAGS)
    .map(([letter, name]) => (field[name] === true ? letter : '-'))
    .join('')
}

/** type, soapType, length, byteLength, precision, scale, digits, flags (AFGScundpk), and what else is not the default. */
type Expected = readonly [string, string, number, number, number, number, number, string, object?]

const plain = { extraTypeInfo: 'plaintextarea' }

const EXPECTED: Readonly<Record<string, Expected>> = {
  'Specimen__c.Id': ['id', 'tns:ID', 18, 18, 0, 0, 0, 'AFGS---d-k'],
  'Specimen__c.IsDeleted': ['boolean', 'xsd:boolean', 0, 0, 0, 0, 0, '-FGS---d--', { defaultValue: false }],
  'Specimen__c.Name': ['string', 'xsd:string', 80, 240, 0, 0, 0, 'AFGScund-k', { nameField: true }],
  'Specimen__c.Text__c': ['string', 'xsd:string', 40, 120, 0, 0, 0, 'AFGScun-p-'],
  'Specimen__c.Area__c': ['textarea', 'xsd:string', 255, 765, 0, 0, 0, 'AFGScun-p-', plain],
  'Specimen__c.Long__c': ['textarea', 'xsd:string', 131072, 393216, 0, 0, 0, '----cun-p-', plain],
  'Specimen__c.Rich__c': [
    'textarea',
    'xsd:string',
    32768,
    98304,
    0,
    0,
    0,
    '----cun-p-',
    { htmlFormatted: true, extraTypeInfo: 'richtextarea' },
  ],
  'Specimen__c.Secret__c': [
    'encryptedstring',
    'xsd:string',
    175,
    525,
    0,
    0,
    0,
    '----cun-p-',
    { encrypted: true, mask: '*', maskType: 'all' },
  ],
  'Specimen__c.Email__c': ['email', 'xsd:string', 80, 240, 0, 0, 0, 'AFGScun-p-'],
  'Contact.Email': ['email', 'xsd:string', 80, 240, 0, 0, 0, 'AFGScun-pk'],
  'Specimen__c.Phone__c': ['phone', 'xsd:string', 40, 120, 0, 0, 0, 'AFGScun-p-'],
  'Specimen__c.Web__c': ['url', 'xsd:string', 255, 765, 0, 0, 0, 'AFGScun-p-'],
  'Specimen__c.Flag__c': ['boolean', 'xsd:boolean', 0, 0, 0, 0, 0, '-FGScu-dp-', { defaultValue: false }],
  'Specimen__c.Raised__c': ['boolean', 'xsd:boolean', 0, 0, 0, 0, 0, '-FGScu-dp-', { defaultValue: true }],
  'Specimen__c.Count__c': ['int', 'xsd:int', 0, 0, 0, 0, 8, 'AFGScun-p-'],
  'Specimen__c.Ratio__c': ['double', 'xsd:double', 0, 0, 9, 3, 0, 'AF-Scun-p-'],
  'Specimen__c.Price__c': ['currency', 'xsd:double', 0, 0, 18, 2, 0, 'AF-Scun-p-'],
  'Specimen__c.Share__c': ['percent', 'xsd:double', 0, 0, 5, 1, 0, 'AF-Scun-p-'],
  'Specimen__c.Day__c': ['date', 'xsd:date', 0, 0, 0, 0, 0, 'AFGScun-p-'],
  'Specimen__c.Moment__c': ['datetime', 'xsd:dateTime', 0, 0, 0, 0, 0, 'AF-Scun-p-'],
  'Specimen__c.CreatedDate': ['datetime', 'xsd:dateTime', 0, 0, 0, 0, 0, 'AF-S---d--'],
  'Specimen__c.Clock__c': ['time', 'xsd:time', 0, 0, 0, 0, 0, 'AF-Scun-p-'],
  'Specimen__c.Color__c': ['picklist', 'xsd:string', 255, 765, 0, 0, 0, 'AFGScun-p-'],
  'Specimen__c.Size__c': [
    'picklist',
    'xsd:string',
    255,
    765,
    0,
    0,
    0,
    'AFGScundp-',
    { restrictedPicklist: true, defaultValue: 'M' },
  ],
  'Specimen__c.Tags__c': [
    'multipicklist',
    'xsd:string',
    4099,
    4099,
    4,
    0,
    0,
    '-F--cun-p-',
    { restrictedPicklist: true },
  ],
  'Specimen__c.Kind__c': ['combobox', 'xsd:string', 255, 765, 0, 0, 0, 'AF-Scun-p-'],
  'Specimen__c.Account__c': [
    'reference',
    'tns:ID',
    18,
    18,
    0,
    0,
    0,
    'AFGScun-p-',
    { referenceTo: ['Account'], relationshipName: 'Account__r', searchPrefilterable: true },
  ],
  'Specimen__c.Target__c': [
    'reference',
    'tns:ID',
    18,
    18,
    0,
    0,
    0,
    'AFGScun-p-',
    {
      referenceTo: ['Account', 'Contact'],
      relationshipName: 'Target__r',
      searchPrefilterable: true,
      namePointing: true,
      polymorphicForeignKey: true,
    },
  ],
  'Specimen__c.OwnerId': [
    'reference',
    'tns:ID',
    18,
    18,
    0,
    0,
    0,
    'AFGScu-d--',
    { referenceTo: ['User'], relationshipName: 'Owner' },
  ],
  'Room__c.House__c': [
    'reference',
    'tns:ID',
    18,
    18,
    0,
    0,
    0,
    'AFGSc-----',
    {
      referenceTo: ['House__c'],
      relationshipName: 'House__r',
      relationshipOrder: 0,
      cascadeDelete: true,
      writeRequiresMasterRead: true,
    },
  ],
  'Chair__c.Room__c': [
    'reference',
    'tns:ID',
    18,
    18,
    0,
    0,
    0,
    'AFGScu----',
    {
      referenceTo: ['Room__c'],
      relationshipName: 'Room__r',
      relationshipOrder: 0,
      cascadeDelete: true,
      writeRequiresMasterRead: true,
    },
  ],
  'Specimen__c.Number__c': ['string', 'xsd:string', 30, 90, 0, 0, 0, 'AF-S---dp-', { autoNumber: true }],
  'Ticket__c.Name': [
    'string',
    'xsd:string',
    30,
    90,
    0,
    0,
    0,
    'AF-S---d-k',
    { autoNumber: true, nameField: true },
  ],
  'Specimen__c.Home__c': ['address', 'urn:address', 0, 0, 0, 0, 0, '-F----n---', { queryByDistance: true }],
  'Specimen__c.Home__City__s': [
    'string',
    'xsd:string',
    40,
    120,
    0,
    0,
    0,
    'AFGScun-p-',
    { compoundFieldName: 'Home__c' },
  ],
  'Account.BillingStreet': [
    'textarea',
    'xsd:string',
    255,
    765,
    0,
    0,
    0,
    'AFGScun-p-',
    { ...plain, compoundFieldName: 'BillingAddress' },
  ],
  'Specimen__c.Site__c': ['location', 'urn:location', 0, 0, 0, 0, 0, '-F----n---', { queryByDistance: true }],
  'Specimen__c.Site__Latitude__s': [
    'double',
    'xsd:double',
    0,
    0,
    18,
    15,
    0,
    'AF-Scun-p-',
    { compoundFieldName: 'Site__c' },
  ],
  'Specimen__c.Bytes__c': ['base64', 'xsd:base64Binary', 0, 0, 0, 0, 0, '----cun-p-'],
  'Specimen__c.Key__c': [
    'string',
    'xsd:string',
    100,
    300,
    0,
    0,
    0,
    'AFGScun-pk',
    { externalId: true, unique: true },
  ],
  'Specimen__c.Exact__c': [
    'string',
    'xsd:string',
    100,
    300,
    0,
    0,
    0,
    'AFGScun-pk',
    { externalId: true, unique: true, caseSensitive: true },
  ],
  'Specimen__c.Loose__c': ['string', 'xsd:string', 100, 300, 0, 0, 0, 'AFGScun-pk', { externalId: true }],
  'Contact.Name': [
    'string',
    'xsd:string',
    121,
    363,
    0,
    0,
    0,
    'AFGS------',
    { nameField: true, extraTypeInfo: 'personname' },
  ],
  'Contact.LastName': [
    'string',
    'xsd:string',
    80,
    240,
    0,
    0,
    0,
    'AFGScu----',
    { compoundFieldName: 'Name', extraTypeInfo: 'personname' },
  ],
  'Account.Name': [
    'string',
    'xsd:string',
    255,
    765,
    0,
    0,
    0,
    'AFGScu----',
    { nameField: true, extraTypeInfo: 'switchablepersonname' },
  ],
}

/** The describe of a field of which nothing else is said. */
const DEFAULTS = {
  autoNumber: false,
  cascadeDelete: false,
  caseSensitive: false,
  compoundFieldName: null,
  defaultValue: null,
  encrypted: false,
  externalId: false,
  extraTypeInfo: null,
  htmlFormatted: false,
  mask: null,
  maskType: null,
  nameField: false,
  namePointing: false,
  polymorphicForeignKey: false,
  queryByDistance: false,
  referenceTo: [],
  relationshipName: null,
  relationshipOrder: null,
  restrictedDelete: false,
  restrictedPicklist: false,
  searchPrefilterable: false,
  unique: false,
  writeRequiresMasterRead: false,
}

describe('the describe of a field', () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    const [type, soapType, length, byteLength, precision, scale, digits, flags, more] = expected
    test(`${name}, a ${type}`, () => {
      const field = fields.get(name)!
      assert.deepEqual([field.type, field.soapType], [type, soapType])
      const sizes = [field.length, field.byteLength, field.precision, field.scale, field.digits]
      assert.deepEqual(sizes, [length, byteLength, precision, scale, digits])
      assert.equal(formatFlags(field), flags)
      const wanted = { ...DEFAULTS, ...more }
      const given = Object.fromEntries(Object.keys(wanted).map((key) => [key, field[key]]))
      assert.deepEqual(given, wanted)
      assert.equal(field.custom, /__[cs]$/.test(name))
    })
  }

  test('has a value under every key, of every field', () => {
    for (const [name, field] of fields) {
      for (const [key, value] of Object.entries(field)) assert.notEqual(value, undefined, `${name} ${key}`)
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { metadataFile } from '../support/archive.ts'
import { componentsOf, deployFiles } from '../support/archive-deploys.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const OWN = `<label>Wide</label><pluralLabel>Wides</pluralLabel><sharingModel>ReadWrite</sharingModel>
<nameField><label>Name</label><type>Text</type></nameField>`

const field = (name: string, rest = '<type>Text</type><length>20</length>') =>
  `<fields><fullName>${name}</fullName><label>${name.replace('__c', '')}</label>${rest}</fields>`

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

let o: TestOrg

before(async () => {
  o = await openOrg()
})

/** The components of a result that failed, with what is said of them. */
const failuresOf = (result: Awaited<ReturnType<typeof deployFiles>>) =>
  Object.fromEntries(Object.entries(componentsOf(result)).filter(([, said]) => said.startsWith('Error: ')))

describe('where there would be too many, an archive fails those by their names:', () => {
  test('permission sets', async () => {
    const files = Object.fromEntries(
      many(1002, (n) => [
        `permissionsets/S${String(n).padStart(4, '0')}.permissionset`,
        metadataFile('PermissionSet', `<label>S${n}</label>`),
      ]),
    )
    const result = await deployFiles(o, files, { rollbackOnError: false })
    assert.equal(result.status, 'SucceededPartial')
    const said = 'Error: there may be 1000 at a time'
    assert.deepEqual(failuresOf(result), { 'PermissionSet S1000': said, 'PermissionSet S1001': said })
    const query = "SELECT COUNT() FROM PermissionSet WHERE Name LIKE 'S____'"
    const { body } = await o.call('GET', `/query?q=${encodeURIComponent(query)}`)
    assert.equal(body.totalSize, 1000)
  })

  test('permission sets that grant too much together', async () => {
    const wide = many(600, (n) => field(`F${n}__c`))
    await deployFiles(o, { 'objects/Granted__c.object': metadataFile('CustomObject', OWN + wide.join('')) })
    const grants = many(
      600,
      (n) =>
        `<fieldPermissions><field>Granted__c.F${n}__c</field><readable>true</readable><editable>false</editable></fieldPermissions>`,
    )
    const set = metadataFile('PermissionSet', `<label>G</label>${grants.join('')}`)
    const files = Object.fromEntries(
      many(168, (n) => [`permissionsets/G${String(n).padStart(3, '0')}.permissionset`, set]),
    )
    const result = await deployFiles(o, files, { checkOnly: true, rollbackOnError: false })
    assert.equal(result.status, 'SucceededPartial', result.errorMessage)
    const said = 'Error: all files together name more than 100000 objects and fields'
    assert.deepEqual(failuresOf(result), { 'PermissionSet G166': said, 'PermissionSet G167': said })
  })

  test('fields of an object, with those that it has already', async () => {
    const first = many(780, (n) => field(`A${n}__c`))
    await deployFiles(o, { 'objects/Wide__c.object': metadataFile('CustomObject', OWN + first.join('')) })
    const more = metadataFile('CustomObject', many(30, (n) => field(`B${n}__c`)).join(''))
    const result = await deployFiles(o, { 'objects/Wide__c.object': more }, { rollbackOnError: false })
    assert.equal(result.status, 'SucceededPartial', result.errorMessage)
    const failures = failuresOf(result)
    const { body } = await o.call('GET', '/sobjects/Wide__c/describe')
    assert.ok(body.fields.length <= 800 && body.fields.length > 790, String(body.fields.length))
    const own = body.fields.filter(({ custom }: { custom: boolean }) => custom)
    assert.equal(Object.keys(failures).length, 780 + 30 - own.length)
    assert.equal(failures['CustomField Wide__c.B29__c'], 'Error: the object would have more than 800 fields')
    assert.equal(componentsOf(result)['CustomField Wide__c.B0__c'], 'created')
  })

  test('fields whose parts are too many', async () => {
    const places = many(20, (n) => field(`P${n}__c`, '<type>Location</type><scale>5</scale>'))
    const files = {
      'objects/Wide__c.object': metadataFile('CustomObject', places.join('')),
      'objects/Other__c.object': metadataFile('CustomObject', OWN),
    }
    const result = await deployFiles(o, files, { rollbackOnError: false })
    assert.equal(result.status, 'SucceededPartial', result.errorMessage)
    assert.match(failuresOf(result)['CustomField Wide__c.P0__c']!, /^Error: .*more than 800/)
    assert.equal(componentsOf(result)['CustomObject Other__c'], 'created')
  })

  test('labels, and records of a metadata type', async () => {
    const label = (n: number) =>
      `<labels><fullName>L${n}</fullName><language>en_US</language><protected>false</protected><shortDescription>L${n}</shortDescription><value>${n}</value></labels>`
    const labels = (from: number, count: number) => ({
      'labels/CustomLabels.labels': metadataFile(
        'CustomLabels',
        many(count, (n) => label(from + n)).join(''),
      ),
    })
    assert.equal((await deployFiles(o, labels(0, 1999))).status, 'Succeeded')
    const result = await deployFiles(o, labels(1998, 4), { rollbackOnError: false })
    assert.deepEqual(failuresOf(result), {
      'CustomLabel L2000': 'Error: there would be more than 2000 labels',
      'CustomLabel L2001': 'Error: there would be more than 2000 labels',
    })
    assert.equal(componentsOf(result)['CustomLabel L1999'], 'created')
    const record = metadataFile('CustomMetadata', '<label>One</label>')
    const records = Object.fromEntries(many(2001, (n) => [`customMetadata/Cfg.R${n}.md`, record]))
    const type = metadataFile('CustomObject', '<label>Cfg</label><pluralLabel>Cfgs</pluralLabel>')
    const typed = await deployFiles(
      o,
      { 'objects/Cfg__mdt.object': type, ...records },
      { rollbackOnError: false },
    )
    assert.deepEqual(failuresOf(typed), {
      'CustomMetadata Cfg.R2000': 'Error: the type would have more than 2000 records',
    })
  })

  test('picklists whose values are too many in all objects together', async () => {
    const value = (n: number) =>
      `<customValue><fullName>v${n}</fullName><default>false</default></customValue>`
    const picklist = '<type>Picklist</type><valueSet><valueSetName>Long</valueSetName></valueSet>'
    const ten = many(10, (n) => field(`P${n}__c`, picklist)).join('')
    const files = {
      'globalValueSets/Long.globalValueSet': metadataFile(
        'GlobalValueSet',
        `<masterLabel>Long</masterLabel>${many(4900, value).join('')}`,
      ),
      ...Object.fromEntries(
        many(21, (n) => [
          `objects/L${String(n).padStart(2, '0')}__c.object`,
          metadataFile('CustomObject', OWN + ten),
        ]),
      ),
    }
    const result = await deployFiles(o, files)
    const said = 'Error: those of all objects have more than 1000000 picklist values together'
    assert.deepEqual(
      failuresOf(result),
      Object.fromEntries(many(10, (n) => [`CustomField L20__c.P${n}__c`, said])),
    )
  })

  test('objects', async () => {
    const files = Object.fromEntries(
      many(3846, (n) => [
        `objects/O${String(n).padStart(4, '0')}__e.object`,
        metadataFile('CustomObject', OWN),
      ]),
    )
    const result = await deployFiles(await openOrg(), files)
    assert.equal(result.errorMessage, undefined)
    const said = 'Error: more than the 3844 that an org can have'
    assert.deepEqual(failuresOf(result), { 'CustomObject O3844__e': said, 'CustomObject O3845__e': said })
  })
})

describe('an archive is refused before it is read', () => {
  const refusalOf = async (files: Record<string, string>) => {
    const { status, errorStatusCode, errorMessage, numberComponentsTotal } = await deployFiles(o, files)
    return [status, errorStatusCode, errorMessage, numberComponentsTotal]
  }

  test('whose files have too many elements together', async () => {
    const half = metadataFile('PermissionSet', '<a/>'.repeat(500_000))
    assert.deepEqual(
      await refusalOf({ 'permissionsets/A.permissionset': half, 'permissionsets/B.permissionset': half }),
      [
        ...['Failed', 'LIMIT_EXCEEDED'],
        'The files of the archive have more than 1000000 elements together: deploy in several parts.',
        0,
      ],
    )
  })

  test('that has too many components', async () => {
    const links = many(50_001, (n) => `<webLinks><fullName>W${n}</fullName></webLinks>`).join('')
    assert.deepEqual(await refusalOf({ 'objects/Wide__c.object': metadataFile('CustomObject', links) }), [
      ...['Failed', 'LIMIT_EXCEEDED'],
      'The archive has more than 50000 components: deploy in several parts.',
      0,
    ])
  })
})

test('what any of several files of one permission set grants is granted', async () => {
  const grant = (name: string) =>
    metadataFile(
      'PermissionSet',
      `<label>Both</label><objectPermissions><allowRead>true</allowRead><object>${name}</object></objectPermissions>`,
    )
  const lenient = await openOrg({ settings: { unsupportedMetadata: 'warn' } })
  await deployFiles(lenient, {
    'a/permissionsets/Both.permissionset': grant('Account'),
    'b/permissionsets/Both.permissionset': grant('Contact'),
    'c/permissionsets/Both.permissionset': grant('Contact'),
  })
  const query = "SELECT SobjectType FROM ObjectPermissions WHERE Parent.Name = 'Both' ORDER BY SobjectType"
  const { body } = await lenient.call('GET', `/query?q=${encodeURIComponent(query)}`)
  const objects = body.records.map(({ SobjectType }: { SobjectType: string }) => SobjectType)
  assert.deepEqual(objects, ['Account', 'Contact'])
})

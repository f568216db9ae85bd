import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { manifest, metadataFile } from '../support/archive.ts'
import { componentsOf, deployFiles } from '../support/archive-deploys.ts'
import { openOrg, type TestOrg } from '../support/org.ts'

const IGNORING = { rollbackOnError: true, ignoreWarnings: true }

const field = (name: string, rest = '<type>Text</type><length>20</length>') =>
  `<fields><fullName>${name}</fullName><label>${name.replace('__c', '')}</label>${rest}</fields>`

const object = (...inside: readonly string[]) => metadataFile('CustomObject', inside.join('\n'))

const OWN = `<label>Part</label><pluralLabel>Parts</pluralLabel><sharingModel>ReadWrite</sharingModel>
<nameField><label>Name</label><type>Text</type></nameField>`

let o: TestOrg

before(async () => {
  o = await openOrg()
  const result = await deployFiles(o, {
    'objects/Part__c.object': object(OWN, field('Good__c'), field('Later__c')),
  })
  assert.equal(result.status, 'Succeeded')
})

const fieldsOf = async (name: string): Promise<string[]> => {
  const { body } = await o.call('GET', `/sobjects/${name}/describe`)
  return body.fields.map((one: { name: string }) => one.name).filter((one: string) => one.endsWith('__c'))
}

describe('a deployment of an archive', () => {
  test('deletes what its manifest names, and nothing else', async () => {
    const result = await deployFiles(
      o,
      {
        'package.xml': manifest(),
        'destructiveChanges.xml': manifest({ CustomField: ['Part__c.Later__c', 'Part__c.Never__c'] }),
      },
      IGNORING,
    )
    assert.deepEqual(componentsOf(result), {
      'CustomField Part__c.Later__c': 'deleted',
      'CustomField Part__c.Never__c': 'Warning: No CustomField named: Part__c.Never__c found',
    })
    assert.ok(!(await fieldsOf('Part__c')).includes('Later__c'))
    assert.ok((await fieldsOf('Part__c')).includes('Good__c'))
  })

  test('deletes nothing of the platform, and nothing that it brings', async () => {
    const kept = await deployFiles(
      o,
      {
        'destructiveChanges.xml': manifest({ CustomObject: ['Account'], CustomField: ['Part__c.Name'] }),
      },
      IGNORING,
    )
    assert.deepEqual(Object.values(componentsOf(kept)), [
      'Warning: CustomObject cannot be deleted here',
      'Warning: CustomField cannot be deleted here',
    ])
    const both = await deployFiles(o, {
      'objects/Part__c.object': object(field('Good__c', '<type>Date</type>')),
      'destructiveChangesPre.xml': manifest({ CustomField: ['Part__c.Good__c'] }),
    })
    assert.deepEqual([both.status, both.errorStatusCode], ['Failed', 'INVALID_INPUT'])
    assert.ok((await fieldsOf('Part__c')).includes('Good__c'))
  })

  test('takes a field away that permissions name', async () => {
    const grant = metadataFile(
      'PermissionSet',
      `<label>Gone</label><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>
      <fieldPermissions><field>Part__c.Gone__c</field><readable>true</readable><editable>false</editable></fieldPermissions>`,
    )
    await deployFiles(o, {
      'objects/Part__c.object': object(field('Gone__c')),
      'permissionsets/Gone.permissionset': grant,
    })
    const result = await deployFiles(o, {
      'destructiveChanges.xml': manifest({ CustomField: ['Part__c.Gone__c'] }),
    })
    assert.deepEqual(componentsOf(result), { 'CustomField Part__c.Gone__c': 'deleted' })
  })

  test('deletes permission sets with their assignments, and labels', async () => {
    await deployFiles(o, {
      'package.xml': manifest({ PermissionSet: ['Left', 'Kept'], CustomLabels: ['CustomLabels'] }),
      ...Object.fromEntries(
        ['Left', 'Kept'].map((name) => [
          `permissionsets/${name}.permissionset`,
          metadataFile(
            'PermissionSet',
            `<label>${name}</label><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>`,
          ),
        ]),
      ),
      'labels/CustomLabels.labels': metadataFile(
        'CustomLabels',
        ['Old', 'New']
          .map(
            (name) =>
              `<labels><fullName>${name}</fullName><language>en_US</language><protected>false</protected><shortDescription>${name}</shortDescription><value>${name}</value></labels>`,
          )
          .join(''),
      ),
    })
    const find = async (query: string) =>
      (await o.call('GET', `/query?q=${encodeURIComponent(query)}`)).body.records
    const [set] = await find(`SELECT Id FROM PermissionSet WHERE Name = 'Left'`)
    const assigned = { AssigneeId: o.userId, PermissionSetId: set.Id }
    assert.equal((await o.call('POST', '/sobjects/PermissionSetAssignment', { body: assigned })).status, 201)
    const files = {
      'destructiveChanges.xml': manifest({ PermissionSet: ['left', 'Never'], CustomLabel: ['Old'] }),
    }
    const checked = await deployFiles(o, files, { ...IGNORING, checkOnly: true })
    assert.equal(checked.status, 'Succeeded')
    assert.equal((await find(`SELECT Id FROM PermissionSet WHERE Name = 'Left'`)).length, 1)
    assert.deepEqual(componentsOf(await deployFiles(o, files, IGNORING)), {
      'PermissionSet left': 'deleted',
      'PermissionSet Never': 'Warning: No PermissionSet named: Never found',
      'CustomLabel Old': 'deleted',
    })
    assert.deepEqual(
      (await find(`SELECT Name FROM PermissionSet WHERE Name IN ('Left', 'Kept')`)).map(
        ({ Name }: { Name: string }) => Name,
      ),
      ['Kept'],
    )
    for (const object of ['PermissionSetAssignment', 'ObjectPermissions']) {
      const parent = object === 'ObjectPermissions' ? 'ParentId' : 'PermissionSetId'
      assert.deepEqual(await find(`SELECT Id FROM ${object} WHERE ${parent} = '${set.Id}'`), [])
    }
    const again = await deployFiles(
      o,
      {
        'destructiveChanges.xml': manifest({ CustomLabel: ['Old', 'New'] }),
      },
      IGNORING,
    )
    assert.deepEqual(componentsOf(again), {
      'CustomLabel Old': 'Warning: No CustomLabel named: Old found',
      'CustomLabel New': 'deleted',
    })
  })

  test('deletes profiles that no user has, but not those of every org', async () => {
    const profile = metadataFile(
      'Profile',
      '<custom>true</custom><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>',
    )
    await deployFiles(o, { 'profiles/Idle.profile': profile, 'profiles/Used.profile': profile })
    const find = async (name: string) =>
      (await o.call('GET', `/query?q=${encodeURIComponent(`SELECT Id FROM Profile WHERE Name = '${name}'`)}`))
        .body.records
    const [{ Id: ProfileId }] = await find('Used')
    const fields = {
      LastName: 'User',
      Alias: 'user',
      Email: 'user@example.com',
      Username: 'user@used.example',
    }
    const locale = {
      TimeZoneSidKey: 'GMT',
      LocaleSidKey: 'en_US',
      EmailEncodingKey: 'UTF-8',
      LanguageLocaleKey: 'en_US',
    }
    const user = await o.create('User', { ...fields, ...locale, ProfileId })
    const remove = (names: readonly string[]) =>
      deployFiles(o, { 'destructiveChanges.xml': manifest({ Profile: names }) }, IGNORING)

    const refused = await remove(['Idle', 'Used'])
    assert.equal(refused.status, 'Failed')
    assert.match(
      refused.errorMessage,
      /Used.*1 record of users with this profile.*give them another one first/,
    )
    assert.equal((await find('Idle')).length, 1)

    assert.deepEqual(componentsOf(await remove(['idle', 'Standard User', 'Never'])), {
      'Profile idle': 'deleted',
      'Profile Standard User': 'Warning: Profile cannot be deleted here',
      'Profile Never': 'Warning: No Profile named: Never found',
    })
    assert.deepEqual(await find('Idle'), [])

    const [{ Id: other }] = await find('Standard User')
    await o.call('PATCH', `/sobjects/User/${user}`, { body: { ProfileId: other } })
    assert.deepEqual(componentsOf(await remove(['Used'])), { 'Profile Used': 'deleted' })
    const sets = `SELECT Id FROM PermissionSet WHERE ProfileId = '${ProfileId}'`
    assert.deepEqual((await o.call('GET', `/query?q=${encodeURIComponent(sets)}`)).body.records, [])
  })

  test('deletes channels of events, and single members of them', async () => {
    const member = (channel: string, entity: string) =>
      metadataFile(
        'PlatformEventChannelMember',
        `<eventChannel>${channel}</eventChannel><selectedEntity>${entity}</selectedEntity>`,
      )
    const made = await deployFiles(o, {
      'objects/A_Part__c.object': object(OWN),
      'platformEventChannelMembers/One.platformEventChannelMember': member('Told__chn', 'AccountChangeEvent'),
      'platformEventChannelMembers/Two.platformEventChannelMember': member('Told__chn', 'Part__ChangeEvent'),
      'platformEventChannelMembers/Own.platformEventChannelMember': member(
        'ChangeEvents',
        'Part__ChangeEvent',
      ),
      'platformEventChannelMembers/Like.platformEventChannelMember': member(
        'Told_A__chn',
        'Part__ChangeEvent',
      ),
      'platformEventChannelMembers/Alike.platformEventChannelMember': member(
        'Told__chn',
        'A_Part__ChangeEvent',
      ),
    })
    assert.equal(made.status, 'Succeeded')
    const objects = async () => (await o.call('GET', '/setup/orgs/current/schema')).body.objects
    const { Part__c, A_Part__c } = await objects()
    assert.deepEqual([Part__c.changeEvents, A_Part__c.channels], [true, { Told__chn: [] }])
    const remove = async (types: Readonly<Record<string, readonly string[]>>) =>
      deployFiles(o, { 'destructiveChanges.xml': manifest(types) }, IGNORING)
    const named = (...names: readonly string[]) => remove({ PlatformEventChannelMember: names })
    assert.deepEqual(componentsOf(await named('Told_AccountChangeEvent', 'Told_AccountChangeEvent')), {
      'PlatformEventChannelMember Told_AccountChangeEvent':
        'Warning: No PlatformEventChannelMember named: Told_AccountChangeEvent found',
    })
    assert.deepEqual(
      componentsOf(await named('Told_chn_Part_ChangeEvent', 'ChangeEvents_Part__ChangeEvent')),
      {
        'PlatformEventChannelMember Told_chn_Part_ChangeEvent': 'deleted',
        'PlatformEventChannelMember ChangeEvents_Part__ChangeEvent': 'deleted',
      },
    )
    const several = await named('Told_A_Part__ChangeEvent')
    assert.equal(several.errorStatusCode, 'INVALID_INPUT')
    assert.match(several.errorMessage, /is the name of several: /)
    const channels = await remove({ PlatformEventChannel: ['told__CHN', 'Never__chn', 'ChangeEvents'] })
    assert.deepEqual(componentsOf(channels), {
      'PlatformEventChannel told__CHN': 'deleted',
      'PlatformEventChannel Never__chn': 'Warning: No PlatformEventChannel named: Never__chn found',
      'PlatformEventChannel ChangeEvents': 'Warning: No PlatformEventChannel named: ChangeEvents found',
    })
    assert.deepEqual(componentsOf(await named('Told_A_Part__ChangeEvent')), {
      'PlatformEventChannelMember Told_A_Part__ChangeEvent': 'deleted',
    })
    const left = await objects()
    for (const name of ['Account', 'Part__c', 'A_Part__c']) {
      const { channels, changeEvents } = left[name] ?? {}
      assert.deepEqual([name, channels, changeEvents], [name, undefined, undefined])
    }
  })

  test('fails a member of a channel that it deletes', async () => {
    const result = await deployFiles(o, {
      'platformEventChannelMembers/Lost.platformEventChannelMember': metadataFile(
        'PlatformEventChannelMember',
        '<eventChannel>Lost__chn</eventChannel><selectedEntity>AccountChangeEvent</selectedEntity>',
      ),
      'destructiveChanges.xml': manifest({ PlatformEventChannel: ['Lost__chn'] }),
    })
    assert.equal(result.status, 'Failed')
    assert.equal(
      componentsOf(result)['PlatformEventChannelMember Lost'],
      'Error: Lost cannot be a PlatformEventChannelMember here',
    )
  })

  test('fails for what is not there to delete, unless it ignores warnings', async () => {
    const files = {
      'objects/Part__c.object': object(field('Added__c')),
      'destructiveChanges.xml': manifest({ CustomField: ['Part__c.Never__c'], CustomObject: ['Account'] }),
    }
    const outcomeOf = async (options: object) => {
      const { status, success, numberComponentErrors, details } = await deployFiles(o, files, options)
      const failed = details.componentFailures.map(
        (one: { fullName: string; problemType: string; success: boolean }) => [
          one.fullName,
          one.problemType,
          one.success,
        ],
      )
      return { status, success, numberComponentErrors, failed }
    }
    const failed = [
      ['Part__c.Never__c', 'Warning', false],
      ['Account', 'Warning', false],
    ]
    assert.deepEqual(await outcomeOf({ rollbackOnError: true }), {
      ...{ status: 'Failed', success: false, numberComponentErrors: 2 },
      failed,
    })
    assert.deepEqual(await outcomeOf({ rollbackOnError: true, checkOnly: true }), {
      ...{ status: 'Failed', success: false, numberComponentErrors: 2 },
      failed,
    })
    assert.ok(!(await fieldsOf('Part__c')).includes('Added__c'))
    assert.deepEqual(await outcomeOf({ rollbackOnError: false }), {
      ...{ status: 'SucceededPartial', success: true, numberComponentErrors: 2 },
      failed,
    })
    assert.ok((await fieldsOf('Part__c')).includes('Added__c'))
    assert.deepEqual(await outcomeOf(IGNORING), {
      ...{ status: 'Succeeded', success: true, numberComponentErrors: 0 },
      failed: [],
    })
  })

  test('succeeds with what is merely noted, whether it ignores warnings or not', async () => {
    const result = await deployFiles(
      o,
      {
        'objects/Part__c.object': object('<fieldSets><fullName>Few</fullName><label>Few</label></fieldSets>'),
      },
      { rollbackOnError: true, ignoreWarnings: false },
    )
    assert.equal(result.status, 'Succeeded')
    assert.equal(
      componentsOf(result)['FieldSet Part__c.Few'],
      'Warning: FieldSet is not supported here: left out',
    )
  })
})

test('a type without a place is deleted with a warning alone where the setting says so', async () => {
  const lenient = await openOrg({ settings: { unsupportedMetadata: 'warn' } })
  const result = await deployFiles(lenient, {
    'destructiveChanges.xml': manifest({ ApexClass: ['Work'] }),
  })
  assert.equal(result.status, 'Succeeded')
  assert.deepEqual(componentsOf(result), { 'ApexClass Work': 'Warning: ApexClass cannot be deleted here' })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { makeArchive, manifest, metadataFile } from '../support/archive.ts'
import { awaitDeploy, componentsOf, deployFiles, sendArchive } from '../support/archive-deploys.ts'
import { type Answer, openOrg, type TestOrg } from '../support/org.ts'
import { addPerson, type Person } from '../support/people.ts'
import { restoreSnapshot, saveSnapshot } from '../support/snapshots.ts'

const field = (name: string, rest = '<type>Text</type><length>20</length>') =>
  `<fields><fullName>${name}</fullName><label>${name.replace('__c', '')}</label>${rest}</fields>`

const OWN = `<label>Part</label><pluralLabel>Parts</pluralLabel><deploymentStatus>Deployed</deploymentStatus>
<sharingModel>ReadWrite</sharingModel><nameField><label>Name</label><type>Text</type></nameField>`

const object = (...inside: readonly string[]) => metadataFile('CustomObject', inside.join('\n'))

const PACKAGE = { 'package.xml': manifest({ CustomObject: ['*'] }) }

const RULE = `<validationRules><fullName>Needs_code</fullName><active>true</active>
<errorConditionFormula>ISBLANK(Code__c)</errorConditionFormula><errorMessage>No code</errorMessage></validationRules>`

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const fieldsOf = async (name: string): Promise<string[]> => {
  const { body } = await o.call('GET', `/sobjects/${name}/describe`)
  return body.fields.map((one: { name: string }) => one.name).filter((one: string) => one.endsWith('__c'))
}

describe('a deployment of an archive', () => {
  test('makes objects, and says of each component what became of it', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c.object': object(OWN, field('Code__c'), RULE),
    })
    assert.equal(result.status, 'Succeeded')
    assert.deepEqual(componentsOf(result), {
      'CustomObject Part__c': 'created',
      'CustomField Part__c.Code__c': 'created',
      'ValidationRule Part__c.Needs_code': 'created',
    })
    assert.deepEqual(
      [result.numberComponentsTotal, result.numberComponentsDeployed, result.numberComponentErrors],
      [3, 3, 0],
    )
    const refused = await o.call('POST', '/sobjects/Part__c', { body: { Name: 'A' } })
    assert.equal(refused.body[0].errorCode, 'FIELD_CUSTOM_VALIDATION_EXCEPTION')
    const { status } = await o.call('POST', '/sobjects/Part__c', { body: { Name: 'A', Code__c: '1' } })
    assert.equal(status, 201)
  })

  test('changes nothing when it is repeated', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c.object': object(OWN, field('Code__c'), RULE),
    })
    assert.deepEqual(new Set(Object.values(componentsOf(result))), new Set(['unchanged']))
  })

  test('leaves what it does not name as it is', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'unpackaged/objects/Part__c.object': object(
        field('Twice__c', '<type>Text</type><formula>Code__c &amp; Code__c</formula>'),
      ),
    })
    assert.deepEqual(componentsOf(result)['CustomField Part__c.Twice__c'], 'created')
    const { body } = await o.call('GET', '/sobjects/Part__c/describe')
    assert.deepEqual([body.label, body.labelPlural], ['Part', 'Parts'])
    assert.deepEqual((await fieldsOf('Part__c')).sort(), ['Code__c', 'Twice__c'])
    const refused = await o.call('POST', '/sobjects/Part__c', { body: { Name: 'A' } })
    assert.equal(refused.body[0].errorCode, 'FIELD_CUSTOM_VALIDATION_EXCEPTION')
  })

  test('takes files in source format too', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c/fields/Weight__c.field-meta.xml': metadataFile(
        'CustomField',
        '<fullName>Weight__c</fullName><label>Weight</label><type>Number</type><precision>8</precision><scale>2</scale>',
      ),
    })
    assert.deepEqual(componentsOf(result), { 'CustomField Part__c.Weight__c': 'created' })
  })

  test('is all or nothing, with the place of what is wrong', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c.object': object(
        field('Good__c'),
        field(
          'Bad__c',
          '<type>Number</type><precision>8</precision><scale>0</scale><formula>1 +\n Nope__c</formula>',
        ),
      ),
      'classes/Work.cls': 'public class Work {}',
      'classes/Work.cls-meta.xml': metadataFile('ApexClass', ''),
    })
    assert.equal(result.status, 'Failed')
    assert.equal(result.success, false)
    const said = componentsOf(result)
    assert.match(said['CustomField Part__c.Bad__c']!, /^Error: Field Nope__c does not exist/)
    assert.equal(said['ApexClass Work'], 'Error: ApexClass is not supported here')
    const bad = result.details.componentFailures.find(
      (one: { fullName: string }) => one.fullName === 'Part__c.Bad__c',
    )
    assert.deepEqual([bad.lineNumber, bad.columnNumber, bad.fileName], [5, 2, 'objects/Part__c.object'])
    assert.match(bad.problem, / In: 1 \+ Nope__c, at 2:2$/)
    assert.ok(!(await fieldsOf('Part__c')).includes('Good__c'))
  })

  test('names the place in a formula, or that of the formula where its file has it otherwise', async () => {
    const result = await deployFiles(o, {
      'objects/Part__c/fields/Joined__c.field-meta.xml': metadataFile(
        'CustomField',
        `<fullName>Joined__c</fullName>
    <formula>
        Code__c &amp;&#10;&quot;&lt;&quot; &amp; Nope__c</formula>
    <type>Text</type>`,
      ),
      'objects/Part__c.object': object(
        field('Given__c', '<type>Text</type><length>20</length>\r\n<defaultValue>  Nope__c</defaultValue>'),
        field('Open__c', '<type>Text</type><formula>Code__c &amp</formula>'),
        RULE.replace('ISBLANK(Code__c)', '<![CDATA[ISBLANK(Nope__c)]]>'),
      ),
    })
    const places = result.details.componentFailures.map(
      (one: { fullName: string; lineNumber?: number; columnNumber?: number; problem: string }) => [
        one.fullName,
        [one.lineNumber, one.columnNumber, / at \d+:\d+$/.exec(one.problem)?.[0]],
      ],
    )
    assert.deepEqual(Object.fromEntries(places), {
      'Part__c.Joined__c': [5, 50, ' at 2:7'],
      'Part__c.Given__c': [4, 17, ' at 1:1'],
      // Where the place in the formula is not known, that of the formula.
      'Part__c.Open__c': [5, 82, ' at 1:10'],
      'Part__c.Needs_code': [7, 24, ' at 1:9'],
    })
  })

  test('deploys the rest where the archive says so', async () => {
    const result = await deployFiles(
      o,
      {
        ...PACKAGE,
        'objects/Part__c.object': object(
          field('Good__c'),
          field(
            'Bad__c',
            '<type>Number</type><precision>8</precision><scale>0</scale><formula>Nope__c</formula>',
          ),
        ),
      },
      { rollbackOnError: false },
    )
    assert.equal(result.status, 'SucceededPartial')
    const fields = await fieldsOf('Part__c')
    assert.deepEqual([fields.includes('Good__c'), fields.includes('Bad__c')], [true, false])
  })

  test('only checks where the archive says so, and is carried out later without it', async () => {
    const files = { ...PACKAGE, 'objects/Part__c.object': object(field('Later__c')) }
    const checked = await deployFiles(o, files, { checkOnly: true, rollbackOnError: true })
    assert.deepEqual([checked.status, checked.checkOnly], ['Succeeded', true])
    assert.ok(!(await fieldsOf('Part__c')).includes('Later__c'))
    const { status, body } = await o.call('POST', '/metadata/deployRequest', {
      body: { validatedDeployRequestId: checked.id },
    })
    assert.equal(status, 201)
    assert.equal((await awaitDeploy(o, body.id)).status, 'Succeeded')
    assert.ok((await fieldsOf('Part__c')).includes('Later__c'))
  })

  test('of more than a megabyte waits in the database as a smaller one does', async () => {
    const rest = `<!-- ${randomBytes(1_500_000).toString('hex')} -->`
    const files = { ...PACKAGE, 'objects/Part__c.object': object(field('Heavy__c'), rest) }
    assert.ok((await makeArchive(files)).length > 1_200_000)
    const checked = await deployFiles(o, files, { checkOnly: true, rollbackOnError: true })
    assert.equal(checked.status, 'Succeeded')
    const { body } = await o.call('POST', '/metadata/deployRequest', {
      body: { validatedDeployRequestId: checked.id },
    })
    assert.equal((await awaitDeploy(o, body.id)).status, 'Succeeded')
    assert.ok((await fieldsOf('Part__c')).includes('Heavy__c'))
  })

  test('changes value sets and records of types that are there already', async () => {
    const set = (...values: readonly string[]) =>
      metadataFile(
        'GlobalValueSet',
        `<masterLabel>H</masterLabel><sorted>false</sorted>${values.map((one) => `<customValue><fullName>${one}</fullName><default>false</default><label>${one}</label></customValue>`).join('')}`,
      )
    const picklist = '<type>Picklist</type><valueSet><valueSetName>H</valueSetName></valueSet>'
    await deployFiles(o, {
      'objects/Part__c.object': object(field('H__c', picklist)),
      'objects/Cfg__mdt.object': metadataFile(
        'CustomObject',
        `<label>Cfg</label><pluralLabel>Cfgs</pluralLabel>${field('V__c')}`,
      ),
      'globalValueSets/H.globalValueSet': set('a', 'b'),
    })
    const result = await deployFiles(o, {
      'globalValueSets/H.globalValueSet': set('a', 'b', 'c'),
      'customMetadata/Cfg.One.md': metadataFile(
        'CustomMetadata',
        '<label>One</label><values><field>V__c</field><value>x</value></values>',
      ),
    })
    assert.deepEqual(componentsOf(result), {
      'GlobalValueSet H': 'changed',
      'CustomMetadata Cfg.One': 'created',
    })
    const { body } = await o.call('GET', '/sobjects/Part__c/describe')
    const { picklistValues } = body.fields.find(({ name }: { name: string }) => name === 'H__c')
    assert.deepEqual(
      picklistValues.map(({ value }: { value: string }) => value),
      ['a', 'b', 'c'],
    )
    const found = await o.call('GET', '/query?q=SELECT+DeveloperName,V__c+FROM+Cfg__mdt')
    assert.deepEqual(
      found.body.records.map(({ V__c }: { V__c: string }) => V__c),
      ['x'],
    )
  })

  test('fails where a component has a name that it cannot have', async () => {
    const result = await deployFiles(o, {
      'objects/Part__c.object': object(field('toString'), field('New__c')),
      'globalValueSets/constructor.globalValueSet': metadataFile(
        'GlobalValueSet',
        '<masterLabel>C</masterLabel>',
      ),
    })
    assert.equal(result.status, 'Failed')
    assert.match(componentsOf(result)['CustomField Part__c.toString']!, /^Error: /)
    assert.equal(result.numberComponentsDeployed, 0)
  })

  test('fails a file whose name cannot be, and judges the others as usual', async () => {
    const set = (label: string) => metadataFile('PermissionSet', `<label>${label}</label>`)
    const values = metadataFile('GlobalValueSet', '<masterLabel>V</masterLabel>')
    const long = 'x'.repeat(81)
    const result = await deployFiles(
      o,
      {
        'permissionsets/Fine.permissionset': set('Fine'),
        'permissionsets/No%00.permissionset': set('No'),
        'permissionsets/Twin.permissionset': set('Twin'),
        'permissionsets/twin.permissionset': set('twin'),
        [`permissionsets/${long}.permissionset`]: set('Long'),
        'profiles/No%00.profile': metadataFile('Profile', ''),
        'globalValueSets/__proto__.globalValueSet': values,
      },
      { rollbackOnError: false },
    )
    assert.equal(result.status, 'SucceededPartial')
    const failures = result.details.componentFailures.map((one: { fileName: string; problem: string }) => [
      one.fileName,
      one.problem,
    ])
    assert.deepEqual(Object.fromEntries(failures), {
      'permissionsets/No%00.permissionset': 'the whole: has a character that is none',
      'profiles/No%00.profile': 'the whole: has a character that is none',
      'permissionsets/twin.permissionset':
        'permissionsets/Twin.permissionset and permissionsets/twin.permissionset: what one of them grants is granted; the whole: Twin is the same one: case makes no difference',
      [`permissionsets/${long}.permissionset`]: 'the whole: the name is longer than 80 characters',
    })
    const states = componentsOf(result)
    assert.deepEqual([states['PermissionSet Fine'], states['PermissionSet Twin']], ['created', 'created'])
  })

  test('grants what its permission sets say', async () => {
    const result = await deployFiles(o, {
      'package.xml': manifest({ PermissionSet: ['Parts'] }),
      'permissionsets/Parts.permissionset': metadataFile(
        'PermissionSet',
        `<label>Parts</label><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>
        <fieldPermissions><field>Part__c.Good__c</field><readable>true</readable><editable>false</editable></fieldPermissions>`,
      ),
    })
    assert.deepEqual(componentsOf(result), { 'PermissionSet Parts': 'created' })
    const { body } = await o.call(
      'GET',
      `/query?q=${encodeURIComponent("SELECT Field FROM FieldPermissions WHERE Parent.Name = 'Parts'")}`,
    )
    assert.deepEqual(
      body.records.map((one: { Field: string }) => one.Field),
      ['Part__c.Good__c'],
    )
  })

  test('says which channels of events are new, and whether their members changed', async () => {
    const member = (...enriched: readonly string[]) =>
      metadataFile(
        'PlatformEventChannelMember',
        `${enriched.map((name) => `<enrichedFields><name>${name}</name></enrichedFields>`).join('')}<eventChannel>Partner__chn</eventChannel><selectedEntity>AccountChangeEvent</selectedEntity>`,
      )
    const deployed = async (...enriched: readonly string[]) =>
      componentsOf(
        await deployFiles(o, {
          ...PACKAGE,
          'platformEventChannels/Partner__chn.platformEventChannel': metadataFile(
            'PlatformEventChannel',
            '<channelType>data</channelType><label>Partner</label>',
          ),
          'platformEventChannelMembers/Told.platformEventChannelMember': member(...enriched),
          'platformEventChannelMembers/Own.platformEventChannelMember': metadataFile(
            'PlatformEventChannelMember',
            '<eventChannel>ChangeEvents</eventChannel><selectedEntity>Part__ChangeEvent</selectedEntity>',
          ),
        }),
      )
    const names = [
      'PlatformEventChannel Partner__chn',
      'PlatformEventChannelMember Told',
      'PlatformEventChannelMember Own',
    ]
    const become = (...states: readonly string[]) =>
      Object.fromEntries(names.map((name, index) => [name, states[index]]))
    assert.deepEqual(await deployed(), become('created', 'created', 'created'))
    assert.deepEqual(await deployed(), become('unchanged', 'unchanged', 'unchanged'))
    assert.deepEqual(await deployed('Industry'), become('unchanged', 'changed', 'unchanged'))
    const second = await deployFiles(o, {
      ...PACKAGE,
      'platformEventChannelMembers/Second.platformEventChannelMember': metadataFile(
        'PlatformEventChannelMember',
        '<eventChannel>Second__chn</eventChannel><selectedEntity>AccountChangeEvent</selectedEntity>',
      ),
    })
    assert.deepEqual(componentsOf(second), { 'PlatformEventChannelMember Second': 'created' })
    // Other channels of the object stay as they are.
    assert.deepEqual(await deployed('Industry'), become('unchanged', 'unchanged', 'unchanged'))
    const lost = await deployFiles(o, {
      ...PACKAGE,
      'platformEventChannelMembers/Lost.platformEventChannelMember': metadataFile(
        'PlatformEventChannelMember',
        '<eventChannel>Partner__chn</eventChannel><selectedEntity>Lost__ChangeEvent</selectedEntity>',
      ),
    })
    assert.deepEqual(componentsOf(lost), {
      'PlatformEventChannelMember Lost': 'Error: without Lost__c, which is not here',
    })
  })

  test('is refused as a whole where data would be lost that it does not name', async () => {
    await o.call('POST', '/sobjects/Part__c', { body: { Name: 'A', Code__c: '1', Good__c: 'no date' } })
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c.object': object(field('Good__c', '<type>Date</type>')),
    })
    assert.equal(result.status, 'Failed')
    assert.match(componentsOf(result)['CustomField Part__c.Good__c']!, /^Error: Part__c.Good__c: /)
    const [failure] = result.details.componentFailures
    const { fileName, lineNumber, columnNumber } = failure
    assert.deepEqual([fileName, lineNumber, columnNumber], ['objects/Part__c.object', 3, 9])
  })

  test('names the place of a property', async () => {
    const children = '<relationshipName>Ours</relationshipName>'
    const lookup = `<type>Lookup</type><referenceTo>Part__c</referenceTo>`
    const result = await deployFiles(o, {
      'objects/Part__c.object': object(
        field('Far__c', `${lookup}${children}`),
        field('Near__c', `${lookup}\n  ${children}`),
      ),
    })
    assert.deepEqual(Object.keys(componentsOf(result)), [
      'CustomObject Part__c',
      'CustomField Part__c.Far__c',
      'CustomField Part__c.Near__c',
    ])
    const [{ lineNumber, columnNumber, problem }] = result.details.componentFailures
    assert.deepEqual([lineNumber, columnNumber], [5, 21], problem)
  })

  test('deploys the rest without what data is in the way of, and without what needs it', async () => {
    const files = {
      'objects/Part__c.object': object(
        field('Good__c', '<type>Date</type>'),
        field('Free__c'),
        field('Next__c', '<type>Date</type><formula>Good__c + 1</formula>'),
      ),
      'permissionsets/Free.permissionset': metadataFile(
        'PermissionSet',
        `<label>Free</label><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>
        <fieldPermissions><field>Part__c.Free__c</field><readable>true</readable><editable>false</editable></fieldPermissions>`,
      ),
      'permissionsets/Next.permissionset': metadataFile(
        'PermissionSet',
        `<label>Next</label><objectPermissions><allowRead>true</allowRead><object>Part__c</object></objectPermissions>
        <fieldPermissions><field>Part__c.Next__c</field><readable>true</readable><editable>false</editable></fieldPermissions>`,
      ),
    }
    const result = await deployFiles(o, files, { rollbackOnError: false })
    const said = componentsOf(result)
    assert.equal(result.status, 'SucceededPartial')
    assert.match(said['CustomField Part__c.Good__c']!, /^Error: Part__c.Good__c: /)
    assert.match(said['CustomField Part__c.Next__c']!, /^Error: objects.Part__c.fields.Next__c.formula:1:/)
    assert.match(said['PermissionSet Next']!, /^Error: .*Part__c has no field Next__c/)
    const places = result.details.componentFailures.map(
      ({ fileName, lineNumber, columnNumber }: Record<string, unknown>) => [
        fileName,
        lineNumber,
        columnNumber,
      ],
    )
    assert.deepEqual(places, [
      ['objects/Part__c.object', 3, 9],
      ['objects/Part__c.object', 5, 92],
      ['permissionsets/Next.permissionset', 2, 64],
    ])
    assert.equal(said['CustomField Part__c.Free__c'], 'created')
    assert.equal(said['PermissionSet Free'], 'created')
    assert.equal(said['CustomObject Part__c'], 'unchanged')
    const fields = await fieldsOf('Part__c')
    assert.deepEqual([fields.includes('Free__c'), fields.includes('Next__c')], [true, false])
  })

  test('changes the picklists of a standard value set, which fails by itself', async () => {
    const valueSet = (isDefault: boolean) => ({
      ...PACKAGE,
      'standardValueSets/Industry.standardValueSet': metadataFile(
        'StandardValueSet',
        ['Mining', 'Fishing']
          .map(
            (value) =>
              `<standardValue><fullName>${value}</fullName><default>${isDefault}</default></standardValue>`,
          )
          .join(''),
      ),
    })
    const valuesOf = async (name: string) => {
      const { body } = await o.call('GET', `/sobjects/${name}/describe`)
      const field = body.fields.find((one: { name: string }) => one.name === 'Industry')
      return field.picklistValues.map(({ value }: { value: string }) => value)
    }
    const outcomeOf = async (files: Record<string, string>, options = {}) =>
      componentsOf(await deployFiles(o, files, options))['StandardValueSet Industry']
    assert.equal(await outcomeOf(valueSet(false)), 'changed')
    assert.deepEqual(await valuesOf('Account'), ['Mining', 'Fishing'])
    assert.deepEqual(await valuesOf('Lead'), ['Mining', 'Fishing'])
    assert.equal(await outcomeOf(valueSet(false)), 'unchanged')
    const mixed = {
      ...valueSet(true),
      'objects/Part__c.object': object(OWN, field('Industrial__c')),
    }
    const said = componentsOf(await deployFiles(o, mixed, { rollbackOnError: false }))
    assert.match(said['StandardValueSet Industry']!, /^Error: /)
    assert.equal(said['CustomField Part__c.Industrial__c'], 'created')
    assert.deepEqual(await valuesOf('Account'), ['Mining', 'Fishing'])
  })

  test('names the file and the line of what is no XML', async () => {
    const result = await deployFiles(o, {
      ...PACKAGE,
      'objects/Part__c.object': '<CustomObject>\n<label>\n</CustomObject>',
    })
    const [failure] = result.details.componentFailures
    assert.deepEqual([failure.componentType, failure.fileName], ['CustomObject', 'objects/Part__c.object'])
    assert.ok(failure.lineNumber >= 1)
  })
})

test('a restored org has forgotten its deployments, and takes new ones', async () => {
  const other = await openOrg()
  await saveSnapshot(other, 'empty')
  const files = { ...PACKAGE, 'objects/Part__c.object': object(OWN, field('Code__c')) }
  const first = await deployFiles(other, files)
  await restoreSnapshot(other, 'empty')
  assert.equal((await other.call('GET', `/metadata/deployRequest/${first.id}`)).status, 404)
  assert.equal((await deployFiles(other, files)).status, 'Succeeded')
})

test('only administrators deploy: an archive grants permissions', async () => {
  const person = await addPerson(o, 'reader')
  const { status, body } = await person.call('GET', '/metadata/deployRequest/0AfOB0000000001AAA')
  assert.deepEqual([status, body[0].errorCode], [403, 'INSUFFICIENT_ACCESS'])
})

describe('whoever may no longer deploy when it begins', () => {
  const fields = Array.from({ length: 400 }, (_, n) => field(`F${n}__c`))

  /** A deployment of a person who may not deploy any more while it waits. */
  async function withdrawnBy(name: string, withdraw: (org: TestOrg, person: Person) => Promise<Answer>) {
    const org = await openOrg()
    const administrator = { PermissionsCustomizeApplication: true, PermissionsManageUsers: true }
    const person = await addPerson(org, name)
    const path = `/sobjects/Profile/${person.profileId}`
    assert.equal((await org.call('PATCH', path, { body: administrator })).status, 204)
    const archive = await makeArchive({ 'objects/Part__c.object': object(OWN, field('Code__c')) })
    const long = await makeArchive({ 'objects/Long__c.object': object(OWN, ...fields) })
    for (const _ of [1, 2, 3]) assert.equal((await sendArchive(org, long)).status, 201)
    const sent = await sendArchive(person.org, archive)
    assert.equal(sent.status, 201, sent.text)
    assert.equal((await withdraw(org, person)).status, 204)
    const state = await org.call('GET', `/metadata/deployRequest/${sent.body.id}`)
    assert.equal(state.body.deployResult.status, 'Pending')
    const result = await awaitDeploy(org, sent.body.id)
    assert.deepEqual([result.status, result.errorStatusCode], ['Failed', 'INSUFFICIENT_ACCESS'])
    assert.equal((await org.call('GET', '/sobjects/Part__c/describe')).status, 404)
  }

  test('deploys nothing: the user is inactive', () =>
    withdrawnBy('leaver', (org, { id }) =>
      org.call('PATCH', `/sobjects/User/${id}`, { body: { IsActive: false } }),
    ))

  test('deploys nothing: the permission is gone', () =>
    withdrawnBy('demoted', (org, { profileId }) =>
      org.call('PATCH', `/sobjects/Profile/${profileId}`, { body: { PermissionsManageUsers: false } }),
    ))
})

test('components without a place are warnings where the setting says so', async () => {
  const lenient = await openOrg({ settings: { unsupportedMetadata: 'warn' } })
  const result = await deployFiles(lenient, {
    ...PACKAGE,
    'objects/Part__c.object': object(OWN, field('Code__c')),
    'layouts/Part__c-Part Layout.layout': metadataFile('Layout', ''),
  })
  assert.equal(result.status, 'Succeeded')
  assert.equal(
    componentsOf(result)['Layout Part__c-Part Layout'],
    'Warning: Layout is not supported here: left out',
  )
})

test('each component without a place is named as the tools of the vendor name it', async () => {
  const result = await deployFiles(o, {
    ...PACKAGE,
    'lwc/tile/tile.js': '',
    'lwc/tile/utils/row.html': '',
    'staticresources/logo.resource': '',
    'staticresources/logo.resource-meta.xml': '',
    'documents/Letters/seal.gif': '',
    'documents/Letters/seal.gif-meta.xml': '',
    'reports/Sales/Open.report': '',
    'remoteSiteSettings/Maps.remoteSite': '',
    'objectTranslations/Part__c-de.objectTranslation': '',
    'digitalExperiences/site/Shop1/home/content.json': '',
    'digitalExperiences/site/Shop1/Shop1.digitalExperience-meta.xml': '',
    'experiences/Shop1/views/home.json': '',
    'experiences/Shop1.site-meta.xml': '',
    'workflows/Part__c.workflow': '',
  })
  assert.deepEqual(Object.keys(componentsOf(result)).sort(), [
    'CustomObjectTranslation Part__c-de',
    'DigitalExperienceBundle site/Shop1',
    'Document Letters/seal',
    'ExperienceBundle Shop1',
    'LightningComponentBundle tile',
    'RemoteSiteSetting Maps',
    'Report Sales/Open',
    'StaticResource logo',
    'Workflow Part__c',
  ])
})

test('fields of activities are those of tasks and of events, and are deployed and deleted with both', async () => {
  const files = {
    ...PACKAGE,
    'objects/Activity.object': object(
      field('Rank__c'),
      field(
        'Owner__c',
        '<type>Lookup</type><referenceTo>Contact</referenceTo><relationshipName>Ranks</relationshipName>',
      ),
    ),
  }
  const { 'CustomField Activity.Owner__c': said, ...rest } = componentsOf(await deployFiles(o, files))
  assert.match(said!, /^Warning: .*Tasks__r|^Warning: .*Ranks__r/)
  assert.deepEqual(rest, {
    'CustomObject Activity': 'Warning: its fields are fields of Task and of Event',
    'CustomField Activity.Rank__c': 'created',
  })
  const again = componentsOf(await deployFiles(o, files))
  assert.equal(again['CustomField Activity.Rank__c'], 'unchanged')
  const known = async () => (await Promise.all(['Task', 'Event'].map(fieldsOf))).map((one) => one.sort())
  const both = ['Owner__c', 'Rank__c']
  assert.deepEqual(await known(), [both, both])
  const deleted = await deployFiles(o, {
    'package.xml': manifest(),
    'destructiveChanges.xml': manifest({ CustomField: both.map((name) => `Activity.${name}`) }),
  })
  assert.deepEqual(componentsOf(deleted), {
    'CustomField Activity.Owner__c': 'deleted',
    'CustomField Activity.Rank__c': 'deleted',
  })
  assert.deepEqual(await known(), [[], []])
})

test('what is said of an object stands with it, not with a tab of its name', async () => {
  const lenient = await openOrg({ settings: { unsupportedMetadata: 'warn' } })
  const result = await deployFiles(lenient, {
    ...PACKAGE,
    'tabs/Part__c.tab': '',
    'objects/Part__c.object': object(OWN, '<searchLayouts/>', field('Code__c')),
  })
  assert.deepEqual(componentsOf(result), {
    'CustomTab Part__c': 'Warning: CustomTab is not supported here: left out',
    'CustomObject Part__c': 'Warning: searchLayouts',
    'CustomField Part__c.Code__c': 'created',
  })
  const { numberComponentsTotal, numberComponentsDeployed } = result
  assert.deepEqual([numberComponentsTotal, numberComponentsDeployed], [3, 3])
})

describe('an archive is refused', () => {
  test('that is none', async () => {
    const { status, body } = await sendArchive(o, Buffer.from('no archive'))
    assert.deepEqual([status, body[0].errorCode], [400, 'INVALID_INPUT'])
  })

  test('that is cut', async () => {
    const zip = await makeArchive({ 'package.xml': manifest() })
    const { body } = await sendArchive(o, zip.subarray(0, zip.length - 30))
    const result = await awaitDeploy(o, body.id)
    assert.deepEqual([result.status, result.errorStatusCode], ['Failed', 'INVALID_INPUT'])
  })

  test('whose file leads out of it', async () => {
    const zip = await makeArchive({ 'package.xml': manifest(), 'objects/AAAAAA.object': object(OWN) })
    const evil = Buffer.from(zip.toString('latin1').replaceAll('objects/AAAAAA', '../../../AAAAA'), 'latin1')
    const { body } = await sendArchive(o, evil)
    const result = await awaitDeploy(o, body.id)
    assert.deepEqual([result.status, result.errorStatusCode], ['Failed', 'INVALID_INPUT'])
    assert.match(result.errorMessage, /^The zip file cannot be read: invalid relative path/)
  })

  test('that becomes larger than its bounds', async () => {
    const { body } = await sendArchive(
      o,
      await makeArchive({
        'package.xml': manifest(),
        'objects/Big__c.object': Buffer.alloc(21 * 1024 * 1024, 32),
      }),
    )
    assert.equal((await awaitDeploy(o, body.id)).errorStatusCode, 'LIMIT_EXCEEDED')
  })
})

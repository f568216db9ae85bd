import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { manifest, metadataFile } from '../support/archive.ts'
import { fetchSteps } from '../support/deploying.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { textOf } from '../support/soap.ts'
import { callMetadata, deployBySoap, members, retrieveBySoap } from '../support/soap-metadata.ts'

/* What an archive deployed is retrieved as it was, and changes nothing when it is deployed again. */

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const PACKAGE = { 'package.xml': manifest() }

/** Deploys files that must be fine, and returns what is told of their components. */
async function deploy(files: Readonly<Record<string, string>>): Promise<string> {
  const { text, ...answer } = await deployBySoap(o, { ...PACKAGE, ...files })
  assert.equal(textOf({ ...answer, text }, 'status'), 'Succeeded', text)
  return text
}

async function assertUnchanged(files: Readonly<Record<string, string>>): Promise<void> {
  assert.doesNotMatch(await deploy(files), /<(?:created|changed)>true<|<problem>/)
}

const filter = (field: string, operation: string, value: string) =>
  `        <filters>
            <field>${field}</field>
            <operation>${operation}</operation>
            <value>${value}</value>
        </filters>`

/** List views as they are retrieved: their elements are in order. */
const OPEN = `    <listViews>
        <fullName>Open_Crates</fullName>
        <booleanFilter>1 AND (2 OR NOT 3)</booleanFilter>
        <columns>NAME</columns>
        <columns>Code__c</columns>
        <columns>OWNER.ALIAS</columns>
        <filterScope>Mine</filterScope>
${filter('Code__c', 'equals', 'a,&quot;b, c&quot;')}
${filter('Weight__c', 'greaterThan', '5.5')}
${filter('Code__c', 'notContain', 'x')}
        <label>What is open</label>
    </listViews>`
const ALL = `    <listViews>
        <fullName>Every_Crate</fullName>
        <filterScope>Everything</filterScope>
        <label>Every Crate</label>
    </listViews>`
const OF_ACCOUNT = `    <listViews>
        <fullName>Energy</fullName>
        <columns>ACCOUNT.NAME</columns>
        <columns>ACCOUNT.PHONE1</columns>
        <columns>CORE.USERS.ALIAS</columns>
        <filterScope>Everything</filterScope>
${filter('ACCOUNT.INDUSTRY', 'equals', 'Energy')}
        <label>Energy</label>
    </listViews>`

const CRATE = `<label>Crate</label><pluralLabel>Crates</pluralLabel><sharingModel>ReadWrite</sharingModel>
<nameField><label>Name</label><type>Text</type></nameField>
<fields><fullName>Code__c</fullName><label>Code</label><type>Text</type><length>20</length></fields>
<fields><fullName>Weight__c</fullName><label>Weight</label><type>Number</type><precision>8</precision><scale>2</scale></fields>`

const viewsIn = (text: string) => text.match(/ {4}<listViews>.*?<\/listViews>/gs)

const queryOf = async (object: string, view: string): Promise<string> =>
  (await o.call('GET', `/sobjects/${object}/listviews/${view}/describe`)).body.query

describe('list views', () => {
  before(async () => {
    const told = await deploy({
      'objects/Crate__c.object': metadataFile('CustomObject', [CRATE, ALL, OPEN].join('\n')),
      'objects/Account.object': metadataFile('CustomObject', OF_ACCOUNT),
    })
    assert.doesNotMatch(told, /<problem>/)
  })

  test('are retrieved with their objects, and change nothing when they are deployed again', async () => {
    const { files } = await retrieveBySoap(o, members('CustomObject', 'Crate__c', 'Account'))
    assert.deepEqual(viewsIn(files['unpackaged/objects/Crate__c.object']!), [ALL, OPEN])
    assert.deepEqual(viewsIn(files['unpackaged/objects/Account.object']!), [OF_ACCOUNT])
    assert.match(
      await queryOf('Crate__c', 'Open_Crates'),
      / USING SCOPE mine WHERE \(Code__c = 'a' OR Code__c = 'b, c'\) AND \(Weight__c > 5\.5 OR \(NOT \(NOT Code__c LIKE '%x%'\)\)\) ORDER /,
    )
    await assertUnchanged(files)
  })

  test('are retrieved alone, by name or all of them', async () => {
    const all = await retrieveBySoap(o, members('ListView', '*'))
    assert.deepEqual(viewsIn(all.files['unpackaged/objects/Crate__c.object']!), [ALL, OPEN])
    assert.match(
      all.files['unpackaged/package.xml']!,
      /<members>Account\.Energy<\/members>\s*<members>Crate__c\.Every_Crate<\/members>\s*<members>Crate__c\.Open_Crates<\/members>\s*<name>ListView</,
    )
    const { files, answer } = await retrieveBySoap(
      o,
      members('ListView', 'Crate__c.Open_Crates', 'Crate__c.Nope'),
    )
    assert.deepEqual(files['unpackaged/objects/Crate__c.object']!.match(/(?<=^ {4}<)\w+/gm), ['listViews'])
    assert.match(answer.text, /Entity of type 'ListView' named 'Crate__c\.Nope' cannot be found/)
    await assertUnchanged(files)
  })

  test('are listed and read', async () => {
    const listed = await callMetadata(
      o,
      '<listMetadata><queries><type>ListView</type></queries></listMetadata>',
    )
    assert.deepEqual(listed.text.match(/(?<=<fullName>)[^<]*/g)?.sort(), [
      'Account.Energy',
      'Crate__c.Every_Crate',
      'Crate__c.Open_Crates',
    ])
    const read = await callMetadata(
      o,
      '<readMetadata><type>ListView</type><fullNames>Account.Energy</fullNames></readMetadata>',
    )
    assert.match(
      read.text,
      /<records xsi:type="ListView"><fullName>Account\.Energy<\/fullName><columns>ACCOUNT\.NAME<\/columns>.*<filters><field>ACCOUNT\.INDUSTRY<\/field>/,
    )
  })

  test('of definition files keep what an archive cannot say of them', async () => {
    const org = await openOrg()
    const view = {
      columns: ['Name', 'Account__r.Industry', 'Code__c'],
      where: "Code__c NOT IN ('a', 'b') OR weight__c < 5 OR Weight__c = 7",
      orderBy: 'Code__c DESC NULLS LAST',
    }
    const listViews = {
      Some: { ...view, where: view.where.replace('weight__c < 5 OR ', '') },
      Odd: { where: "Name LIKE '%a'" },
    }
    await fetchSteps(org, {
      Crate__c: {
        fields: {
          Code__c: { type: 'string', length: 20 },
          Weight__c: { type: 'double', precision: 8, scale: 2 },
          Account__c: { type: 'reference', to: 'Account', children: 'Crates__r' },
        },
        listViews,
      },
    })
    const { files } = await retrieveBySoap(org, members('CustomObject', 'Crate__c'))
    assert.match(files['unpackaged/objects/Crate__c.object']!, /<booleanFilter>1 OR 2<\/booleanFilter>/)
    assert.doesNotMatch(files['unpackaged/objects/Crate__c.object']!, /Odd/)
    const again = await deployBySoap(org, files)
    assert.equal(textOf(again, 'status'), 'Succeeded', again.text)
    assert.doesNotMatch(again.text, /<(?:created|changed)>true</)
    const { body } = await org.call('GET', '/setup/orgs/current/schema')
    assert.deepEqual(body.objects.Crate__c.listViews, listViews)
  })
})

describe('labels', () => {
  const LABELS = `    <labels>
        <fullName>Bye</fullName>
        <categories>Greetings,Ends</categories>
        <language>de</language>
        <protected>true</protected>
        <shortDescription>Said at the end</shortDescription>
        <value>Auf &lt;Wiedersehen&gt;</value>
    </labels>
    <labels>
        <fullName>Hello</fullName>
        <language>en_US</language>
        <protected>false</protected>
        <shortDescription>Hello</shortDescription>
        <value>Hi you</value>
    </labels>
`
  const PATH = 'labels/CustomLabels.labels'
  const fetchLabels = async () => {
    const { files } = await retrieveBySoap(o, members('CustomLabels', 'CustomLabels'))
    return files[`unpackaged/${PATH}`]!
  }

  test('are retrieved with their categories, language, protection and description', async () => {
    const written = LABELS.replace('Hi you', 'Hi <![CDATA[you]]>')
    assert.doesNotMatch(await deploy({ [PATH]: metadataFile('CustomLabels', written) }), /<problem>/)
    const retrieved = await fetchLabels()
    assert.equal(retrieved.match(/ {4}<labels>.*<\/labels>\n/s)![0], LABELS)
    await assertUnchanged({ [PATH]: retrieved })
  })

  test('are records with these as fields, and change by the file', async () => {
    const { body } = await o.call(
      'GET',
      '/query?q=SELECT+Text__c,Categories__c,Protected__c+FROM+Label__mdt+ORDER+BY+DeveloperName',
    )
    assert.deepEqual(
      body.records.map(({ attributes: _, ...record }: { attributes: unknown }) => record),
      [
        { Text__c: 'Auf <Wiedersehen>', Categories__c: 'Greetings,Ends', Protected__c: true },
        { Text__c: 'Hi you', Categories__c: null, Protected__c: false },
      ],
    )
    const plain = LABELS.replace(/ {8}<categories>.*<\/categories>\n/, '').replace('>true<', '>false<')
    await deploy({ [PATH]: metadataFile('CustomLabels', plain) })
    assert.ok((await fetchLabels()).includes(plain))
  })
})

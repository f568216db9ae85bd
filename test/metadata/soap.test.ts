import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { manifest, metadataFile } from '../support/archive.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { assertFault, textOf } from '../support/soap.ts'
import {
  awaitSoapDeploy,
  callMetadata,
  deployBySoap,
  members,
  retrieveBySoap,
} from '../support/soap-metadata.ts'

let o: TestOrg

before(async () => {
  o = await openOrg()
})

const call = (xml: string, token?: string) => callMetadata(o, xml, token)
const deploy = (files: Readonly<Record<string, string>>) => deployBySoap(o, files)
const retrieve = (types: string, rest?: string) => retrieveBySoap(o, types, rest)

const OBJECT = metadataFile(
  'CustomObject',
  `<label>Crate</label><pluralLabel>Crates</pluralLabel><sharingModel>ReadWrite</sharingModel>
  <nameField><label>Name</label><type>Text</type></nameField>
  <fields><fullName>Code__c</fullName><label>Code</label><type>Text</type><length>20</length></fields>`,
)

describe('the SOAP API for metadata', () => {
  test('deploys an archive, and says what became of it', async () => {
    const answer = await deploy({ 'package.xml': manifest(), 'objects/Crate__c.object': OBJECT })
    assert.equal(textOf(answer, 'status'), 'Succeeded', answer.text)
    assert.match(answer.text, /<componentSuccesses><fullName>Crate__c\.Code__c<\/fullName>/)
    assert.equal(
      (await o.call('POST', '/sobjects/Crate__c', { body: { Name: 'A', Code__c: '1' } })).status,
      201,
    )
  })

  test('retrieves what it deployed, which changes nothing when it is deployed again', async () => {
    const { files, answer } = await retrieve(members('CustomObject', 'Crate__c', 'Nope__c'))
    assert.deepEqual(Object.keys(files).sort(), [
      'unpackaged/objects/Crate__c.object',
      'unpackaged/package.xml',
    ])
    assert.match(files['unpackaged/objects/Crate__c.object']!, /<fullName>Code__c<\/fullName>/)
    assert.match(
      answer.text,
      /<problem>Entity of type 'CustomObject' named 'Nope__c' cannot be found<\/problem>/,
    )
    const again = await deploy(files)
    assert.equal(textOf(again, 'status'), 'Succeeded')
    assert.doesNotMatch(again.text, /<(?:created|changed)>true</)
    const many = Array.from({ length: 9000 }, (_, number) => `X${number}`)
    const prefixed = members('CustomObject', ...many, 'Crate__c')
      .replaceAll('members>', 'm:members>')
      .replace('<types>', '<types xmlns:m="http://soap.sforce.com/2006/04/metadata">')
      .replace('</m:members><m:members>', '</m:members >\n<!-- here -->\n  <m:members>')
    const found = await retrieve(prefixed)
    assert.ok(found.files['unpackaged/objects/Crate__c.object'])
    assert.equal([...found.answer.text.matchAll(/<problem>/g)].length, 9000)
    const single = await retrieve(members('CustomObject', '*'), '<singlePackage>true</singlePackage>')
    assert.deepEqual(Object.keys(single.files).sort(), ['objects/Crate__c.object', 'package.xml'])
  })

  test('keeps a carriage return that a file writes as a reference, and reads the ends of its lines as one', async () => {
    const file = metadataFile(
      'CustomLabels',
      '<labels><fullName>Lines</fullName><language>en_US</language><protected>false</protected><shortDescription>Lines</shortDescription><value>a&#13;\r\nb\rc<![CDATA[c\r\nd]]></value></labels>',
    )
    const first = await deploy({ 'package.xml': manifest(), 'labels/CustomLabels.labels': file })
    assert.equal(textOf(first, 'status'), 'Succeeded', first.text)
    const { files } = await retrieve(members('CustomLabels', 'CustomLabels'))
    assert.match(files['unpackaged/labels/CustomLabels.labels']!, /<value>a&#13;\nb\ncc\nd<\/value>/)
    const again = await deploy(files)
    assert.equal(textOf(again, 'status'), 'Succeeded')
    assert.doesNotMatch(again.text, /<(?:created|changed)>true</)
  })

  test('describes its types and lists their components', async () => {
    const described = await call('<describeMetadata><asOfVersion>64.0</asOfVersion></describeMetadata>')
    assert.match(described.text, /<childXmlNames>CustomField<\/childXmlNames>/)
    assert.match(described.text, /<directoryName>objects<\/directoryName>/)
    const listed = await call(
      '<listMetadata><queries><type>CustomField</type></queries><queries><type>CustomObject</type></queries></listMetadata>',
    )
    const names = [...listed.text.matchAll(/<fullName>([^<]*)</g)].map(([, name]) => name)
    assert.ok(names.includes('Crate__c') && names.includes('Crate__c.Code__c'), listed.text)
  })

  test('reads components as their files have them, and nothing for what is not there', async () => {
    const read = (type: string, ...names: string[]) =>
      call(
        `<readMetadata><type>${type}</type>${names.map((one) => `<fullNames>${one}</fullNames>`).join('')}</readMetadata>`,
      )
    const objects = await read('CustomObject', 'Never__c', 'Crate__c')
    assert.equal(objects.status, 200, objects.text)
    const [, records] = /<readMetadataResponse><result>(.*)<\/result>/s.exec(objects.text)!
    assert.match(records!, /^<records xsi:nil="true"\/><records xsi:type="CustomObject"><fullName>Crate__c</)
    assert.match(records!, /<fields><fullName>Code__c<\/fullName>.*<length>20<\/length>.*<\/fields>/)
    const field = await read('CustomField', 'Crate__c.Code__c')
    assert.match(field.text, /<records xsi:type="CustomField"><fullName>Crate__c.Code__c<\/fullName>/)
    assertFault(await read('Nothing', 'Crate__c'), 'INVALID_TYPE')
    assertFault(await read('CustomField', ...Array(11).fill('a.b')), 'LIMIT_EXCEEDED')
    assert.match(
      (await read('CustomField', '__proto__', '')).text,
      /<result>(<records xsi:nil="true"\/>){2}<\/result>/,
    )
  })

  test('cancels nothing that has ended', async () => {
    const done = await deploy({ 'package.xml': manifest() })
    const id = textOf(done, 'id')!
    assert.equal(textOf(await call(`<cancelDeploy><String>${id}</String></cancelDeploy>`), 'done'), 'true')
    assert.equal(textOf(await awaitSoapDeploy(o, id), 'status'), 'Succeeded')
  })

  test('answers as others do where the session has ended, the id is of nothing or the user may not', async () => {
    const check = '<checkDeployStatus><asyncProcessId>0AfOB0000000001AAA</asyncProcessId></checkDeployStatus>'
    assertFault(await call(check), 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id')
    assertFault(await call(check, 'no token'), 'INVALID_SESSION_ID')
    assertFault(
      await call('<createMetadata><type>CustomObject</type></createMetadata>'),
      'FUNCTIONALITY_NOT_ENABLED',
    )
    assertFault(await call('<nope/>'), 'XML_PARSER_ERROR')
  })

  test('bounds what is parsed, and takes no archive that is none', async () => {
    assertFault(
      await call(`<retrieve>${' '.repeat(300_000)}</retrieve>`),
      'REQUEST_BODY_TOO_LARGE',
      undefined,
      413,
    )
    assertFault(
      await call('<deploy><ZipFile>****</ZipFile></deploy>'),
      'INVALID_INPUT',
      'ZipFile is not base64.',
    )
    assertFault(
      await call('<deploy><ZipFile></ZipFile></deploy>'),
      'INVALID_INPUT',
      'The file is not a zip file.',
    )
    assertFault(await call('<deploy/>'), 'INVALID_INPUT', 'The call has no ZipFile.')
    assertFault(
      await call('<!-- <ZipFile>UEsDBA==</ZipFile> --><deploy/>'),
      'INVALID_INPUT',
      'The call has no ZipFile.',
    )
    const typed = await call('<deploy><ZipFile xsi:type="xsd:base64Binary">****</ZipFile></deploy>')
    assertFault(typed, 'INVALID_INPUT', 'ZipFile is not base64.')
  })
})

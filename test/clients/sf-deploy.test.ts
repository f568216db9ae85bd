import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { metadataFile } from '../support/archive.ts'
import { openSfClient, SF_NEEDED, type SfClient } from '../support/sf.ts'

let client: SfClient

const OBJECT = metadataFile(
  'CustomObject',
  `<label>Crate</label><pluralLabel>Crates</pluralLabel><deploymentStatus>Deployed</deploymentStatus><sharingModel>ReadWrite</sharingModel>
  <nameField><label>Name</label><type>Text</type></nameField>`,
)

const field = (name: string, rest = '<type>Text</type><length>20</length>') =>
  metadataFile('CustomField', `<fullName>${name}</fullName><label>${name}</label>${rest}`)

const FOLDER = 'force-app/main/default/objects/Crate__c'

describe('the sf command deploys', { ...SF_NEEDED, timeout: 600_000 }, () => {
  before(async () => {
    client = await openSfClient()
    const { sf } = client
    sf.write('sfdx-project.json', {
      packageDirectories: [{ path: 'force-app', default: true }],
      // As every new project has it; without it the command takes the address of the org for that of the log-in, and refuses it.
      sfdcLoginUrl: 'https://login.salesforce.com',
      sourceApiVersion: '64.0',
    })
    sf.write(`${FOLDER}/Crate__c.object-meta.xml`, OBJECT)
    sf.write(`${FOLDER}/fields/Code__c.field-meta.xml`, field('Code__c'))
  })

  after(() => client?.close())

  const names = (files: readonly { fullName: string; state: string }[]) =>
    Object.fromEntries(files.map(({ fullName, state }) => [fullName, state]))

  test('a project', async () => {
    const { status, result } = await client.sf.json('project', 'deploy', 'start', '--source-dir', 'force-app')
    assert.equal(status, 0, JSON.stringify(result))
    assert.deepEqual(names(result.files), { Crate__c: 'Created', 'Crate__c.Code__c': 'Created' })
    const again = await client.sf.json('project', 'deploy', 'start', '--source-dir', 'force-app')
    assert.deepEqual(names(again.result.files), { Crate__c: 'Unchanged', 'Crate__c.Code__c': 'Unchanged' })
  })

  test('what it has checked before', async () => {
    const { sf } = client
    sf.write(`${FOLDER}/fields/Size__c.field-meta.xml`, field('Size__c'))
    const checked = await sf.json(
      'project',
      'deploy',
      'validate',
      '--source-dir',
      'force-app',
      '--test-level',
      'RunLocalTests',
    )
    assert.equal(checked.status, 0, JSON.stringify(checked))
    const quick = await sf.json('project', 'deploy', 'quick', '--job-id', checked.result.id)
    assert.equal(quick.status, 0, JSON.stringify(quick))
    const report = await sf.json('project', 'deploy', 'report', '--job-id', quick.result.id)
    assert.equal(report.result.status, 'Succeeded')
  })

  test('nothing where a component is wrong, and says where', async () => {
    const { sf } = client
    sf.write(
      `${FOLDER}/fields/Bad__c.field-meta.xml`,
      field(
        'Bad__c',
        '<type>Number</type><precision>8</precision><scale>0</scale><formula>Nope__c</formula>',
      ),
    )
    const { status, result } = await sf.json('project', 'deploy', 'start', '--source-dir', 'force-app')
    assert.equal(status, 1)
    const failed = result.files.find(({ state }: { state: string }) => state === 'Failed')
    assert.equal(failed.fullName, 'Crate__c.Bad__c')
    assert.match(failed.error, /^Field Nope__c does not exist/)
  })

  test('and cancels what has not ended yet', async () => {
    const { sf } = client
    const started = await sf.json(
      ...['project', 'deploy', 'start', '--source-dir', `${FOLDER}/fields/Size__c.field-meta.xml`, '--async'],
    )
    assert.equal(started.status, 0, JSON.stringify(started))
    const { id } = started.result
    const canceled = await sf.json('project', 'deploy', 'cancel', '--job-id', id)
    const report = await sf.json('project', 'deploy', 'report', '--job-id', id)
    const { status } = report.result
    assert.ok(['Canceled', 'Succeeded'].includes(status), JSON.stringify(report))
    if (status === 'Canceled') assert.equal(canceled.status, 0, JSON.stringify(canceled))
    else assert.match(canceled.message, /cancel/i)
  })

  test('no code: it is told what code is here', async () => {
    const { sf } = client
    sf.write('hello.apex', "System.debug('hello');")
    const { result, data, ...rest } = await sf.json('apex', 'run', '--file', 'hello.apex')
    const said = result ?? data ?? rest
    assert.deepEqual([said.compiled, said.success], [false, false], JSON.stringify({ said, rest }))
    assert.match(JSON.stringify(said), /Code is TypeScript here: nothing is executed/)
  })

  test('and retrieves', async () => {
    const { sf } = client
    const { status, result } = await sf.json(
      'project',
      'retrieve',
      'start',
      '--metadata',
      'CustomObject:Crate__c',
    )
    assert.equal(status, 0, JSON.stringify(result))
    assert.match(sf.read(`${FOLDER}/fields/Size__c.field-meta.xml`), /<fullName>Size__c<\/fullName>/)
    const listed = await sf.json('org', 'list', 'metadata', '--metadata-type', 'CustomObject')
    assert.ok(listed.result.some(({ fullName }: { fullName: string }) => fullName === 'Crate__c'))
    const types = await sf.json('org', 'list', 'metadata-types')
    assert.ok(types.result.metadataObjects.length > 5)
  })
})

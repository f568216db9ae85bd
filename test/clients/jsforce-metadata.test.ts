import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Connection } from 'jsforce'
import { makeArchive, manifest, metadataFile } from '../support/archive.ts'
import { catchError, type JsforceClient, openJsforceClient } from '../support/jsforce-client.ts'

/* The metadata API by jsforce, unmodified, over a real port. */

const FILES = {
  'package.xml': manifest({ CustomObject: ['Crate__c'] }),
  'objects/Crate__c.object': metadataFile(
    'CustomObject',
    `<label>Crate</label><pluralLabel>Crates</pluralLabel><sharingModel>ReadWrite</sharingModel>
    <nameField><label>Name</label><type>Text</type></nameField>
    <fields><fullName>Code__c</fullName><label>Code</label><type>Text</type><length>20</length></fields>`,
  ),
}

describe('the metadata of jsforce', () => {
  let conn: Connection
  let close: JsforceClient['close']

  before(async () => {
    ;({ conn, close } = await openJsforceClient())
    conn.metadata.pollInterval = 50
  })
  after(() => close())

  for (const [way, deploy] of [
    ['SOAP', (zip: Buffer) => conn.metadata.deploy(zip, { rollbackOnError: true })],
    ['REST', (zip: Buffer) => conn.metadata.deployRest(zip, { rollbackOnError: true })],
  ] as const) {
    test(`deploys an archive by ${way}, and waits for what became of it`, async () => {
      const { status, success, numberComponentsDeployed, details } = await deploy(
        await makeArchive(FILES),
      ).complete(true)
      assert.deepEqual([status, success, numberComponentsDeployed], ['Succeeded', true, 2])
      assert.deepEqual(
        [details.componentSuccesses]
          .flat()
          .map(({ fullName }) => fullName)
          .sort(),
        ['Crate__c', 'Crate__c.Code__c'],
      )
    })
  }

  test('retrieves, lists and describes', async () => {
    const { success, zipFile } = await conn.metadata
      .retrieve({
        unpackaged: { types: [{ name: 'CustomObject', members: ['Crate__c'] }], version: '64.0' },
      } as never)
      .complete()
    assert.equal(String(success), 'true')
    assert.equal(Buffer.from(zipFile, 'base64').subarray(0, 2).toString(), 'PK')
    const listed = await conn.metadata.list({ type: 'CustomField' })
    assert.ok(listed.some(({ fullName }) => fullName === 'Crate__c.Code__c'))
    const { metadataObjects } = await conn.metadata.describe()
    assert.ok(metadataObjects.some(({ xmlName }) => xmlName === 'CustomObject'))
  })

  test('reads components', async () => {
    const [crate, other] = await conn.metadata.read('CustomObject', ['Crate__c', 'Never__c'])
    assert.deepEqual([crate!.fullName, crate!.label], ['Crate__c', 'Crate'])
    assert.deepEqual(
      crate!.fields.map(({ fullName }) => fullName),
      ['Code__c'],
    )
    assert.equal(other?.fullName ?? null, null)
  })

  test('is told what is not there', async () => {
    const { message } = await catchError(conn.metadata.delete('CustomObject', 'Crate__c'))
    assert.match(message, /deleteMetadata is not available here/)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeArchive, metadataFile } from '../support/archive.ts'
import { onPostgres } from '../support/engine.ts'
import { KilledServer } from '../support/killed-server.ts'
import { multipart } from '../support/multipart.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { makeDataFolder, type Variables } from '../support/server-process.ts'

const FIELDS = Array.from({ length: 150 }, (_, n) => `F${n}__c`)

/** How long a deployment runs until its server is killed, in milliseconds. */
const DELAYS = [0, 150, 400]

let place: { readonly variables: Variables; readonly remove: () => Promise<void> | void }

before(async () => {
  if (onPostgres) {
    const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'killed_deploys')
    place = { variables: { DATABASE_URL: url }, remove: drop }
  } else {
    const { data, remove } = makeDataFolder()
    place = { variables: { OBJECTRY_DATA: data }, remove }
  }
})

after(() => place.remove())

function makePart(name: string): Promise<Buffer> {
  const fields = FIELDS.map(
    (field) =>
      `<fields><fullName>${field}</fullName><label>F</label><type>Text</type><length>20</length></fields>`,
  )
  const own = `<label>${name}</label><pluralLabel>${name}s</pluralLabel><nameField><label>Name</label><type>Text</type></nameField>`
  return makeArchive({
    [`objects/${name}__c.object`]: metadataFile('CustomObject', [own, ...fields].join('\n')),
    [`permissionsets/${name}.permissionset`]: metadataFile(
      'PermissionSet',
      `<label>${name}</label><objectPermissions><allowRead>true</allowRead><object>${name}__c</object></objectPermissions>`,
    ),
  })
}

interface Deployment {
  readonly id: string
  readonly status: string
  readonly done: boolean
  readonly completedDate: string
  readonly numberComponentsDeployed: number
}

async function send({ access: { address, token } }: KilledServer, archive: Buffer): Promise<string> {
  const { text, headers } = await multipart({
    file: archive,
    entity_content: { deployOptions: { rollbackOnError: true } },
  })
  const answer = await fetch(`${address}/services/data/v64.0/metadata/deployRequest`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(text),
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as Deployment).id
}

async function find(server: KilledServer, id: string): Promise<Deployment> {
  return JSON.parse(await server.call('GET', `/metadata/deployRequest/${id}?includeDetails=true`))
    .deployResult
}

async function findWhen(
  server: KilledServer,
  id: string,
  isWanted: (found: Deployment) => boolean,
): Promise<Deployment> {
  for (;;) {
    const found = await find(server, id)
    if (isWanted(found)) return found
    await sleep(10)
  }
}

const versionOf = async (server: KilledServer): Promise<number> =>
  JSON.parse(await server.call('GET', '/setup/orgs/current')).schemaVersion

test('an archive is deployed once and as a whole though the server is killed meanwhile, and says so afterwards', async () => {
  const server = await KilledServer.start(place.variables)
  const outcomes: Deployment[] = []
  let interrupted = 0
  try {
    for (const [at, delay] of DELAYS.entries()) {
      const name = `Part${at}`
      const version = await versionOf(server)
      const id = await send(server, await makePart(name))
      await findWhen(server, id, ({ status }) => status !== 'Pending')
      await sleep(delay)
      const killedAt = new Date().toISOString()
      await server.restart()
      const ended = await findWhen(server, id, ({ done }) => done)
      outcomes.push(ended)
      if (ended.completedDate > killedAt) interrupted++
      assert.deepEqual([ended.status, ended.numberComponentsDeployed], ['Succeeded', FIELDS.length + 2])
      const { fields } = JSON.parse(await server.call('GET', `/sobjects/${name}__c/describe`))
      const names = fields.map((field: { name: string }) => field.name)
      assert.deepEqual(
        FIELDS.filter((field) => !names.includes(field)),
        [],
      )
      const sets = await server.query(`SELECT Id FROM PermissionSet WHERE Name = '${name}'`)
      assert.equal(sets.length, 1)
      assert.equal(await versionOf(server), version + 1)
    }
    assert.ok(interrupted > 0)
    const version = await versionOf(server)
    await server.restart()
    for (const ended of outcomes) assert.deepEqual(await find(server, ended.id), ended)
    assert.equal(await versionOf(server), version)
  } finally {
    await server.end()
  }
})

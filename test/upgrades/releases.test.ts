import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { onPostgres } from '../support/engine.ts'
import { makeOwnDatabase } from '../support/own-database.ts'
import { fetchToken, SECRET_KEY, type ServerProcess, startServer } from '../support/server-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { DEPLOYMENT, type Fixture, loadFixtures } from './fixtures.ts'

/* This version starts on what earlier ones left, with the deployment folder that they had. */

interface Location {
  readonly variables: Record<string, string>
  remove(): Promise<void> | void
}

async function makeLocation(): Promise<Location> {
  if (onPostgres) {
    const { url, drop } = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'release')
    return { variables: { DATABASE_URL: url }, remove: drop }
  }
  const { folder, remove } = makeTemporaryFolder()
  return { variables: { OBJECTRY_DATA: folder }, remove }
}

async function loadDatabase({ variables }: Location, fixture: Fixture): Promise<void> {
  const engine = await openEngine(readConfig({ ...variables, ...SECRET_KEY }, {}))
  try {
    await engine.db.script([sql.raw(fixture.sql)])
  } finally {
    await engine.close()
  }
}

for (const fixture of loadFixtures()) {
  describe(`an org of ${fixture.name}`, () => {
    let location: Location
    let server: ServerProcess
    let token: string

    before(async () => {
      location = await makeLocation()
      await loadDatabase(location, fixture)
      server = await startServer({ ...location.variables, OBJECTRY_DEPLOYMENT: DEPLOYMENT })
      token = await fetchToken(server.address, fixture)
    })
    after(async () => {
      await server?.end('SIGKILL')
      await location.remove()
    })

    async function call(method: string, path: string, body?: object) {
      const response = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
      const text = await response.text()
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }

    const query = async (soql: string): Promise<Record<string, unknown>[]> => {
      const { records } = await call('GET', `/services/data/v64.0/query?q=${encodeURIComponent(soql)}`)
      return records.map(({ attributes: _, ...fields }: Record<string, unknown>) => fields)
    }
    const create = async (object: string, fields: object): Promise<string> =>
      (await call('POST', `/services/data/v64.0/sobjects/${object}`, fields)).id

    async function finishUpgrade(): Promise<void> {
      for (;;) {
        const { upgrade } = await call('GET', '/setup/orgs/current')
        assert.notEqual(upgrade.state, 'failed')
        if (upgrade.state === 'done') return
        await sleep(50)
      }
    }

    const holdsRecords = async () => {
      await finishUpgrade()
      assert.deepEqual(await query('SELECT Name, Tier__c FROM Account ORDER BY Name LIMIT 1'), [
        { Name: 'Acme', Tier__c: 'Gold' },
      ])
      assert.deepEqual(await query('SELECT HasOpenActivity, HasOverdueTask, Amount FROM Opportunity'), [
        { HasOpenActivity: true, HasOverdueTask: false, Amount: 30 },
      ])
      assert.deepEqual(await query('SELECT Subject, HasAttachment FROM EmailMessage'), [
        { Subject: 'Smoke', HasAttachment: false },
      ])
      assert.deepEqual(await query('SELECT Description, IsClosed FROM Case'), [
        { Description: 'seen: It smokes', IsClosed: false },
      ])
      assert.deepEqual(await query('SELECT Name, Secret__c FROM Trip__c'), [
        { Name: 'North', Secret__c: 'hidden' },
      ])
      assert.deepEqual(await query('SELECT TotalAmount FROM Order'), [{ TotalAmount: 20 }])
      const hours = {
        Id: '01mOB0z0000001mYAA',
        Name: 'Default',
        TimeZoneSidKey: 'GMT',
        MondayStartTime: '00:00:00.000Z',
      }
      assert.deepEqual(await query(`SELECT ${Object.keys(hours)} FROM BusinessHours`), [hours])
      assert.deepEqual(await query('SELECT BusinessHoursId FROM Case'), [{ BusinessHoursId: hours.Id }])
    }

    test('has its records', holdsRecords)

    test('can be read in whole', async () => {
      const { sobjects } = await call('GET', '/services/data/v64.0/sobjects')
      for (const { name, queryable, createable } of sobjects) {
        // Links of files are asked for by ids. (docs/reference/strict-rules.md)
        const isWhole = queryable && createable && name !== 'ContentDocumentLink'
        if (isWhole) await query(`SELECT FIELDS(ALL) FROM ${name} LIMIT 200`)
      }
    })

    test('takes new records', async () => {
      const opportunity = await create('Opportunity', {
        Name: 'New',
        StageName: 'Prospecting',
        CloseDate: '2030-01-31',
        Source__c: 'web',
      })
      await create('Task', { Subject: 'Call', WhatId: opportunity })
      const email = await create('EmailMessage', { Subject: 'New', Status: '5', Campaign__c: 'x' })
      await create('Attachment', { ParentId: email, Name: 'a.txt', Body: 'YQ==' })
      assert.deepEqual(await query("SELECT HasOpenActivity FROM Opportunity WHERE Name = 'New'"), [
        { HasOpenActivity: true },
      ])
      assert.deepEqual(await query("SELECT HasAttachment FROM EmailMessage WHERE Subject = 'New'"), [
        { HasAttachment: true },
      ])
    })

    test('goes back to its snapshot', async () => {
      await call('POST', '/setup/orgs/current/restore', { snapshot: 'start' })
      assert.deepEqual(await query("SELECT Id FROM Account WHERE Name = 'After the snapshot'"), [])
      await holdsRecords()
      await create('Account', { Name: 'New', Tier__c: 'Silver' })
    })

    test('does the work that was put off in it', async () => {
      const done = "SELECT Id FROM Account WHERE Name = 'Made by a job'"
      while ((await query(done)).length === 0) await sleep(50)
      assert.deepEqual(await query('SELECT Job, Status FROM BackgroundJob'), [
        { Job: 'nightly', Status: 'Done' },
      ])
    })

    test('starts again', async () => {
      await server.end('SIGTERM')
      server = await startServer({ ...location.variables, OBJECTRY_DEPLOYMENT: DEPLOYMENT })
      await holdsRecords()
    })
  })
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { upgradeOrg } from '../../src/orgs/upgrade-org.ts'
import { ENCRYPTED_VALUES } from '../../src/orgs/upgrades/encrypt-values.ts'
import { requestStep } from '../../src/orgs/upgrades/step-store.ts'
import type { RecordStep } from '../../src/orgs/upgrades/upgrade-step.ts'
import { besideCalls } from '../../src/storage/database/connection-guard.ts'
import { fetchRecords } from '../support/ask.ts'
import { fetchSteps } from '../support/deploying.ts'
import { onPostgres } from '../support/engine.ts'
import { finishUpgrades, makeUpgradeWorker, stepsLeft } from '../support/finish-upgrades.ts'
import { makeOld } from '../support/make-old.ts'
import { openOrg, type TestOrg } from '../support/org.ts'
import { saveSnapshot } from '../support/snapshots.ts'
import { tablesWith } from '../support/tables-with.sql.ts'
import { deployVaults, storedSecret, storeSecret } from '../support/vaults.ts'

async function openVaults(): Promise<TestOrg> {
  const o = await openOrg()
  await deployVaults(o)
  await finishUpgrades(o)
  return o
}

/** Vaults as an older version has left them. */
async function writePlain(o: TestOrg, count: number): Promise<void> {
  const body = (i: number) => ({ attributes: { type: 'Vault__c' }, Name: `Vault ${i}` })
  for (let from = 0; from < count; from += 200) {
    const records = Array.from({ length: Math.min(200, count - from) }, (_, i) => body(from + i))
    assert.equal((await o.call('POST', '/composite/sobjects', { body: { records } })).status, 200)
  }
  await o.db.query(sql`update ${sql.id(o.org.schemaName, 'vault__c')} set secret__c = 'plain of ' || name`)
}

const everything = (o: TestOrg) =>
  fetchRecords(
    o,
    'SELECT Id, Name, Secret__c, LastModifiedDate, LastModifiedById, SystemModstamp FROM Vault__c ORDER BY Id LIMIT 2000',
  )

describe('the upgrade to encrypted values', () => {
  test('reads plain values until they are encrypted, and afterwards the same, with nothing else changed', async () => {
    const o = await openVaults()
    await writePlain(o, 1234)
    const gone = await o.create('Vault__c', { Name: 'gone' })
    await storeSecret(o, gone, 'plain of the recycle bin')
    await o.call('DELETE', `/sobjects/Vault__c/${gone}`)
    await saveSnapshot(o, 'old')
    const before = await everything(o)
    assert.equal(before.length, 1234)
    assert.ok(before.every(({ Name, Secret__c }) => Secret__c === `plain of ${Name}`))
    assert.equal((await tablesWith(o, 'plain of ')).length, 2)
    await makeOld(o)
    await upgradeOrg(o.db, o.org)
    assert.ok((await stepsLeft(o)).includes('encrypted values'))
    await finishUpgrades(o)
    assert.deepEqual(await tablesWith(o, 'plain of '), [])
    assert.deepEqual(await everything(o), before)
    assert.equal(
      (await o.call('POST', `/setup/orgs/current/restore`, { body: { snapshot: 'old' } })).status,
      200,
    )
    assert.deepEqual(await everything(o), before)
    const all = await o.call('GET', `/queryAll?q=SELECT+Secret__c+FROM+Vault__c+WHERE+IsDeleted=true`)
    assert.equal(all.body.records[0].Secret__c, 'plain of the recycle bin')
  })

  test('goes on where it was cut off, and encrypts each value once', async () => {
    const o = await openVaults()
    await writePlain(o, 1100)
    const before = await everything(o)
    let batches = 0
    const step: RecordStep = {
      ...ENCRYPTED_VALUES,
      async run(...batch) {
        const reached = await ENCRYPTED_VALUES.run(...batch)
        if (batch[1].id === o.org.id) batches++
        if (batches === 2) throw new Error('the second batch fails')
        return reached
      },
    }
    await requestStep(o.db, o.org, step)
    await finishUpgrades(o, await makeUpgradeWorker([step]))
    assert.equal(batches, 4)
    assert.deepEqual(await tablesWith(o, 'plain of '), [])
    assert.deepEqual(await everything(o), before)
  })

  test('leaves a value alone that is encrypted already, and a null', async () => {
    const o = await openVaults()
    const ids = [await o.create('Vault__c', { Secret__c: 'x' }), await o.create('Vault__c', {})]
    const stored = await Promise.all(ids.map((id) => storedSecret(o, id)))
    await requestStep(o.db, o.org, ENCRYPTED_VALUES)
    await finishUpgrades(o)
    assert.deepEqual(await Promise.all(ids.map((id) => storedSecret(o, id))), stored)
  })

  test('loses no change that is made meanwhile', { skip: !onPostgres }, async () => {
    const o = await openVaults()
    await writePlain(o, 20)
    const [{ Id }] = (await everything(o)) as [{ Id: string }]
    let change: Promise<unknown> | undefined
    const step: RecordStep = {
      ...ENCRYPTED_VALUES,
      async run(...batch) {
        const reached = await ENCRYPTED_VALUES.run(...batch)
        // It waits for the row, and writes after the batch.
        change ??= besideCalls(() =>
          o.call('PATCH', `/sobjects/Vault__c/${Id}`, { body: { Secret__c: 'new' } }),
        )
        await new Promise((resolve) => setTimeout(resolve, 200))
        return reached
      },
    }
    await requestStep(o.db, o.org, step)
    await finishUpgrades(o, await makeUpgradeWorker([step]))
    await change
    assert.equal((await o.call('GET', `/sobjects/Vault__c/${Id}`)).body.Secret__c, 'new')
    assert.deepEqual(await tablesWith(o, 'plain of '), [])
  })
})

describe('a field that becomes an encrypted one', () => {
  const deployPin = (o: TestOrg, field: object) =>
    fetchSteps(o, { Door__c: { fields: { Pin__c: field } } as never })

  for (const [type, field, value, shown] of [
    ['string', { type: 'string', length: 40 }, 'plain pin', 'plain pin'],
    ['int', { type: 'int' }, 98_765, '98765'],
    ['longtextarea', { type: 'longtextarea' }, 'plain pin', 'plain pin'],
  ] as const) {
    test(`of type ${type} keeps its values, and the background encrypts them`, async () => {
      const o = await openOrg()
      await deployPin(o, field)
      const id = await o.create('Door__c', { Pin__c: value })
      await deployPin(o, { type: 'encryptedstring', length: 40 })
      const read = async () => (await o.call('GET', `/sobjects/Door__c/${id}`)).body.Pin__c
      assert.equal(await read(), shown)
      await finishUpgrades(o)
      assert.equal(await read(), shown)
      assert.deepEqual(await tablesWith(o, shown), [])
    })
  }

  test('has its default encrypted in the records that are there', async () => {
    const o = await openOrg()
    await fetchSteps(o, { Door__c: {} })
    const id = await o.create('Door__c', {})
    await deployPin(o, { type: 'encryptedstring', length: 40, required: true, default: '  0000 ' })
    const read = async () => (await o.call('GET', `/sobjects/Door__c/${id}`)).body.Pin__c
    assert.equal(await read(), '0000')
    await finishUpgrades(o)
    assert.equal(await read(), '0000')
    const [row] = await o.db.query<{ pin: string }>(
      sql`select pin__c as pin from ${sql.id(o.org.schemaName, 'door__c')}`,
    )
    assert.match(row!.pin, /^ v1:/)
  })
})

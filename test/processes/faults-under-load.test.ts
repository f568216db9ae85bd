import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Bounds } from '../soak/faults/bounds.ts'
import { lockTable, readOnly, takeConnections, terminate } from '../soak/faults/database-faults.ts'
import type { Fault } from '../soak/faults/fault.ts'
import { sendDirectly } from '../soak/faults/fault-client.ts'
import { networkFaults } from '../soak/faults/network-faults.ts'
import { kill } from '../soak/faults/process-faults.ts'
import { promisesBrokenIn, reportFault } from '../soak/faults/report.ts'
import { Site } from '../soak/faults/site.ts'
import { faultSql } from '../soak/faults/statements.sql.ts'
import { onPostgres } from '../support/engine.ts'
import { openProxy, type PausableProxy } from '../support/pausable-proxy.ts'
import { makeDataFolder } from '../support/server-process.ts'

/*
 * The short form of `npm run soak -- faults`: a server under load while its database fails. Whatever happens, each call is
 * answered in one of the ways that errors.md names, and nothing that was acknowledged is lost. How long anything takes is
 * the soak's question.
 */

const BOUNDS: Bounds = { statementSeconds: 1, connectionSeconds: 2, lockSeconds: 1, stopSeconds: 10 }

const TIMING = { warmUpMs: 400, holdMs: 1200, withStop: false }

/** Of the role: the server's and a few more. */
const MAX_CONNECTIONS = 24

/** The server that the tests run on may ask for one. */
const PASSWORD = 'faults'

async function comesThrough(site: Site, fault: Fault): Promise<void> {
  const report = await reportFault(site, fault, TIMING)
  assert.deepEqual(promisesBrokenIn(report), [])
  assert.ok(report.during.length > 0)
}

describe('a server on PostgreSQL answers all calls and loses nothing', {
  skip: !onPostgres && 'the embedded engine has no network',
}, () => {
  const role = `objectry_faults_${process.pid}`
  const serverUrl = process.env.TEST_DATABASE_URL!
  let proxy: PausableProxy
  let site: Site

  /** The address of the database of this file. */
  const makeUrl = (user?: string) => {
    const url = new URL(serverUrl)
    url.pathname = `/${role}`
    if (user !== undefined) [url.username, url.password] = [user, PASSWORD]
    return url.href
  }
  const adminUrl = () => makeUrl()

  before(async () => {
    await sendDirectly(serverUrl, [
      faultSql.createRole(role, MAX_CONNECTIONS, PASSWORD),
      faultSql.createDatabase(role, role),
    ])
    proxy = await openProxy(makeUrl(role))
    site = await Site.open({ DATABASE_URL: proxy.url }, BOUNDS)
  })
  after(async () => {
    await site?.close()
    proxy?.close()
    await sendDirectly(serverUrl, [faultSql.dropDatabase(role), faultSql.dropRole(role)])
  })

  const faults: readonly (readonly [string, () => Fault])[] = [
    ['all its connections are ended again and again', () => terminate(adminUrl())],
    ['the network swallows everything', () => networkFaults(proxy).blackHole],
    ['the network cuts answers in the middle', () => networkFaults(proxy).cut],
    ['the network is slow', () => networkFaults(proxy).delay],
    ['another client locks a table', () => lockTable(adminUrl())],
    [
      'the database is read-only',
      () => readOnly(adminUrl(), (isReadOnly) => faultSql.setDatabaseReadOnly(role, isReadOnly)),
    ],
    ['another client takes all connections', () => takeConnections(adminUrl(), makeUrl(role))],
  ]
  for (const [what, makeFault] of faults) {
    test(`while ${what}`, () => comesThrough(site, makeFault()))
  }
})

test('a server on the embedded engine that is killed under load loses nothing', {
  skip: onPostgres && 'the other engine',
}, async () => {
  const folder = makeDataFolder()
  try {
    const site = await Site.open({ OBJECTRY_DATA: folder.data }, BOUNDS)
    try {
      await comesThrough(site, kill(site))
    } finally {
      await site.close()
    }
  } finally {
    folder.remove()
  }
})

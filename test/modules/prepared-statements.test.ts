import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { onPostgres, sharedDatabaseUrl } from '../support/engine.ts'
import {
  numberedStatement,
  preparedStatements,
  readJit,
  tableSql,
} from '../support/numbered-statements.sql.ts'
import { makeOwnDatabase } from '../support/own-database.ts'

interface Prepared {
  readonly total: number
  readonly hasNumber: boolean
}

describe('statements of more texts than a connection prepares', { skip: !onPostgres }, () => {
  let engine: Engine
  before(async () => {
    engine = await openEngine(readConfig({}, { databaseUrl: await sharedDatabaseUrl(), poolSize: '3' }))
  })
  after(() => engine?.close())

  /** Carries a statement out twice on each connection, so that it is a repeated one. */
  async function repeat(number: number, backends: Set<unknown>): Promise<Prepared> {
    const db = engine.watched({ reported: () => {} })
    const isLooking = number % 50 === 0
    let prepared: Prepared | undefined
    for (let time = 0; time < 2; time++) {
      const work = Array.from({ length: 3 }, () =>
        db.transaction(async (tx) => {
          const [row] = await tx.query<Record<string, number>>(numberedStatement(number))
          assert.equal(row![`number_${number}`], number)
          backends.add(row!.backend)
          if (isLooking) [prepared] = await tx.query<Prepared>(preparedStatements(number))
        }),
      )
      await Promise.all(work)
    }
    return prepared!
  }

  test('those that come late are prepared, and connections that have prepared many are replaced', async () => {
    const backends = new Set<unknown>()
    let most = 0
    for (let number = 0; number <= 750; number++) {
      const prepared = await repeat(number, backends)
      if (prepared === undefined) continue
      assert.ok(prepared.hasNumber, `${number} is not prepared`)
      most = Math.max(most, prepared.total)
    }
    assert.ok(most > 300 && most < 600, String(most))
    assert.ok(backends.size > 3, 'the same connections from the first to the last')
  })

  test('a connection that has carried out many commands of scripts is replaced too, also where it is one of few', async () => {
    const few = await openEngine(readConfig({}, { databaseUrl: await sharedDatabaseUrl(), poolSize: '2' }))
    try {
      const backends = new Set<unknown>()
      for (let time = 0; time < 4; time++) {
        await few.db.transaction((tx) => tx.script(Array.from({ length: 200 }, () => sql`select`)))
        const [row] = await few.db.query<Record<string, number>>(numberedStatement(0))
        backends.add(row!.backend)
      }
      assert.ok(backends.size > 1)
    } finally {
      await few.close()
    }
  })

  test('none is compiled to machine code, which would take longer than most of them', async () => {
    const [row] = await engine.db.query<{ jit: string }>(readJit)
    assert.equal(row!.jit, 'off')
  })

  test('a change of the tables of an org leaves the statements of others prepared', async () => {
    const own = await makeOwnDatabase(await sharedDatabaseUrl(), 'prepared_statements')
    const other = await openEngine(readConfig({}, { databaseUrl: own.url, poolSize: '1' }))
    try {
      await migrate(other.db)
      const db = other.watched({ reported: () => {} })
      const [changed, unchanged] = ['org_1', 'org_2']
      for (const schema of [changed, unchanged]) {
        for (const statement of tableSql.make(schema)) await db.query(statement)
        for (let time = 0; time < 3; time++) await db.query(tableSql.readAll(schema))
      }
      // That statement is prepared too, when it comes again.
      await db.query(preparedStatements(0))
      const [before] = await db.query<Prepared>(preparedStatements(0))
      await db.query(tableSql.widen(changed))
      await assert.rejects(db.query(tableSql.readAll(changed)), /cached plan must not change result type/)
      for (let time = 0; time < 3; time++)
        for (const schema of [changed, unchanged]) await db.query(tableSql.readAll(schema))
      const [after] = await db.query<Prepared>(preparedStatements(0))
      assert.equal(after!.total, before!.total + 1)
    } finally {
      await other.close()
      await own.drop()
    }
  })
})

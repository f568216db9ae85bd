import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { FIRST_MIGRATION, MIGRATIONS } from '../../src/storage/migrations.sql.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { dropOrg, findOrg, loadOrgs } from '../../src/storage/orgs/orgs.ts'
import { onPostgres, sharedDatabaseUrl, sharedEngine } from '../support/engine.ts'
import { openOrg } from '../support/org.ts'

let engine: Engine

before(async () => {
  engine = await sharedEngine()
})

const applied = async ({ db }: Engine) =>
  (await db.query<{ number: number }>(sql`select number from objectry.migration order by number`)).map(
    (row) => row.number,
  )
const all = MIGRATIONS.map((_, index) => FIRST_MIGRATION + index)

describe('migrations', () => {
  test('run once, however often they are asked for', async () => {
    await migrate(engine.db)
    await migrate(engine.db)
    assert.deepEqual(await applied(engine), all)
  })

  test('run once when several ask at the same time', async () => {
    const fresh = await openEngine({ databaseUrl: undefined, poolSize: 1, data: 'memory' })
    try {
      await Promise.all([migrate(fresh.db), migrate(fresh.db), migrate(fresh.db)])
      assert.deepEqual(await applied(fresh), all)
    } finally {
      await fresh.close()
    }
  })

  test('run once when several servers start on an empty database at the same time', {
    skip: !onPostgres && 'the embedded engine belongs to one process',
  }, async () => {
    const name = `objectry_start_${process.pid}`
    await engine.db.query(sql`create database ${sql.id(name)}`)
    const url = new URL(await sharedDatabaseUrl())
    url.pathname = `/${name}`
    const config = readConfig({}, { databaseUrl: url.href, port: '0', logLevel: 'silent', poolSize: '2' })
    const servers = await Promise.all([start(config), start(config), start(config)])
    try {
      assert.deepEqual(await applied(servers[0].engine), all)
      assert.equal((await loadOrgs(servers[1].engine.db)).length, 1)
      assert.equal(servers.filter((server) => server.firstApp !== undefined).length, 1)
    } finally {
      for (const server of servers) await server.stop()
      await engine.db.query(sql`drop database ${sql.id(name)}`)
    }
  })

  test('of a newer Objectry are not touched', async () => {
    const fresh = await openEngine({ databaseUrl: undefined, poolSize: 1, data: 'memory' })
    try {
      await migrate(fresh.db)
      await fresh.db.query(
        sql`insert into objectry.migration (number, name) values (${all.at(-1)! + 1}, 'later')`,
      )
      await assert.rejects(migrate(fresh.db), /Start the newer version that migrated it\.$/)
    } finally {
      await fresh.close()
    }
  })
})

test('A database from before the first release is refused with a way out, and is not touched', async () => {
  const fresh = await openEngine({ databaseUrl: undefined, poolSize: 1, data: 'memory' })
  try {
    await migrate(fresh.db)
    await fresh.db.query(sql`delete from objectry.migration where number > ${FIRST_MIGRATION}`)
    await fresh.db.query(sql`update objectry.migration set number = number - 1`)
    const before = await applied(fresh)
    await assert.rejects(migrate(fresh.db), /from before release 0\.1\.0 .* start with an empty database\.$/)
    assert.deepEqual(await applied(fresh), before)
  } finally {
    await fresh.close()
  }
})

describe('a data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-test-'))

  after(() => rmSync(folder, { recursive: true }))

  test('keeps its records over a close and an open', async () => {
    const settings = { databaseUrl: undefined, poolSize: 1, data: folder }
    const first = await openEngine(settings)
    await first.db.script([sql`create table kept (name text)`])
    await first.db.query(sql`insert into kept (name) values ('a')`)
    await first.close()
    const second = await openEngine(settings)
    assert.deepEqual(await second.db.query(sql`select name from kept`), [{ name: 'a' }])
    await second.close()
  })
})

describe('both engines', () => {
  test('give the same kinds of values for columns', async () => {
    const [row] = await engine.db.query(sql`select true as b, 7 as i, 8::bigint as l, 1.50::numeric(9,2) as n,
      1.5::float8 as f, 'x' as t, null::text as nothing, date '2026-01-02' as d, time '10:11:12.5' as c,
      timestamptz '2026-01-02T03:04:05Z' as m, '{"a":[1]}'::jsonb as j, array['a','b'] as list`)
    assert.deepEqual(row, {
      b: true,
      i: 7,
      l: 8,
      n: 1.5,
      f: 1.5,
      t: 'x',
      nothing: null,
      d: '2026-01-02',
      c: '10:11:12.5',
      m: '2026-01-02 03:04:05+00',
      j: { a: [1] },
      list: ['a', 'b'],
    })
  })
})

describe('an org', () => {
  test('is found by its id, and gone with all that it holds when it is dropped', async () => {
    const { org, db } = await openOrg()
    assert.deepEqual(await findOrg(db, org.id), org)
    await dropOrg(db, org)
    assert.equal(await findOrg(db, org.id), undefined)
    const tables = await db.query(
      sql`select 1 from information_schema.tables where table_schema = ${org.schemaName}`,
    )
    assert.deepEqual(tables, [])
  })
})

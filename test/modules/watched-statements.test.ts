import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'
import { onPostgres, sharedEngine } from '../support/engine.ts'
import { sleepSql } from '../support/locked-account.sql.ts'

const TABLE = sql.id('public', 'watched_test')
const over = new Error('over')

let engine: Engine

before(async () => {
  engine = await sharedEngine()
  await engine.db.script([sql`create table ${TABLE} (name text)`])
})

const put = (db: Db, name: string) => db.query(sql`insert into ${TABLE} (name) values (${name})`)
const names = () => engine.db.rows(sql`select name from ${TABLE}`)

/** A database that is watched, what it tells, and the end of its time. */
function open() {
  const reported: string[] = []
  let ended: Error | undefined
  const tasks: (() => void)[] = []
  let stops = 0
  const db = engine.watched({
    get over() {
      return ended
    },
    whenOver(task) {
      tasks.push(task)
      return () => {}
    },
    reported: (text) => reported.push(text),
    stopped: () => stops++,
  })
  const end = () => {
    ended = over
    for (const task of tasks) task()
  }
  return { db, reported, end, stops: () => stops }
}

describe('a database that is watched', () => {
  test('tells of each statement, in a transaction or not, without its values', async () => {
    const { db, reported, stops } = open()
    await db.query(sql`select ${'a secret'}::text as one`)
    await assert.rejects(db.query(sql`select nonsense`))
    const undone = db.transaction(async (tx) => {
      await put(tx, 'never')
      throw new Error('on purpose')
    })
    await assert.rejects(undone, /on purpose/)
    assert.deepEqual(reported, [
      'select $1::text as one',
      'select nonsense',
      'insert into "public"."watched_test" (name) values ($1)',
    ])
    assert.equal(stops(), 0)
  })

  test('does nothing more when the time is up, and says why', async () => {
    const { db, reported, end, stops } = open()
    end()
    await assert.rejects(put(db, 'late'), over)
    await assert.rejects(
      db.transaction((tx) => put(tx, 'late')),
      over,
    )
    await assert.rejects(db.script([sql`select 1`]), over)
    assert.deepEqual([reported, stops(), await names()], [[], 3, []])
  })

  test('takes back the transaction in which the time is up, also when the work does not care', async () => {
    const { db, end } = open()
    const work = db.transaction(async (tx) => {
      await put(tx, 'before')
      end()
      await put(tx, 'behind').catch(() => {})
    })
    await assert.rejects(work, over)
    assert.deepEqual(await names(), [])
  })

  test('cancels what is under way when the time is up, and nothing else', {
    skip: !onPostgres && 'the embedded engine cannot cancel a statement',
  }, async () => {
    const [one, other] = [open(), open()]
    const patient = other.db.query<{ slept: string }>(sleepSql(1))
    const impatient = Promise.allSettled([
      one.db.query(sleepSql(60)),
      one.db.transaction((tx) => tx.query(sleepSql(60))),
      // They travel together, and each has to be cancelled.
      one.db.transaction((tx) => Promise.all([tx.query(sleepSql(60)), tx.query(sleepSql(60))])),
    ])
    await engine.db.query(sleepSql(0.1))
    one.end()
    const rejected = { status: 'rejected', reason: over }
    assert.deepEqual(await impatient, [rejected, rejected, rejected])
    assert.equal((await patient).length, 1)
    assert.deepEqual(await Promise.all(Array.from({ length: 12 }, names)), Array(12).fill([]))
  })
})

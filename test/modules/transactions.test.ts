import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/base/sql.ts'
import type { Db } from '../../src/storage/database/db.ts'
import { databaseFault } from '../../src/storage/database/pg-error.ts'
import { onPostgres, sharedEngine } from '../support/engine.ts'

let db: Db

const TABLE = sql.id('public', 'transaction_test')

before(async () => {
  db = (await sharedEngine()).db
  await db.script([sql`create table ${TABLE} (name text primary key)`])
})

const put = (to: Db, name: string) => to.query(sql`insert into ${TABLE} (name) values (${name})`)
const names = async () =>
  (await db.query<{ name: string }>(sql`delete from ${TABLE} returning name`)).map((row) => row.name).sort()

const failure = new Error('on purpose')
const fail = async () => {
  throw failure
}

describe('a transaction', () => {
  test('gives what its work gives, and keeps what it wrote', async () => {
    const result = await db.transaction(async (tx) => {
      await put(tx, 'a')
      await put(tx, 'b')
      return 17
    })
    assert.equal(result, 17)
    assert.deepEqual(await names(), ['a', 'b'])
  })

  test('that fails keeps nothing and hands the failure on', async () => {
    const work = db.transaction(async (tx) => {
      await put(tx, 'a')
      await fail()
    })
    await assert.rejects(work, failure)
    assert.deepEqual(await names(), [])
  })

  test('whose statement fails leaves the engine usable', async () => {
    await put(db, 'a')
    await assert.rejects(db.transaction((tx) => put(tx, 'a')))
    await assert.rejects(db.query(sql`select nonsense`))
    assert.deepEqual(await names(), ['a'])
  })
})

describe('a script', () => {
  const FAILS = [sql`begin`, sql`insert into ${TABLE} (name) values ('a')`, sql`select nonsense`, sql`commit`]

  test('that fails behind its own begin leaves no transaction to those that follow', async () => {
    for (let count = 0; count < 20; count++) await assert.rejects(db.script(FAILS), /nonsense/)
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(db, `name ${index}`)))
    assert.equal((await names()).length, 20)
  })

  test('that leaves a transaction open takes nothing of those that follow with it', async () => {
    await db.script([sql`begin`, sql`insert into ${TABLE} (name) values ('open')`])
    if (!onPostgres) await db.script([sql`rollback`])
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(db, `name ${index}`)))
    assert.equal((await names()).length, 20)
  })
})

describe('a transaction in a transaction', () => {
  test('is a savepoint: what it wrote goes alone when it fails', async () => {
    await db.transaction(async (tx) => {
      await put(tx, 'outer')
      await assert.rejects(
        tx.transaction(async (inner) => {
          await put(inner, 'inner')
          await fail()
        }),
        failure,
      )
      await put(tx, 'after')
    })
    assert.deepEqual(await names(), ['after', 'outer'])
  })

  test('may stand in another one, and the outermost decides', async () => {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.transaction(async (one) => {
          await put(one, 'one')
          await one.transaction((two) => put(two, 'two'))
        })
        await fail()
      }),
      failure,
    )
    assert.deepEqual(await names(), [])
  })

  test('keeps the connection usable after a statement that failed', async () => {
    await db.transaction(async (tx) => {
      await put(tx, 'a')
      for (const attempt of [tx.transaction, tx.attempt]) {
        const duplicate = await attempt((inner) => put(inner, 'a')).catch((error: unknown) =>
          databaseFault(error),
        )
        assert.deepEqual(duplicate, { kind: 'duplicate', constraint: 'transaction_test_pkey' })
      }
      await put(tx, 'b')
    })
    assert.deepEqual(await names(), ['a', 'b'])
  })
})

describe('what waits for the commit', () => {
  test('runs after the outermost one, in order', async () => {
    const done: string[] = []
    await db.transaction(async (tx) => {
      tx.afterCommit(() => done.push('first'))
      await tx.transaction(async (inner) => {
        inner.afterCommit(() => done.push('second'))
        await inner.transaction(async (innermost) => innermost.afterCommit(() => done.push('third')))
      })
      await tx.attempt(async (inner) => inner.afterCommit(() => done.push('fourth')))
      assert.deepEqual(done, [])
    })
    assert.deepEqual(done, ['first', 'second', 'third', 'fourth'])
  })

  test('is dropped with what is rolled back', async () => {
    const done: string[] = []
    await db.transaction(async (tx) => {
      tx.afterCommit(() => done.push('outer'))
      const inner = tx.transaction(async (savepoint) => {
        savepoint.afterCommit(() => done.push('inner'))
        await savepoint.transaction(async (innermost) => innermost.afterCommit(() => done.push('innermost')))
        await fail()
      })
      await assert.rejects(inner, failure)
    })
    assert.deepEqual(done, ['outer'])
    const outer = db.transaction(async (tx) => {
      await tx.transaction(async (savepoint) => savepoint.afterCommit(() => done.push('never')))
      await fail()
    })
    await assert.rejects(outer, failure)
    assert.deepEqual(done, ['outer'])
  })

  test('sees what was committed', async () => {
    let seen: Promise<string[]> | undefined
    await db.transaction(async (tx) => {
      await put(tx, 'a')
      tx.afterCommit(() => {
        seen = names()
      })
    })
    assert.deepEqual(await seen, ['a'])
  })

  test('runs at once where there is no transaction', () => {
    const done: string[] = []
    db.afterCommit(() => done.push('now'))
    assert.deepEqual(done, ['now'])
  })
})

describe('a statement after a rollback', () => {
  const later = (name: string) => sql`insert into ${TABLE} (name) values (${name})`

  test('is sent once the transaction has ended, if what it is called in is rolled back', async () => {
    await db.transaction(async (tx) => {
      tx.afterRollback(later('never'))
      await tx.transaction(async (inner) => inner.afterRollback(later('never')))
      const rolledBack = tx.transaction(async (inner) => {
        await inner.transaction(async (innermost) => innermost.afterRollback(later('first')))
        inner.afterRollback(later('second'))
        await fail()
      })
      await assert.rejects(rolledBack, failure)
      await put(tx, 'a')
    })
    assert.deepEqual(await names(), ['a', 'first', 'second'])
  })

  test('is sent once when the outermost one is rolled back', async () => {
    const outer = db.transaction(async (tx) => {
      await put(tx, 'a')
      await tx.transaction(async (inner) => inner.afterRollback(later('kept')))
      await assert.rejects(
        tx.attempt(async (inner) => {
          inner.afterRollback(later('kept, too'))
          await fail()
        }),
        failure,
      )
      await fail()
    })
    await assert.rejects(outer, failure)
    assert.deepEqual(await names(), ['kept', 'kept, too'])
  })

  test('does not change how the transaction ends when it fails itself', async () => {
    await put(db, 'a')
    const outer = db.transaction(async (tx) => {
      tx.afterRollback(later('b'))
      tx.afterRollback(later('a'))
      await fail()
    })
    await assert.rejects(outer, failure)
    assert.deepEqual(await names(), ['a', 'b'])
  })

  test('is not sent where there is no transaction', async () => {
    db.afterRollback(later('never'))
    assert.deepEqual(await names(), [])
  })
})

describe('a statement before the commit', () => {
  const count = sql`insert into ${TABLE} (name) values ((select count(*) from ${TABLE})::text)`

  test('is sent once, behind what the transaction and its savepoints write', async () => {
    await db.transaction(async (tx) => {
      await tx.beforeCommit(count)
      await put(tx, 'a')
      await tx.transaction(async (inner) => {
        await inner.beforeCommit(count)
        await put(inner, 'b')
      })
      await put(tx, 'c')
    })
    assert.deepEqual(await names(), ['3', 'a', 'b', 'c'])
  })

  test('is dropped with what is rolled back', async () => {
    await db.transaction(async (tx) => {
      const inner = tx.transaction(async (savepoint) => {
        await savepoint.beforeCommit(count)
        await fail()
      })
      await assert.rejects(inner, failure)
      await put(tx, 'a')
    })
    assert.deepEqual(await names(), ['a'])
  })

  test('that fails undoes the transaction', async () => {
    const work = db.transaction(async (tx) => {
      await put(tx, 'a')
      await tx.beforeCommit(sql`insert into ${TABLE} (name) values ('a')`)
    })
    await assert.rejects(work, (error) => databaseFault(error)?.kind === 'duplicate')
    assert.deepEqual(await names(), [])
  })

  test('is sent at once where there is no transaction', async () => {
    await db.beforeCommit(count)
    assert.deepEqual(await names(), ['0'])
  })
})

describe('two transactions', () => {
  test('work side by side', { skip: !onPostgres && 'the embedded engine has one connection' }, async () => {
    let meet: () => void
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    await Promise.all([
      db.transaction(async (tx) => {
        await put(tx, 'a')
        await met
      }),
      db.transaction(async (tx) => {
        await put(tx, 'b')
        meet()
      }),
    ])
    assert.deepEqual(await names(), ['a', 'b'])
  })

  test('that wait for each other: one is undone, and the other goes on', {
    skip: !onPostgres && 'the embedded engine has one connection',
  }, async () => {
    await put(db, 'a')
    await put(db, 'b')
    let arrived = 0
    let release: () => void
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    const cross = (first: string, second: string) =>
      db.transaction(async (tx) => {
        const change = (name: string) =>
          tx.query(sql`update ${TABLE} set name = name || '!' where name like ${`${name}%`}`)
        await change(first)
        if (++arrived === 2) release()
        await both
        await change(second)
      })
    const results = await Promise.allSettled([cross('a', 'b'), cross('b', 'a')])
    const refused = results.filter((result) => result.status === 'rejected')
    assert.deepEqual(
      refused.map((result) => databaseFault(result.reason)),
      [{ kind: 'locked' }],
    )
    assert.deepEqual(await names(), ['a!', 'b!'])
  })
})

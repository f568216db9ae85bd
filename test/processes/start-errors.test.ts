import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config/config.ts'
import { hasDatabase } from '../../src/storage/open-engine.ts'
import { checkPostgresVersion } from '../../src/storage/postgres/check-postgres.ts'
import { ON_EMBEDDED, onPostgres } from '../support/engine.ts'
import { failToStart, makeDataFolder, startServer, type Variables } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

/* A server that cannot start says why in one line, with the remedy, and its exit code is 1; 2 where settings are wrong. */

async function assertRefused(variables: Variables, message: RegExp, exitCode = 1): Promise<void> {
  const { code, out, error } = await failToStart(variables)
  assert.match(error, message)
  assert.match(error, /^Objectry did not start: [^\n]+\n$/)
  assert.equal(out, '')
  assert.equal(code, exitCode)
}

describe('a damaged data folder', ON_EMBEDDED, () => {
  const damaged =
    /The database in the data folder \S+ cannot be opened: its files are damaged.* Restore the folder/
  const damages: Readonly<Record<string, readonly [damage: (folder: string) => void, message: RegExp]>> = {
    'an empty global/pg_control': [(folder) => truncateSync(`${folder}/global/pg_control`), damaged],
    'another text in PG_VERSION': [(folder) => writeFileSync(`${folder}/PG_VERSION`, 'garbage'), damaged],
    'no pg_wal': [(folder) => rmSync(`${folder}/pg_wal`, { recursive: true }), damaged],
    'garbage in its tables': [
      (folder) => {
        for (const name of readdirSync(`${folder}/base/5`)) {
          if (/^\d{5,}$/.test(name)) writeFileSync(`${folder}/base/5/${name}`, Buffer.alloc(8192, 'x'))
        }
      },
      damaged,
    ],
    'no PG_VERSION': [
      (folder) => rmSync(`${folder}/PG_VERSION`),
      /PG_VERSION is missing\. Restore the folder/,
    ],
  }
  for (const [name, [damage, message]] of Object.entries(damages)) {
    test(`with ${name} is refused and loses no file`, async () => {
      const { data, remove } = makeDataFolder()
      try {
        const folder = join(data, 'database')
        damage(folder)
        const files = readdirSync(folder)
        await assertRefused({ OBJECTRY_DATA: data }, message)
        const left = readdirSync(folder)
        assert.deepEqual(
          files.filter((file) => !left.includes(file)),
          [],
        )
      } finally {
        remove()
      }
    })
  }

  test('is made from scratch when its first start was interrupted', async () => {
    const { data, remove } = makeDataFolder()
    try {
      const folder = join(data, 'database')
      rmSync(`${folder}/global`, { recursive: true })
      writeFileSync(`${folder}/objectry.unfinished`, '')
      assert.equal(hasDatabase(data), false)
      await (await startServer({ OBJECTRY_DATA: data })).end('SIGTERM')
      assert.equal(hasDatabase(data), true)
    } finally {
      remove()
    }
  })
})

describe('a data folder that cannot be used', ON_EMBEDDED, () => {
  const hasProc = existsSync('/proc/self')

  test('below /proc', { skip: !hasProc }, async () => {
    const message = /The data folder \/proc\/objectry\/data cannot be created: ENOENT.* Choose another folder/
    await assertRefused({ OBJECTRY_DATA: '/proc/objectry/data' }, message)
  })

  const disk = mountSmallDisk(8)
  after(() => disk?.remove())

  test('on a disk without space for a first start, and nothing is left of it', async (t) => {
    if (disk === undefined) return t.skip('mounting a small disk is not permitted')
    const data = join(disk.folder, 'data')
    mkdirSync(data)
    await assertRefused(
      { OBJECTRY_DATA: data },
      /has too little space: [78] MB are free\. Free at least \d+ MB/,
    )
    assert.equal(existsSync(join(data, 'database')), false)
  })
})

describe('settings that contradict each other or are empty', () => {
  test('an empty DATABASE_URL', () =>
    assertRefused(
      { DATABASE_URL: '' },
      /: DATABASE_URL is set but empty\. Set it to an address like \S+, or unset it to use the embedded engine\.$/m,
      2,
    ))

  test('SITE_PORT equal to PORT', () =>
    assertRefused(
      { PORT: '9777', SITE_PORT: '9777' },
      /: SITE_PORT and PORT are both 9777\. Set SITE_PORT to/,
      2,
    ))

  test('are accepted where they do no harm: free ports, and the default of SITE_PORT', () => {
    assert.equal(readConfig({ PORT: '0', SITE_PORT: '0' }).sitePort, 0)
    assert.equal(readConfig({ PORT: '8081' }).sitePort, 8081)
    assert.equal(
      readConfig({ DATABASE_URL: '' }, { databaseUrl: 'postgres://x@y/z' }).databaseUrl,
      'postgres://x@y/z',
    )
  })
})

describe('an address that does not do', () => {
  for (const taken of ['PORT', 'SITE_PORT']) {
    test(`of a ${taken} that another program has`, async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const variables = { OBJECTRY_DATA: 'memory', PORT: '0', SITE_PORT: '0', [taken]: String(port) }
      const flag = `--${taken.toLowerCase().replace('_', '-')}`
      await assertRefused(
        variables,
        new RegExp(
          `EADDRINUSE\\b.*:${port}: another program .*choose another port: ${taken}, ${flag}\\.$`,
          'm',
        ),
      )
      other.close()
    })
  }

  test('of a database where nobody answers', () =>
    assertRefused(
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      /ECONNREFUSED 127\.0\.0\.1:1: no database answers there\. Start PostgreSQL, or correct DATABASE_URL/,
    ))

  test('of a database that there is not', { skip: !onPostgres }, () => {
    const url = new URL(process.env.TEST_DATABASE_URL!)
    url.pathname = '/objectry_there_is_none'
    return assertRefused({ DATABASE_URL: url.href }, /does not exist: make it \(createdb .*\)/)
  })

  test('of a machine that is another one', ON_EMBEDDED, () =>
    assertRefused(
      { HOST: '192.0.2.1', OBJECTRY_DATA: 'memory' },
      /does not have the address\. Choose one of its own: HOST/,
    ),
  )
})

test('PostgreSQL before 15 is refused with its version', () => {
  assert.throws(
    () => checkPostgresVersion(140_012, '14.12 (Debian)'),
    /^Error: The PostgreSQL server of DATABASE_URL has version 14\.12 \(Debian\), and Objectry needs 15 or newer\./,
  )
  checkPostgresVersion(150_000, '15.0')
  checkPostgresVersion(180_001, '18.1')
})

describe('a PostgreSQL database that cannot store or compare every letter', {
  skip: !onPostgres,
}, () => {
  const serverUrl = process.env.TEST_DATABASE_URL!

  async function administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }

  for (const [encoding, message] of [
    ['SQL_ASCII', /The database "\w+" of DATABASE_URL has the encoding SQL_ASCII, and Objectry needs UTF8/],
    [
      'UTF8',
      /The database "\w+" of DATABASE_URL has the locale C \(LC_CTYPE\), which treats "ä" and "Ä" as different/,
    ],
  ] as const) {
    test(`${encoding} with the locale C: refused at the first start, warned about later`, async () => {
      const name = `objectry_cfg_${process.pid}`
      const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
      await administer(
        `create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`,
      )
      try {
        await assertRefused({ DATABASE_URL: url }, message)
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query('create schema objectry').finally(() => client.end())
        const server = await startServer({ DATABASE_URL: url, OBJECTRY_LOG_LEVEL: 'warn' })
        let out = server.greeting
        server.child.stdout!.on('data', (text) => {
          out += text
        })
        await server.end('SIGTERM')
        assert.match(out.replaceAll('\\"', '"'), message)
      } finally {
        await administer(`drop database if exists ${name} with (force)`)
      }
    })
  }
})

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SecretBox, WrongSecretKey } from '../../src/auth/keys/secret-box.ts'
import { checkSecretKey, findSecretBox, openSecretBox } from '../../src/auth/keys/secret-key.ts'
import { readConfig } from '../../src/config/config.ts'
import { start } from '../../src/server/main.ts'
import { sharedEngine } from '../support/engine.ts'
import { SECRETS } from '../support/secrets.ts'
import { makeDataFolder } from '../support/server-process.ts'

const KEY = Buffer.alloc(32, 1)

describe('a sealed secret', () => {
  test('is opened by its key, whatever stands in it', () => {
    const box = new SecretBox(KEY)
    for (const text of ['', 'secret', '日本 \0 🔑', 'x'.repeat(100_000)])
      assert.equal(box.open(box.seal(text)), text)
  })

  test('never looks the same twice, and does not show what is in it', () => {
    const box = new SecretBox(KEY)
    const sealed = Array.from({ length: 50 }, () => box.seal('a secret of the tests'))
    assert.equal(new Set(sealed).size, 50)
    assert.ok(!sealed.some((text) => Buffer.from(text, 'base64url').includes('secret')))
  })

  test('is opened by no other key, and not when a bit of it was changed', () => {
    const sealed = new SecretBox(KEY).seal('secret')
    assert.throws(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed), WrongSecretKey)
    const bytes = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      assert.throws(() => new SecretBox(KEY).open(changed.toString('base64url')), WrongSecretKey)
    }
    for (const broken of ['', 'x', sealed.slice(0, 20)]) {
      assert.throws(() => new SecretBox(KEY).open(broken), WrongSecretKey)
    }
  })
})

describe('the key', () => {
  test('is taken from the setting, in base64 or hexadecimal', () => {
    for (const text of [KEY.toString('base64'), KEY.toString('base64url'), KEY.toString('hex')]) {
      assert.deepEqual(readConfig({ OBJECTRY_SECRET_KEY: text }).secretKey, KEY)
    }
    for (const text of [
      'short',

      KEY.toString('hex').slice(2),
      `${KEY.toString('base64')} !`,
    ]) {
      const isSilent = (error: Error) =>
        /OBJECTRY_SECRET_KEY must be 32 bytes/.test(error.message) && !error.message.includes(text)
      assert.throws(() => readConfig({ OBJECTRY_SECRET_KEY: text }), isSilent)
    }
  })

  test('is made at the first start, in a file that its owner alone may read, and stays the same', () => {
    const { data, remove } = makeDataFolder()
    try {
      const sealed = openSecretBox({ data, secretKey: undefined }).seal('secret')
      const file = join(data, 'secret.key')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32)
      assert.equal(openSecretBox({ data, secretKey: undefined }).open(sealed), 'secret')
      writeFileSync(file, 'nonsense')
      assert.throws(() => openSecretBox({ data, secretKey: undefined }), /does not hold a secret key/)
    } finally {
      remove()
    }
  })

  test('is made by no command: that says what is missing, or does not fit, when it needs one', async () => {
    const { data, remove } = makeDataFolder()
    try {
      mkdirSync(data, { recursive: true })
      const { db } = await sharedEngine()
      await checkSecretKey(db, SECRETS, { data: 'memory', secretKey: undefined })
      const missing = await findSecretBox(db, { data, secretKey: undefined })
      assert.throws(() => missing.seal('secret'), /Set OBJECTRY_SECRET_KEY to the key that the server has/)
      assert.throws(() => statSync(join(data, 'secret.key')))
      const wrong = await findSecretBox(db, { data, secretKey: KEY })
      assert.throws(
        () => wrong.seal('secret'),
        /encrypted with another key than the key in OBJECTRY_SECRET_KEY/,
      )
    } finally {
      remove()
    }
  })
})

test('a server does not start with another key than before, and says what to do', async () => {
  const { data, remove } = makeDataFolder()
  const settings = { data, port: '0', logLevel: 'silent' }
  try {
    await (await start(readConfig({}, settings))).stop()
    await (await start(readConfig({}, settings))).stop()
    const other = readConfig({}, { ...settings, secretKey: KEY.toString('base64') })
    await assert.rejects(
      start(other),
      /encrypted with another key than the key in OBJECTRY_SECRET_KEY. Set OBJECTRY_SECRET_KEY/,
    )
    rmSync(join(data, 'secret.key'))
    await assert.rejects(
      start(readConfig({}, settings)),
      /encrypted with another key than the key in .*secret\.key/,
    )
  } finally {
    remove()
  }
})

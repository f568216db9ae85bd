import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { SETTINGS } from '../../settings.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeDataFolder } from '../../storage/embedded/make-data-folder.ts'
import { SECRET_KEY_BYTES, SecretBox, WrongSecretKey } from './secret-box.ts'
import { secretKeySql } from './secret-key.sql.ts'

type KeySettings = Pick<Config, 'data' | 'secretKey'>

const fileOf = (data: string) => join(data, 'secret.key')

/** What is sealed to tell later whether a key is the same. */
const KNOWN_TEXT = 'objectry'

function readKey(file: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === SECRET_KEY_BYTES) return key
  throw new Error(`${file} does not hold a secret key: 32 bytes in base64. Put back the file that was there.`)
}

/** Servers that start at once on one folder all get the key of the one that was first. */
function makeKey(data: string): Buffer {
  const file = fileOf(data)
  makeDataFolder(data)
  const draft = `${file}.${process.pid}`
  const key = randomBytes(SECRET_KEY_BYTES)
  rmSync(draft, { force: true })
  writeFileSync(draft, `${key.toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  try {
    linkSync(draft, file)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readKey(file)!
  } finally {
    rmSync(draft, { force: true })
  }
}

let ofThisProcess: Buffer | undefined

/**
 * What opens the secrets in the database: the key of the setting, else of the file in the data folder, which is made
 * when it is not there; data in memory has one that goes with the process.
 */
export function openSecretBox({ data, secretKey }: KeySettings): SecretBox {
  if (secretKey !== undefined) return new SecretBox(secretKey)
  if (data === 'memory') {
    ofThisProcess ??= randomBytes(SECRET_KEY_BYTES)
    return new SecretBox(ofThisProcess)
  }
  return new SecretBox(readKey(fileOf(data)) ?? makeKey(data))
}

const keyMissing = (data: string) =>
  `There is no secret key in ${data}. Set ${SETTINGS.secretKey.variable} to the key that the server has.`

/** What to say where the key is not the one that the database's secrets were encrypted with. */
function keyDiffers({ data, secretKey }: KeySettings): string {
  const { variable } = SETTINGS.secretKey
  const used =
    secretKey !== undefined
      ? `the key in ${variable}`
      : data === 'memory'
        ? 'a key made for this process'
        : `the key in ${fileOf(data)}`
  return `The secrets in this database were encrypted with another key than ${used}. Set ${variable} to the key that was used before, or put back the file secret.key of the data folder of that time.`
}

/** Whether the key opens what was sealed first; a database without secrets takes any. */
async function fits(db: Db, secrets: SecretBox): Promise<boolean> {
  const [row] = await db.query<{ encrypted: string }>(secretKeySql.find)
  if (row === undefined) return true
  try {
    return secrets.open(row.encrypted) === KNOWN_TEXT
  } catch (error) {
    if (error instanceof WrongSecretKey) return false
    throw error
  }
}

/**
 * Proves that the key fits the database, and remembers it for a database that has no secrets yet.
 * @throws Error with a message for the person at the terminal
 */
export async function checkSecretKey(db: Db, secrets: SecretBox, settings: KeySettings): Promise<void> {
  await db.query(secretKeySql.keep(secrets.seal(KNOWN_TEXT)))
  if (!(await fits(db, secrets))) throw new Error(keyDiffers(settings))
}

/** Most commands need no secret, so they work without the key; this says what is wrong when one is needed. */
class LockedBox extends SecretBox {
  readonly #reason: string

  constructor(reason: string) {
    super(Buffer.alloc(SECRET_KEY_BYTES))
    this.#reason = reason
  }

  override boxFor(): SecretBox {
    return this
  }

  override seal(): string {
    throw new Error(this.#reason)
  }

  override open(): string {
    throw new Error(this.#reason)
  }
}

/** The same as `openSecretBox` for a command, which makes no key: one of its own would fit nothing. */
export async function findSecretBox(db: Db, settings: KeySettings): Promise<SecretBox> {
  const { data, secretKey } = settings
  if (secretKey === undefined && data !== 'memory' && readKey(fileOf(data)) === undefined) {
    return new LockedBox(keyMissing(data))
  }
  const secrets = openSecretBox(settings)
  return (await fits(db, secrets)) ? secrets : new LockedBox(keyDiffers(settings))
}

import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '../../base/make-folder.ts'
import type { Config } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import type { Db } from '../../storage/database/db.ts'
import { secretKeySql } from './keys.sql.ts'
import { SECRET_KEY_BYTES, SecretBox, WrongSecretKey } from './secret-box.ts'

type KeySettings = Pick<Config, 'data' | 'secretKey'>

const fileOf = (data: string) => join(data, 'secret.key')

/** The text that is sealed to check later whether a key is the same. */
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

/** If servers start at the same time on one folder, all use the key of the first. */
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
 * The box for secrets in the database. Its key comes from the setting, else from the file in the data folder, which is
 * created if it does not exist; with data in memory, the key exists only in this process.
 */
export function openSecretBox({ data, secretKey }: KeySettings): SecretBox {
  if (secretKey !== undefined) return new SecretBox(secretKey)
  if (data === 'memory') {
    ofThisProcess ??= randomBytes(SECRET_KEY_BYTES)
    return new SecretBox(ofThisProcess)
  }
  return new SecretBox(readKey(fileOf(data)) ?? makeKey(data))
}

const describeMissingKey = (data: string) =>
  `There is no secret key in ${data}. Set ${SETTINGS.secretKey.variable} to the key that the server has.`

/** The error message for a key that differs from the one that the database's secrets were encrypted with. */
function describeWrongKey({ data, secretKey }: KeySettings): string {
  const { variable } = SETTINGS.secretKey
  const used =
    secretKey !== undefined
      ? `the key in ${variable}`
      : data === 'memory'
        ? 'a key made for this process'
        : `the key in ${fileOf(data)}`
  return `The secrets in this database were encrypted with another key than ${used}. Set ${variable} to the key that was used before, or put back the file secret.key of the data folder of that time.`
}

/** True if the key opens the stored known text; true for a database without secrets. */
async function matchesDatabase(db: Db, secrets: SecretBox): Promise<boolean> {
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
 * Checks that the key matches the database, and stores a known text for that in a database without secrets.
 * @throws Error with a message for the operator
 */
export async function checkSecretKey(db: Db, secrets: SecretBox, settings: KeySettings): Promise<void> {
  await db.query(secretKeySql.keep(secrets.seal(KNOWN_TEXT)))
  if (!(await matchesDatabase(db, secrets))) throw new Error(describeWrongKey(settings))
}

/** For commands without the key: most of them need no secret; those that do receive an error with the reason. */
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

/** Like `openSecretBox`, for a command, which must not create a key: it would match no secret. */
export async function findSecretBox(db: Db, settings: KeySettings): Promise<SecretBox> {
  const { data, secretKey } = settings
  if (secretKey === undefined && data !== 'memory' && readKey(fileOf(data)) === undefined) {
    return new LockedBox(describeMissingKey(data))
  }
  const secrets = openSecretBox(settings)
  return (await matchesDatabase(db, secrets)) ? secrets : new LockedBox(describeWrongKey(settings))
}

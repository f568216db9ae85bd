import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { readTar } from '../storage/embedded/read-tar.ts'

/**
 * Removes the files and folders in a folder that were last written longer ago than that.
 * @param life in milliseconds
 */
export function removeOldFiles(folder: string, life: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > life) rmSync(path, { recursive: true, force: true })
  }
}

/** PostgreSQL's template databases: new databases are copies of them, and an org for a test makes none. */
const TEMPLATES = /^\/base\/[14]\//

/** Removes files that a test org never needs, a third of the image of a data folder. */
export function trimImage(tar: Uint8Array): Uint8Array {
  return Buffer.concat([...readTar(tar)].flatMap(({ name, whole }) => (TEMPLATES.test(name) ? [] : [whole])))
}

/** Private to the user: images have the secrets of test orgs. */
const FOLDER = join(tmpdir(), `objectry-${userInfo().uid}`)

const SOURCES = join(import.meta.dirname, '..')

type Hash = ReturnType<typeof createHash>

/** All files below a folder that match a pattern. */
const filesIn = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder })
    .sort()
    .map((name) => ({ name, path: join(folder, name), stat: statSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())

/** Hashes this version of Objectry by modification times, which is faster than reading all files. */
function hashSources(hash: Hash): void {
  // A published package does not change.
  if (import.meta.filename.endsWith('.js'))
    return void hash.update(readFileSync(join(SOURCES, '../package.json')))
  for (const { name, stat } of filesIn(SOURCES, '{schema,standard,deployment,storage,auth}/**/*.{ts,js}')) {
    hash.update(`${name} ${stat.size} ${stat.mtimeMs}\0`)
  }
}

/** Makes the cache key from this version of Objectry and the definitions of the deployment. */
function makeKey(deployment: string | undefined): string {
  const hash = createHash('sha256').update(process.version)
  hashSources(hash)
  if (deployment !== undefined) {
    for (const { name, path } of filesIn(deployment, '{objects,value-sets}/**')) {
      hash.update(`${name}\0`).update(readFileSync(path))
    }
  }
  return hash.digest('hex').slice(0, 20)
}

/** The data of a newly created org, and the credentials for a token. */
interface OrgImage {
  readonly data: Uint8Array
  readonly clientId: string
  readonly clientSecret: string
  /** Decrypts its secrets. */
  readonly secretKey: string
}

/** Memory that the engine's thread shares: handing over a copy takes longer than reading the file. */
function readShared(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(file).size))
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(file, bytes, at, bytes.length - at, at)
      if (count === 0) throw new Error(`${path} became shorter while it was read`)
      at += count
    }
    return bytes
  } finally {
    closeSync(file)
  }
}

/** How long images of other versions and deployments are kept. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

export interface ImageCache {
  /** Undefined when there is no image yet. */
  read(): OrgImage | undefined
  write(image: OrgImage): void
}

/** Opens the cached image of an org with this deployment, which is kept between runs. */
export function imageCache(deployment: string | undefined): ImageCache {
  const path = join(FOLDER, makeKey(deployment))
  return {
    read() {
      if (!existsSync(`${path}.json`)) return undefined
      const app = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
      return { ...app, data: readShared(`${path}.data`) }
    },
    write({ data, ...app }) {
      mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
      removeOldFiles(FOLDER, RETENTION_MS)
      const bytes = trimImage(data)
      // Other processes may write the same image. Files are renamed into place, the small one last, so readers never
      // see a partial image.
      const draft = `${path}.${process.pid}`
      writeFileSync(`${draft}.data`, bytes, { mode: 0o600 })
      writeFileSync(`${draft}.json`, JSON.stringify(app), { mode: 0o600 })
      if (existsSync(`${path}.json`)) {
        for (const end of ['data', 'json']) rmSync(`${draft}.${end}`)
        return
      }
      renameSync(`${draft}.data`, `${path}.data`)
      renameSync(`${draft}.json`, `${path}.json`)
    },
  }
}

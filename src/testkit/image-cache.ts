import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { removeOldFiles } from './remove-old-files.ts'
import { trimImage } from './trim-image.ts'

/** Made by us and nobody else: it has the secrets of orgs that live for a test. */
const FOLDER = join(tmpdir(), `objectry-${userInfo().uid}`)

const SOURCES = join(import.meta.dirname, '..')

type Hash = ReturnType<typeof createHash>

/** Every file below a folder that meets a pattern. */
const filesIn = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder })
    .sort()
    .map((name) => ({ name, path: join(folder, name), stat: statSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())

/** This version of Objectry. Reading all of it would take longer than looking when it changed. */
function hashSources(hash: Hash): void {
  // As it was published it does not change.
  if (import.meta.filename.endsWith('.js'))
    return void hash.update(readFileSync(join(SOURCES, '../package.json')))
  for (const { name, stat } of filesIn(SOURCES, '{schema,standard,deployment,storage,auth}/**/*.{ts,js}')) {
    hash.update(`${name} ${stat.size} ${stat.mtimeMs}\0`)
  }
}

/** What an image depends on: this version of Objectry, and the definitions of the deployment. */
function keyOf(deployment: string | undefined): string {
  const hash = createHash('sha256').update(process.version)
  hashSources(hash)
  if (deployment !== undefined) {
    for (const { name, path } of filesIn(deployment, '{objects,value-sets}/**')) {
      hash.update(`${name}\0`).update(readFileSync(path))
    }
  }
  return hash.digest('hex').slice(0, 20)
}

/** An org as it was when it was ready for the first time, and how to get a token for it. */
export interface OrgImage {
  readonly data: Uint8Array
  readonly clientId: string
  readonly clientSecret: string
  /** Opens the secrets in it. */
  readonly secretKey: string
}

/** Images of other versions and deployments are kept this long, in milliseconds. */
const LIFE = 7 * 24 * 60 * 60 * 1000

export interface ImageCache {
  /** Undefined: nobody has made one yet. */
  read(): OrgImage | undefined
  write(image: OrgImage): void
}

/** Where the image of an org with this deployment is kept between runs. */
export function imageCache(deployment: string | undefined): ImageCache {
  const path = join(FOLDER, keyOf(deployment))
  return {
    read() {
      if (!existsSync(`${path}.json`)) return undefined
      const app = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
      return { ...app, data: readFileSync(`${path}.data`) }
    },
    write({ data, ...app }) {
      mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
      removeOldFiles(FOLDER, LIFE)
      const bytes = trimImage(data)
      // Others may be making the same one: each file is whole whoever comes last, and the small one comes last.
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

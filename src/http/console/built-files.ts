import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOrInsert } from '../../base/get-or-insert.ts'

/** Content types of what the builds make, by the end of the name. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json',
}

const PLAIN = 'text/plain; charset=utf-8'

/** Files of examples, which are read and not run. */
const EXAMPLE = /(?:\.(?:cjs|csv|mjs|py|sh|toml|ts|ya?ml)|(?:^|\/)(?:Dockerfile|LICENSE))$/

function typeOf(name: string): string | undefined {
  const type = TYPES[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? '']
  return type ?? (EXAMPLE.test(name) ? PLAIN : undefined)
}

/** Encodings that a build packs files in, the better one first, with the ends of the names. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export interface BuiltFile {
  readonly type: string
  readonly bytes: Buffer
  /** Content encoding of the bytes; undefined if there is none. */
  readonly encoding: string | undefined
  /** There are packed ones beside it. */
  readonly isPacked: boolean
}

/** Encodings that a client takes. */
function parseEncodings(header: string): ReadonlySet<string> {
  const parts = header.split(',').map((part) => part.trim().toLowerCase())
  return new Set(parts.filter((part) => !/;\s*q=0(\.0*)?$/.test(part)).map((part) => part.split(';', 1)[0]!))
}

/** The files of a folder that a build made. Each is read when it is first asked for, and once. */
export class BuiltFiles {
  readonly #folder: string
  /** By path below the folder. */
  readonly #names: ReadonlySet<string>
  readonly #bytes = new Map<string, Buffer>()

  constructor(folder: string) {
    this.#folder = folder
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    this.#names = new Set(names.map((name) => name.replaceAll('\\', '/')))
  }

  #read(name: string): Buffer {
    return getOrInsert(this.#bytes, name, () => readFileSync(join(this.#folder, name)))
  }

  /**
   * @param name its path below the folder
   * @param accepted the header `Accept-Encoding`
   * @returns undefined: there is no such file
   */
  find(name: string, accepted: string): BuiltFile | undefined {
    const type = typeOf(name)
    // Only names that are there are read: what a client sends is never part of a path.
    if (type === undefined || name.startsWith('.') || !this.#names.has(name)) return undefined
    const encodings = parseEncodings(accepted)
    const packed = PACKED.filter(([, end]) => this.#names.has(`${name}${end}`))
    const [encoding, end] = packed.find(([coding]) => encodings.has(coding)) ?? [undefined, '']
    return { type, bytes: this.#read(`${name}${end}`), encoding, isPacked: packed.length > 0 }
  }
}

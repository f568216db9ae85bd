import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { findPackageRoot } from '../../base/package-root.ts'

/** Content types of what the build makes, by the end of the name. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json',
}

const PAGE = 'index.html'

/** Encodings that the build packs files in, the better one first, with the ends of the names. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
  /** What the bytes are packed in; undefined: nothing. */
  readonly encoding: string | undefined
  /** There are packed ones beside it. */
  readonly isPacked: boolean
}

const isBuilt = (folder: string) => existsSync(join(folder, PAGE))

/** Where the console was built to: in a checkout, or in the published package. */
function findFolder(): string | undefined {
  const root = findPackageRoot()
  return [join(root, 'console/dist'), join(root, 'build/console')].find(isBuilt)
}

/** Encodings that a client takes. */
function parseEncodings(header: string): ReadonlySet<string> {
  const parts = header.split(',').map((part) => part.trim().toLowerCase())
  return new Set(parts.filter((part) => !/;\s*q=0(\.0*)?$/.test(part)).map((part) => part.split(';', 1)[0]!))
}

/** The built console. Each file is read when it is first asked for, and once. */
export class ConsoleFiles {
  readonly #folder: string
  /** By path below the folder. */
  readonly #names: ReadonlySet<string>
  readonly #bytes = new Map<string, Buffer>()
  /** The page, with places for the nonce. */
  readonly page: string

  constructor(folder: string) {
    this.#folder = folder
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    this.#names = new Set(names.map((name) => name.replaceAll('\\', '/')))
    this.page = readFileSync(join(folder, PAGE), 'utf8')
  }

  #read(name: string): Buffer {
    return getOrInsert(this.#bytes, name, () => readFileSync(join(this.#folder, name)))
  }

  /**
   * @param name its path below `/console/`
   * @param accepted the header `Accept-Encoding`
   * @returns undefined: there is no such file
   */
  find(name: string, accepted: string): ConsoleFile | undefined {
    const type = TYPES[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? '']
    // Only names that are there are read: what a client sends is never part of a path.
    if (type === undefined || name.startsWith('.') || !this.#names.has(name)) return undefined
    const encodings = parseEncodings(accepted)
    const packed = PACKED.filter(([, end]) => this.#names.has(`${name}${end}`))
    const [encoding, end] = packed.find(([coding]) => encodings.has(coding)) ?? [undefined, '']
    return { type, bytes: this.#read(`${name}${end}`), encoding, isPacked: packed.length > 0 }
  }
}

/**
 * @param folder with the built console; default where the build puts it
 * @returns undefined: the console is not built
 */
export function openConsoleFiles(folder = findFolder()): ConsoleFiles | undefined {
  return folder !== undefined && isBuilt(folder) ? new ConsoleFiles(folder) : undefined
}

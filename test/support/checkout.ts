import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENVIRONMENT, V8_FLAGS } from './server-process.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A copy of this checkout that a test may change. */
export interface Checkout {
  /** The file of its command line. */
  readonly command: string
  /** Does what `npm ci` does at its end; what that said. */
  prepare(): string
  /** Makes a file say something when it is loaded. */
  say(file: string, message: string): void
  /** Names of the files in a folder. */
  list(folder: string): string[]
  replace(file: string, text: string): void
  remove(file: string): void
  /** Runs the command line; what it said. */
  run(...args: string[]): string
  dispose(): void
}

/** Copies what a start needs. The packages are those of this checkout. */
export function copyCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'objectry-checkout-'))
  const path = (file: string) => join(root, file)
  for (const name of ['bin', 'scripts', 'src', 'package.json'])
    cpSync(join(ROOT, name), path(name), { recursive: true })
  mkdirSync(path('node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules', name), path(`node_modules/${name}`))
  const command = path('bin/objectry.js')
  const execute = (file: string, args: readonly string[]) =>
    execFileSync(process.execPath, [...V8_FLAGS, path(file), ...args], {
      cwd: root,
      env: ENVIRONMENT,
      encoding: 'utf8',
    })
  return {
    command,
    prepare: () => execute('scripts/prepare.js', []),
    say(file, message) {
      const text = readFileSync(path(file), 'utf8')
      const [hashbang = ''] = /^#!.*\n/.exec(text) ?? []
      writeFileSync(path(file), `${hashbang}console.log('${message}');${text.slice(hashbang.length)}`)
    },
    list: (folder) => readdirSync(path(folder)),
    replace(file, text) {
      rmSync(path(file))
      writeFileSync(path(file), text)
    },
    remove: (file) => rmSync(path(file), { recursive: true }),
    run: (...args) => execute('bin/objectry.js', args),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Said } from './command-process.ts'
import { openOrg, type TestOrg } from './org.ts'
import { openPort } from './real-port.ts'

/** The sf command that the tests run; they are skipped without one. */
const SF = process.env.OBJECTRY_SF

/** Options of the suites that run it. */
export const SF_NEEDED = { skip: SF === undefined && 'OBJECTRY_SF names no sf command; npm run test:sf does' }

/** The sf command of the registry, unmodified, in a home and a folder of its own. */
export interface Sf {
  /** Runs a command in its folder. */
  run(...args: readonly string[]): Promise<Said>
  /** Runs a command in the name of a token against an org, without signing in. */
  ask(...args: readonly string[]): Promise<Said>
  /** `ask` with an answer in JSON. Its `status` is the exit code; the record of an error is the answer itself. */
  // biome-ignore lint/suspicious/noExplicitAny: each command answers in its own shape
  json(...args: readonly string[]): Promise<any>
  /**
   * Runs a CommonJS script that uses the packages of the command: `fromCommand` requires them, `token` and `instanceUrl` are there.
   */
  script(text: string): Promise<Said>
  /** Path of a file in its folder. */
  path(name: string): string
  /** Puts a file into its folder. */
  write(name: string, content: object | string): void
  read(name: string): string
  remove(): void
}

/** The command in front of an org of its own over a real port. */
export interface SfClient {
  readonly o: TestOrg
  readonly sf: Sf
  readonly address: string
  close(): Promise<void>
}

/** No command may take longer than this; one takes about two seconds. */
const MAX_LENGTH = 120_000

/** Says nothing to its makers, looks for no newer version, keeps no log, and has no keychain to ask. */
const QUIET = {
  SF_DISABLE_TELEMETRY: 'true',
  SF_AUTOUPDATE_DISABLE: 'true',
  SF_DISABLE_AUTOUPDATE: 'true',
  SF_SKIP_NEW_VERSION_CHECK: 'true',
  SF_DISABLE_LOG_FILE: 'true',
  SF_USE_GENERIC_UNIX_KEYCHAIN: 'true',
  NO_COLOR: '1',
}

/** A token in the place of an org's name, and SF_ORG_INSTANCE_URL beside it: so it asks without having signed in. */
function openSf(address: string, token: string): Sf {
  const home = mkdtempSync(join(tmpdir(), 'objectry-sf-home-'))
  const folder = mkdtempSync(join(tmpdir(), 'objectry-sf-'))
  const env = {
    ...QUIET,
    // The command looks for a `node`; it gets the one that runs the tests.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: home,
    USERPROFILE: home,
    SF_ORG_INSTANCE_URL: address,
    SF_ACCESS_TOKEN: token,
    // Instead of opening an address it writes it down.
    BROWSER: join(folder, 'browser.sh'),
  }
  writeFileSync(env.BROWSER, `#!/bin/sh\nprintf %s "$1" > '${join(folder, 'opened')}'\n`, { mode: 0o755 })
  const spawnHere = async (command: string, args: readonly string[]): Promise<Said> => {
    const options = { env, cwd: folder, timeout: MAX_LENGTH }
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const [[code], out, error] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, out, error }
  }
  const run: Sf['run'] = (...args) => spawnHere(SF!, args)
  const ask: Sf['ask'] = (...args) => run(...args, '--target-org', token)
  return {
    run,
    ask,
    script(text) {
      const names = {
        fromCommand: `require('node:module').createRequire(${JSON.stringify(realpathSync(SF!))})`,
        token: JSON.stringify(token),
        instanceUrl: JSON.stringify(address),
      }
      const head = Object.entries(names).map(([name, value]) => `const ${name} = ${value}\n`)
      return spawnHere(process.execPath, ['-e', `${head.join('')}${text}`])
    },
    async json(...args) {
      const { out, error } = await ask(...args, '--json')
      try {
        return JSON.parse(out)
      } catch {
        throw new Error(`sf ${args.join(' ')} did not answer in JSON: ${out}${error}`)
      }
    },
    write(name, content) {
      const written = typeof content === 'string' ? content : JSON.stringify(content)
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), written)
    },
    path: (name) => join(folder, name),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    remove() {
      for (const path of [home, folder]) rmSync(path, { recursive: true, force: true })
    },
  }
}

export async function openSfClient(): Promise<SfClient> {
  const o = await openOrg()
  const port = await openPort()
  const sf = openSf(port.address, o.token)
  const close = async () => {
    sf.remove()
    await port.close()
  }
  return { o, sf, address: port.address, close }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findBundle } from '../../bin/find-bundle.js'
import { afterLastFile } from '../support/after-file.ts'
import { ENVIRONMENT, V8_FLAGS } from '../support/server-process.ts'
import { copyDataFolder } from '../support/template.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { type Block, isOutput } from './read-page.ts'

/** True if commands run the bundle. The sources do the same, but start slower, and a new database has no image. */
export const hasBundle = findBundle() !== undefined

const COMMAND = join(import.meta.dirname, '../../bin/objectry.js')

/** How long the server may take to start or to stop. */
const SERVER_MS = 60_000

/** Runs `objectry serve` on a new data folder until it is ready. */
async function startOnce(data: string): Promise<void> {
  const env = {
    ...ENVIRONMENT,
    OBJECTRY_DATA: data,
    PORT: '0',
    SITE_PORT: '0',
    OBJECTRY_LOG_LEVEL: 'silent',
  }
  const child = spawn(process.execPath, [...V8_FLAGS, COMMAND, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: SERVER_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('Objectry is ready')) child.kill('SIGTERM')
  }
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`the server on new data ended with ${signal ?? code}`)
}

let started: Promise<string> | undefined

async function makeStartedData(): Promise<string> {
  const { folder, remove } = makeTemporaryFolder()
  afterLastFile(remove)
  const data = join(folder, 'data')
  if (!hasBundle) copyDataFolder(data)
  await startOnce(data)
  return data
}

/** Settings that a first start reads, the files that it makes, and a page for newcomers. */
const FIRST_START = /\.objectry\b|\bOBJECTRY_(?:ADMIN_|CLIENT_|DATA|SECRET_KEY)|\bnpm (?:ci && npm )?start\b/

/** A command that starts a server. */
const START = /\bobjectry(?: serve\b.*)?$/m

/** True if a page starts a server, and cannot tell that an earlier one made the data folder and its first org. */
function canBeginStarted(blocks: readonly Block[]): boolean {
  if (blocks.some(({ text }) => FIRST_START.test(text))) return false
  const isStart = ({ language, text }: Block) => language === 'sh' && START.test(text)
  const showsGreeting = blocks.some((block, index) => isStart(block) && isOutput(blocks[index + 1]))
  return blocks.some(isStart) && !showsGreeting
}

/**
 * Makes the data folder of a page, if it is to have one: a first start takes twice as long as the next. Without a
 * bundle, a first start would also create its database, which takes longest; such a page begins behind that.
 */
export async function prepareData(blocks: readonly Block[], target: string): Promise<void> {
  if (canBeginStarted(blocks)) {
    started ??= makeStartedData()
    cpSync(await started, target, { recursive: true })
  } else if (!hasBundle) copyDataFolder(target)
}

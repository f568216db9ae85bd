import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { GuideDatabases } from './guide-databases.ts'
import { GuideShell } from './guide-shell.ts'
import { PageVariables } from './match-answer.ts'
import { type Block, isOutput } from './read-page.ts'
import { prepareData } from './started-data.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** How long a block marked `<!-- eventually -->` is repeated until its output is what the page says. */
const EVENTUALLY_MS = 60_000

/** Pauses between the attempts of such a block, of which each takes processor time; the last one repeats. */
const PAUSES_MS = [50, 100, 200, 300]

/** How long a line of the log is waited for. */
const LOG_MS = 30_000

/** One or more commands of a page, with what they print according to it. */
interface Step {
  readonly script: string
  readonly shown: Pick<Block, 'language' | 'text'> | undefined
  readonly block: Block
}

const SCRIPTS = ['sh', 'bash']

const isFile = ({ note }: Block) => note?.startsWith('file: ') === true
const isLeftOut = ({ note }: Block) => note?.startsWith('not run: ') === true

/** The commands of a block in which each begins with `$ ` and is followed by its output. */
function readDialogue(block: Block): Step[] {
  const steps: { script: string; lines: string[] }[] = []
  let continues = false
  for (const line of block.text.split('\n')) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ script: line.slice(2), lines: [] })
    else if (last === undefined) throw new Error('a console block begins with a command: $ ...')
    else if (continues) last.script += `\n${line}`
    else last.lines.push(line)
    continues = line.endsWith('\\')
  }
  return steps.map(({ script, lines }) => ({
    script,
    block,
    shown: { language: '', text: lines.join('\n') },
  }))
}

/** The address and the names by which a page and this machine know the same things. */
class Names {
  readonly #ports: readonly (readonly [string, string])[]
  readonly #databases: GuideDatabases | undefined

  constructor(ports: readonly number[], databases: GuideDatabases | undefined) {
    this.#ports = ['8080', '8081'].map((shown, index) => [shown, String(ports[index])])
    this.#databases = databases
  }

  toReal(text: string): string {
    for (const [shown, real] of this.#ports) text = text.replaceAll(shown, real)
    return this.#databases?.toReal(text) ?? text
  }

  toShown(text: string): string {
    for (const [shown, real] of this.#ports) text = text.replaceAll(real, shown)
    return this.#databases?.toShown(text) ?? text
  }
}

/** Progress lines of a command, whose number depends on the machine. */
const WAITING = /^.+: \d+ s so far\n/gm

const trimLines = (text: string) =>
  text
    .replaceAll('\r', '')
    .replace(WAITING, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

class Guide {
  readonly problems: string[] = []
  readonly #shell: GuideShell
  readonly #project: string
  readonly #names: Names
  readonly #variables = new PageVariables()

  constructor(shell: GuideShell, project: string, names: Names) {
    this.#shell = shell
    this.#project = project
    this.#names = names
  }

  async run(blocks: readonly Block[], isOnPostgres: boolean): Promise<void> {
    let previous: Block | undefined
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!
      const before = previous
      previous = block
      if (isLeftOut(block) || block.language === 'fixture') continue
      if (block.note === 'on PostgreSQL' && !isOnPostgres) continue
      try {
        if (isFile(block)) this.#write(block)
        else if (block.note === 'in the log') await this.#findInLog(block)
        else if (SCRIPTS.includes(block.language)) {
          const next = blocks[index + 1]
          await this.#check({ script: block.text, block, shown: isOutput(next) ? next : undefined })
        } else if (block.language === 'console') {
          for (const step of readDialogue(block)) await this.#check(step)
        } else if (before === undefined || !SCRIPTS.includes(before.language) || !isOutput(block)) {
          this.#report(
            block,
            'the block is neither run nor compared: mark it as a file, or say why it is not run',
          )
        }
      } catch (error) {
        this.#report(block, (error as Error).message)
      }
    }
  }

  #write({ language, note, text }: Block): void {
    const path = join(this.#project, note!.slice('file: '.length))
    mkdirSync(dirname(path), { recursive: true })
    // Angle brackets in XML are tags, not names.
    const filled = language === 'xml' ? text : this.#variables.fill(text)
    writeFileSync(path, `${this.#names.toReal(filled)}\n`)
  }

  async #check({ script, shown, block }: Step): Promise<void> {
    if (block.note === 'after Ctrl-C') await this.#shell.stopServer()
    const filled = this.#names.toReal(this.#variables.fill(script))
    const deadline = Date.now() + (block.note === 'eventually' ? EVENTUALLY_MS : 0)
    for (let attempt = 0; ; attempt++) {
      const { output, failed } = await this.#shell.run(filled)
      const actual = trimLines(this.#names.toShown(output))
      // A page that shows the output shows the failure in it.
      const problems =
        shown === undefined ? failed.map((command) => `it failed: ${command}`) : this.#compare(shown, actual)
      if (problems.length === 0) return
      if (Date.now() >= deadline) {
        const log = this.#shell.serverLog.split('\n').filter((line) => /"level":[56]0/.test(line))
        const said = [...problems, `it printed:\n${actual}`, ...log.map((line) => `log: ${line}`)]
        this.#report(block, `${script.split('\n')[0]}\n  ${said.join('\n  ')}`)
        return
      }
      await setTimeout(PAUSES_MS[attempt] ?? PAUSES_MS.at(-1))
    }
  }

  #compare({ language, text }: Pick<Block, 'language' | 'text'>, actual: string): string[] {
    const expected = language === 'json' ? parseJson(text) : undefined
    if (expected !== undefined) return this.#variables.compare(expected, parseJson(actual), 'output')
    const isAsShown = this.#variables.compare(trimLines(text), actual).length === 0
    return isAsShown ? [] : ['it prints something else than the page shows']
  }

  async #findInLog(block: Block): Promise<void> {
    const deadline = Date.now() + LOG_MS
    for (const shown of block.text.split('\n')) {
      const isThere = () =>
        this.#shell.serverLog
          .split('\n')
          .some(
            (line) =>
              this.#compare({ language: 'json', text: shown }, this.#names.toShown(line)).length === 0,
          )
      while (!isThere()) {
        if (Date.now() > deadline) {
          this.#report(block, `the log has no such line:\n${this.#shell.serverLog}`)
          return
        }
        await setTimeout(100)
      }
    }
  }

  #report(block: Block, problem: string): void {
    this.problems.push(`line ${block.line}: ${problem}`)
  }
}

/** Ports that no system gives to clients: a page starts its servers late, and until then another program could get one of those. */
const FIRST_PORT = 10_000
const PORTS = 10_000

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
  })
  if (isListening) await new Promise((done) => server.close(done))
  return isListening
}

/** Two free ports. */
async function findPorts(): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < 2) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** Makes this checkout a package of the page's folder. */
function install(project: string): void {
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(ROOT, join(project, 'node_modules/objectry'))
  mkdirSync(join(project, 'node_modules/.bin'))
  symlinkSync(join(ROOT, 'bin/objectry.js'), join(project, 'node_modules/.bin/objectry'))
  for (const name of ['jsforce', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'package.json'), '{"name":"records","private":true,"type":"module"}\n')
}

const compile = promisify(execFile)

/** Returns the errors that the compiler finds in the TypeScript of a page. */
async function checkTypes(folder: string, project: string): Promise<string[]> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.collection', 'esnext.iterator', 'dom'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    paths: {
      objectry: [join(ROOT, 'src/scripting/sdk/objectry.ts')],
      'objectry/test': [join(ROOT, 'src/testkit/start-org.ts')],
    },
  }
  const config = { compilerOptions, include: [`${project}/**/*.ts`] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const said = await compile(process.execPath, [compiler, '-p', folder], { timeout: 120_000 }).then(
    () => '',
    ({ stdout, message }) => stdout || message,
  )
  return said === '' ? [] : [`the compiler says:\n${said}`]
}

/**
 * Does what a page says from top to bottom, in a folder of its own, as a reader would; what is wrong with it.
 * @param serverUrl a PostgreSQL server, for the blocks marked `<!-- on PostgreSQL -->`; without one they are left out
 */
export async function runGuide(blocks: readonly Block[], serverUrl?: string): Promise<readonly string[]> {
  const { folder, remove } = makeTemporaryFolder()
  const project = join(folder, 'project')
  const databases = serverUrl === undefined ? undefined : new GuideDatabases(serverUrl)
  const ports = await findPorts()
  const [port = 0, sitePort = 0] = ports.map(String)
  install(project)
  await prepareData(blocks, join(project, '.objectry'))
  const variables = { PORT: String(port), SITE_PORT: String(sitePort), ...databases?.variables }
  const shell = new GuideShell(folder, variables)
  try {
    await databases?.make(blocks.map(({ text }) => text).join('\n'))
    const guide = new Guide(shell, project, new Names(ports, databases))
    await guide.run(blocks, serverUrl !== undefined)
    const hasTypes = blocks.some((block) => isFile(block) && block.note!.endsWith('.ts'))
    return hasTypes ? [...guide.problems, ...(await checkTypes(folder, project))] : guide.problems
  } finally {
    await shell.close()
    await databases?.drop()
    remove()
  }
}

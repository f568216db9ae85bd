import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { STATUS_CODES } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import type { Engine } from '../../src/storage/database/db.ts'
import { afterFile } from '../support/after-file.ts'
import { type Answer, makeAnswer, openOrg, type TestOrg } from '../support/org.ts'
import { openTemplateCopy } from '../support/template.ts'
import { FIXTURES, type Fixture } from './fixtures.ts'
import { PageVariables } from './match-answer.ts'
import type { Block } from './read-page.ts'

/** The version in which blocks that name none are sent. */
const DATA = '/services/data/v66.0'

type Headers = Readonly<Record<string, string>>

interface Message {
  readonly startLine: string
  readonly headers: Headers
  readonly body: string
}

function parseMessage(text: string): Message {
  const [head = '', ...rest] = text.split('\n\n')
  const [startLine = '', ...lines] = head.split('\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`"${line}" is not a header. Put an empty line before the body.`)
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { startLine, headers, body: rest.join('\n\n') }
}

const isRequest = ({ language, text }: Block) => language === 'http' && /^[A-Z]+ \S/.test(text)
const isAnswer = ({ language, text }: Block) => language === 'http' && text.startsWith('HTTP/')

/** Addresses of the public site. An org that has a page with one is given the host. */
const SITE = /https:\/\/(?<host>site\.[^/\s]+)/

/** Sends a request of a page. One whose address begins with https://site. goes to the public site of the org. */
async function send(org: TestOrg, text: string, always: Headers): Promise<Answer> {
  const { startLine, headers, body } = parseMessage(text)
  const { method, target } = /^(?<method>[A-Z]+) (?<target>\S+)$/.exec(startLine)?.groups ?? {}
  if (target === undefined) throw new Error(`"${startLine}" is not a method and an address.`)
  const sent: Record<string, string> = { authorization: `Bearer ${org.token}`, ...always }
  if (/^[{["]/.test(body)) sent['content-type'] = 'application/json'
  Object.assign(sent, headers)
  if (sent.authorization === 'none') delete sent.authorization
  const site = SITE.exec(target)
  if (site !== null) sent.host = site.groups!.host!
  const isMultipart = sent['content-type']?.startsWith('multipart/') === true
  const options: InjectOptions = {
    method: method as 'GET',
    url: target.slice(site?.[0].length ?? 0),
    headers: sent,
    ...(body !== '' && { payload: isMultipart ? body.replaceAll('\n', '\r\n') : body }),
  }
  return makeAnswer(await (site === null ? org.server : org.site).inject(options))
}

/** How an answer differs from the one that the page shows. */
function compareAnswer(variables: PageVariables, shown: string, answer: Answer): string[] {
  const { startLine, headers, body } = parseMessage(shown)
  const status = Number(startLine.split(' ')[1])
  const problems: string[] = []
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
  if (startLine !== line) problems.push(`the page should say "${line}"`)
  if (answer.status !== status) problems.push(`the status is ${answer.status}`)
  for (const [name, value] of Object.entries(headers)) {
    const actual = answer.headers[name]?.toString()
    if (name === 'etag') problems.push(...variables.compareTag(value, actual))
    else problems.push(...variables.compare(value, actual, `header ${name}`))
  }
  return [...problems, ...compareBody(variables, body, answer)]
}

function compareBody(variables: PageVariables, shown: string, answer: Answer): string[] {
  if (shown === '…') return []
  if (answer.body === undefined || shown === '') return variables.compare(shown, answer.text.trimEnd())
  return variables.compare(JSON.parse(shown), answer.body)
}

/** A query or a document of a page as a request. */
function makeRequest({ language, text }: Block): string {
  if (language === 'graphql') return `POST ${DATA}/graphql\n\n${JSON.stringify({ query: text })}`
  return `GET ${DATA}/query?q=${encodeURIComponent(text)}`
}

/** How long an example marked `<!-- eventually -->` is repeated until it is answered as the page says. */
const EVENTUALLY_MS = 60_000

class Runner {
  readonly problems: string[] = []
  #count = 0
  readonly #org: TestOrg
  readonly #variables: PageVariables
  readonly #always: Headers

  constructor(org: TestOrg, variables: PageVariables, always: Headers) {
    this.#org = org
    this.#variables = variables
    this.#always = always
  }

  async run(blocks: readonly Block[]): Promise<void> {
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!
      const next = blocks[index + 1]
      if (isRequest(block)) {
        if (next === undefined || !isAnswer(next)) this.#report(block, 'the request has no answer')
        else await this.#check(block, [block.text], (answer) => this.#compare(next.text, answer))
      } else if (block.language === 'soql' || block.language === 'graphql') {
        await this.#checkText(block, next)
      } else if (isAnswer(block)) {
        const before = blocks[index - 1]
        if (before === undefined || !(isRequest(before) || before.language === 'soql')) {
          this.#report(block, 'the answer has no request')
        }
      } else if (block.language === 'http') {
        this.#report(block, 'an http block begins with a method or with HTTP/1.1')
      }
    }
    if (this.#count === 0) this.problems.push('the page has no example')
  }

  /** A query or a document, and what comes behind it; queries without an answer have to succeed. */
  async #checkText(block: Block, next: Block | undefined): Promise<void> {
    if (next !== undefined && (next.language === 'json' || isAnswer(next))) {
      const shown = isAnswer(next) ? next.text : `HTTP/1.1 200 OK\n\n${next.text}`
      await this.#check(block, [makeRequest(block)], (answer) => this.#compare(shown, answer))
    } else if (block.language === 'graphql') {
      this.#report(block, 'the document has no answer')
    } else {
      const requests = block.text.split('\n\n').map((text) => makeRequest({ ...block, text }))
      await this.#check(block, requests, ({ status }) => (status === 200 ? [] : [`the status is ${status}`]))
    }
  }

  #compare(shown: string, answer: Answer): string[] {
    return compareAnswer(this.#variables, shown, answer)
  }

  async #check(
    block: Block,
    requests: readonly string[],
    compare: (answer: Answer) => string[],
  ): Promise<void> {
    for (const request of requests) {
      this.#count++
      try {
        const filled = this.#variables.fill(request)
        const deadline = Date.now() + (block.note === 'eventually' ? EVENTUALLY_MS : 0)
        let answer = await send(this.#org, filled, this.#always)
        let problems = compare(answer)
        while (problems.length > 0 && Date.now() < deadline) {
          await setTimeout(50)
          answer = await send(this.#org, filled, this.#always)
          problems = compare(answer)
        }
        if (problems.length === 0) continue
        const [sent] = filled.split('\n')
        this.#report(block, `${sent}\n  ${problems.join('\n  ')}\n  answer: ${answer.status} ${answer.text}`)
      } catch (error) {
        this.#report(block, (error as Error).message)
      }
    }
  }

  #report(block: Block, problem: string): void {
    this.problems.push(`line ${block.line}: ${problem}`)
  }
}

async function openOwnEngine(): Promise<Engine> {
  const { engine, drop } = await openTemplateCopy(process.env.TEST_DATABASE_URL)
  afterFile(async () => {
    await engine.close()
    await drop()
  })
  return engine
}

/** Writes the files of a page's deployment, those blocks that `<!-- file: name -->` names. Undefined: it has none. */
async function writeDeployment(blocks: readonly Block[]): Promise<string | undefined> {
  const files = blocks.filter(({ note }) => note?.startsWith('file: '))
  if (files.length === 0) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'objectry-docs-'))
  afterFile(() => rm(folder, { recursive: true }))
  for (const { note, text } of files) {
    const path = join(folder, note!.slice('file: '.length))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return folder
}

/** Makes the org of a page. */
async function openPageOrg(blocks: readonly Block[], fixtures: readonly Fixture[]): Promise<TestOrg> {
  const options = Object.assign({}, ...fixtures.map((fixture) => fixture.options))
  const site = SITE.exec(blocks.map(({ text }) => text).join('\n'))
  const host = site === null ? undefined : site.groups!.host
  const engine = fixtures.some(({ isFirstOrg }) => isFirstOrg) ? await openOwnEngine() : undefined
  return openOrg({ host, engine, ...options, deployment: await writeDeployment(blocks) })
}

/**
 * Runs the examples of a page from top to bottom; what is wrong with them.
 * @param ownOrg where they run; default an org that is made for the page
 */
export async function runExamples(blocks: readonly Block[], ownOrg?: TestOrg): Promise<readonly string[]> {
  const fixtures = blocks
    .filter(({ language }) => language === 'fixture')
    .map(({ text, line }) => {
      const fixture = FIXTURES[text]
      if (fixture === undefined) throw new Error(`line ${line}: there is no fixture "${text}"`)
      return fixture
    })
  const org = ownOrg ?? (await openPageOrg(blocks, fixtures))
  const variables = new PageVariables()
  for (const fixture of fixtures) {
    const values = (await fixture.prepare?.(org)) ?? {}
    for (const [text, value] of Object.entries(values)) variables.bind(text, value)
  }
  const always = Object.assign({}, ...fixtures.map(({ headers }) => headers))
  const runner = new Runner(org, variables, always)
  await runner.run(blocks)
  return runner.problems
}

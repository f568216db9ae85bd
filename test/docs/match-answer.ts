/** Stands for any text in an answer of a page; alone as a member or last element it permits further ones. */
const ANYTHING = '…'

/**
 * Text that the server generates: record ids, times, secrets. It differs from run to run. What has no form of its own
 * is written as a name in angle brackets: `<access token>`.
 */
const GENERATED =
  /(?<![0-9A-Za-z])(?:(?<id>[0-9A-Za-z]{3}OB0[0-9A-Za-z]{9})(?<check>[A-Z0-5]{3})?(?![0-9A-Za-z])|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:\+0000|Z))|(?<date>[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)|(?<secret>[0-9a-f]{64})(?![0-9A-Za-z]))|(?<named><[a-z][a-z ]*>)|(?<anything>…)/g

type GeneratedText = Partial<
  Record<'id' | 'check' | 'time' | 'date' | 'secret' | 'named' | 'anything', string>
>

const ID = '[0-9A-Za-z]{15}'
const CHECK = '[A-Z0-5]{3}'
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?(?:\\+0000|Z)'
const DATE = '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT'
const SECRET = '[0-9a-f]{64}'
const NAMED = '[^\\s"&]+'

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function patternOfKind({ id, time, date, secret }: GeneratedText): string {
  if (id !== undefined) return ID
  if (time !== undefined) return TIME
  if (date !== undefined) return DATE
  return secret === undefined ? NAMED : SECRET
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Values of the generated texts of one page. The first answer that shows one binds it to the text that the server
 * gave; a request that shows one first means it as it is written.
 */
export class PageVariables {
  /** By the text on the page; ids by their first fifteen characters. */
  readonly #values = new Map<string, string>()
  /** Texts that a request of the page has sent as they are. */
  readonly #literals = new Set<string>()

  /** Gives a text of the page a value before any answer does. */
  bind(text: string, value: string): void {
    this.#values.set(text, value)
  }

  /** A part of a request with the real values in it. */
  fill(text: string): string {
    // Texts with an ellipsis and entity tags are bound as a whole.
    const wholes = [...this.#values.keys()].filter((key) => key.includes(ANYTHING) || key.startsWith('"'))
    for (const whole of wholes.sort((a, b) => b.length - a.length)) {
      text = text.replaceAll(whole, () => this.#values.get(whole)!)
    }
    return text.replace(GENERATED, (written, ...more) => {
      const { id, check, named, anything } = more.at(-1) as GeneratedText
      if (anything !== undefined)
        throw new Error('A request has an ellipsis that no answer has given a value.')
      const key = id ?? written
      const value = this.#values.get(key)
      if (value !== undefined) return value + this.#checkFor(value, check)
      if (named !== undefined) throw new Error(`No answer has given ${named} a value.`)
      if (![...this.#values.values()].includes(key)) this.#literals.add(key)
      return written
    })
  }

  /** The three last characters of the id that a variable stands for. */
  #checkFor(value: string, check: string | undefined): string {
    return check === undefined ? '' : (this.#values.get(`check of ${value}`) ?? check)
  }

  /** How an answer differs from what the page shows; an empty list: it does not. */
  compare(expected: unknown, actual: unknown, path = 'body'): string[] {
    if (expected === ANYTHING) return []
    if (typeof expected === 'string') return this.#compareTexts(expected, actual, path)
    if (Array.isArray(expected)) return this.#compareLists(expected, actual, path)
    if (isObject(expected)) return this.#compareObjects(expected, actual, path)
    return expected === actual ? [] : [`${path} is ${JSON.stringify(actual)}`]
  }

  /** A header whose value is a validator: the page's text stands for the whole of it. */
  compareTag(expected: string, actual: string | undefined): string[] {
    if (actual === undefined) return ['etag is missing']
    const known = this.#values.get(expected)
    if (known !== undefined) return known === actual ? [] : [`etag is ${actual} instead of ${known}`]
    this.#values.set(expected, actual)
    return []
  }

  #compareLists(expected: readonly unknown[], actual: unknown, path: string): string[] {
    if (!Array.isArray(actual)) return [`${path} is ${JSON.stringify(actual)}`]
    const isOpen = expected.at(-1) === ANYTHING
    const elements = isOpen ? expected.slice(0, -1) : expected
    const problems = elements.flatMap((element, index) =>
      this.compare(element, actual[index], `${path}[${index}]`),
    )
    if (!isOpen && actual.length !== expected.length) {
      problems.push(`${path} has ${actual.length} elements instead of ${expected.length}`)
    }
    return problems
  }

  #compareObjects(expected: Readonly<Record<string, unknown>>, actual: unknown, path: string): string[] {
    if (!isObject(actual)) return [`${path} is ${JSON.stringify(actual)}`]
    const problems: string[] = []
    for (const [name, value] of Object.entries(expected)) {
      if (name === ANYTHING) continue
      if (Object.hasOwn(actual, name)) problems.push(...this.compare(value, actual[name], `${path}.${name}`))
      else problems.push(`${path}.${name} is missing`)
    }
    if (Object.hasOwn(expected, ANYTHING)) return problems
    const further = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name))
    return [
      ...problems,
      ...further.map((name) => `${path}.${name} is not on the page: ${JSON.stringify(actual[name])}`),
    ]
  }

  #compareTexts(expected: string, actual: unknown, path: string): string[] {
    if (typeof actual !== 'string') return [`${path} is ${JSON.stringify(actual)}`]
    const found: { readonly key: string; readonly group: string; readonly check: string | undefined }[] = []
    let pattern = ''
    let end = 0
    for (const match of expected.matchAll(GENERATED)) {
      pattern += escapePattern(expected.slice(end, match.index))
      end = match.index + match[0].length
      pattern += this.#patternFor(match[0], match.groups as GeneratedText, found)
    }
    pattern += escapePattern(expected.slice(end))
    const match = new RegExp(`^${pattern}$`).exec(actual)
    if (match === null) return [`${path} is ${JSON.stringify(actual)}`]
    for (const { key, group, check } of found) {
      const value = match.groups![group]!
      if (check !== undefined) this.#values.set(`check of ${value}`, match.groups![check]!)
      if (!this.#values.has(key)) this.#values.set(key, value)
    }
    if (expected.includes(ANYTHING) && !this.#values.has(expected)) this.#values.set(expected, actual)
    return []
  }

  #patternFor(
    written: string,
    generated: GeneratedText,
    found: { key: string; group: string; check: string | undefined }[],
  ): string {
    const { id, check, time, date, anything } = generated
    if (anything !== undefined) return '[\\s\\S]*'
    const key = id ?? written
    if (this.#literals.has(key)) return escapePattern(written)
    const value = this.#values.get(key)
    const group = `g${found.length}`
    // Two records made one after the other may be of one second or of two.
    const isTime = time !== undefined || date !== undefined
    if (value !== undefined && !isTime) return `${escapePattern(value)}${check === undefined ? '' : CHECK}`
    found.push({ key, group, check: check === undefined ? undefined : `${group}c` })
    return `(?<${group}>${patternOfKind(generated)})${check === undefined ? '' : `(?<${group}c>${CHECK})`}`
  }
}

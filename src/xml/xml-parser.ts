import { decodeReferences } from './decode-references.ts'
import { type XmlElement, XSI_URI } from './xml-element.ts'

export interface ParserOptions {
  readonly text: string
  /** Elements in elements. */
  readonly maxDepth: number
  /** The error of what is wrong, with the line in front: `line 2: ...`. */
  readonly malformed: (reason: string) => Error
  /** True: white space at both ends of texts says nothing. A password may begin or end with a blank. */
  readonly trims?: boolean
  /** Of the document; each takes about a hundred bytes. */
  readonly maxElements?: number
  /** Characters of a child of the outermost element. */
  readonly maxChild?: number
}

/** Namespaces that an element declares by prefix, the default one by the empty text, and those around it. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outer: Scope | undefined
}

interface GrowingElement extends XmlElement {
  children: XmlElement[]
  text: string
  at: number
}

interface OpenElement {
  readonly element: GrowingElement
  readonly qualified: string
  readonly scope: Scope
  /** Where its tag begins. */
  readonly start: number
  /** White space at the end of what was read, as it stands there: it is a part of the text if more follows. */
  space: string
}

/** Most elements have none. */
const NO_CHILDREN: XmlElement[] = []

const FIRST_SCOPE: Scope = {
  declared: new Map([
    ['', ''],
    ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ]),
  outer: undefined,
}

/** Of a tag: it is read in one step. */
const MAX_TAG_CHARACTERS = 100_000

/** Tags and pieces of text that are read in one step, and their characters: it takes less than a millisecond. */
const TOKENS_PER_STEP = 200
const CHARACTERS_PER_STEP = 64 * 1024

/** Texts are decoded in pieces of this length. A reference is shorter than the rest that is kept for the next piece. */
const PIECE_CHARACTERS = 16 * 1024
const MAX_REFERENCE = 12

const RETURN = 13
const LESS = 60
const GREATER = 62
const SLASH = 47
const QUESTION = 63
const EXCLAMATION = 33

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]{0,999}/uy
const SPACE = /[ \t\r\n]*/y
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y

/** XML knows one end of a line, whatever the file has. */
const joinLineEnds = (text: string) => text.replaceAll(/\r\n?/g, '\n')

/** Members that objects have of themselves: no element of ours. */
const RESERVED = '__proto__'

/**
 * Reads a document in steps, so that a long one never holds the event loop. Definitions of documents and of entities are refused, and so
 * is what is nested too deep. Elements are known by their namespaces, whatever their prefixes are.
 */
export class XmlParser {
  readonly #options: ParserOptions
  readonly #text: string
  readonly #open: OpenElement[] = []
  #root: GrowingElement | undefined
  #elements = 0
  #at: number

  constructor(options: ParserOptions) {
    this.#options = options
    this.#text = options.text
    // A mark of the byte order.
    this.#at = options.text.startsWith('\ufeff') ? 1 : 0
  }

  /** The outermost element, as far as it is read. */
  get root(): XmlElement | undefined {
    return this.#root
  }

  get elements(): number {
    return this.#elements
  }

  /** Returns the children of the outermost element that are closed, and forgets them. */
  takeChildren(): XmlElement[] {
    const root = this.#root
    if (root === undefined || root.children === NO_CHILDREN) return []
    const isLastOpen = this.#open.length > 1
    return root.children.splice(0, root.children.length - (isLastOpen ? 1 : 0))
  }

  /** Reads on. Returns false at the end of the document. */
  step(): boolean {
    const most = this.#at + CHARACTERS_PER_STEP
    for (let tokens = 0; tokens < TOKENS_PER_STEP && this.#at < most; tokens++) {
      if (this.#at >= this.#text.length) {
        if (this.#root === undefined) this.#fail('it has not exactly one outermost element')
        const open = this.#open.at(-1)
        if (open !== undefined) this.#fail(`${open.qualified.slice(0, 100)} is not closed`, open.start)
        return false
      }
      if (this.#text.charCodeAt(this.#at) !== LESS) this.#readText()
      else if (this.#text.charCodeAt(this.#at + 1) === SLASH) this.#readEnd()
      else if (!this.#skipMarkup()) this.#readStart()
    }
    this.#checkChild(this.#open[1])
    return true
  }

  #checkChild(child: OpenElement | undefined): void {
    const { maxChild } = this.#options
    if (child === undefined || maxChild === undefined || this.#at - child.start <= maxChild) return
    this.#fail(`an element has more than ${maxChild} characters`, child.start)
  }

  #fail(reason: string, at = this.#at): never {
    let line = 1
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < at; end = this.#text.indexOf('\n', end + 1))
      line++
    throw this.#options.malformed(`line ${line}: ${reason}`)
  }

  #addText(text: string): void {
    const open = this.#open.at(-1)
    if (open !== undefined) open.element.text += text
    else if (text.trim() !== '') {
      this.#fail(this.#root === undefined ? 'it begins with text' : 'text follows the outermost element')
    }
  }

  /** Reads a piece of the text until the next tag. */
  #readText(): void {
    const [text, from] = [this.#text, this.#at]
    const next = text.indexOf('<', from)
    const end = next < 0 ? text.length : next
    let to = Math.min(end, from + PIECE_CHARACTERS)
    if (to < end) {
      const reference = text.lastIndexOf('&', to)
      if (reference > Math.max(from, to - MAX_REFERENCE)) to = reference
      // An end of a line may be two characters.
      if (text.charCodeAt(to - 1) === RETURN) to--
    }
    const piece = this.#trim(text.slice(from, to))
    this.#addText(decodeReferences(joinLineEnds(piece), (reason) => this.#fail(reason)))
    this.#at = to
  }

  /** A piece of text without white space at the start of its element, and with what was held back before. What ends it is held back. */
  #trim(piece: string): string {
    const open = this.#open.at(-1)
    if (open === undefined || !this.#options.trims) return piece
    const rest = open.element.text === '' ? piece.trimStart() : piece
    const kept = rest.trimEnd()
    const space = rest.slice(kept.length)
    if (kept === '') {
      open.space += space
      return ''
    }
    const before = open.space
    open.space = space
    return before + kept
  }

  /** The text of a section is no white space to trim, whatever it is. */
  #addSection(section: string): void {
    const open = this.#open.at(-1)
    if (open === undefined) this.#fail('a section stands outside of the outermost element')
    this.#addText(joinLineEnds(open.space + section))
    open.space = ''
  }

  /** Skips what begins like a tag and is none, and takes the text of a section. Returns false for a tag. */
  #skipMarkup(): boolean {
    const [text, start] = [this.#text, this.#at]
    const isQuestion = text.charCodeAt(start + 1) === QUESTION
    if (!isQuestion && text.charCodeAt(start + 1) !== EXCLAMATION) return false
    const isSection = text.startsWith('<![CDATA[', start)
    const isComment = text.startsWith('<!--', start)
    if (!isQuestion && !isSection && !isComment) this.#fail('it has a DOCTYPE, which is not allowed here')
    const [begin, end] = isQuestion ? ['<?', '?>'] : isSection ? ['<![CDATA[', ']]>'] : ['<!--', '-->']
    const to = text.indexOf(end, start + begin.length)
    if (to < 0) this.#fail(`${begin} is not closed`)
    if (isSection) this.#addSection(text.slice(start + begin.length, to))
    else if (isQuestion && start > 1 && /^<\?xml\s/i.test(text.slice(start, start + 6))) {
      this.#fail('the declaration stands not at the start')
    }
    this.#at = to + end.length
    return true
  }

  /** Moves over what a pattern matches here. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #readName(): string {
    const name = this.#match(NAME)
    if (name === undefined) this.#fail('a tag has no name that XML allows, or one that is too long')
    return name
  }

  #readEnd(): void {
    const start = this.#at
    this.#at += 2
    const name = this.#readName()
    this.#match(SPACE)
    if (this.#text.charCodeAt(this.#at) !== GREATER)
      this.#fail(`the tag </${name.slice(0, 100)} is not closed`, start)
    const open = this.#open.pop()
    if (open === undefined || open.qualified !== name) {
      const wanted = open === undefined ? 'no element is open' : `${open.qualified.slice(0, 100)} is open`
      this.#fail(`</${name.slice(0, 100)}> closes nothing: ${wanted}`, start)
    }
    this.#at++
    if (this.#open.length === 1) this.#checkChild(open)
  }

  #readAttributes(start: number): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>()
    for (;;) {
      const space = this.#match(SPACE)
      const code = this.#text.charCodeAt(this.#at)
      if (code === GREATER || code === SLASH) return attributes
      if (this.#at >= this.#text.length) this.#fail('a tag is not closed', start)
      if (space === '') this.#fail('attributes have no space between them')
      const name = this.#readName()
      if (attributes.has(name)) this.#fail(`the attribute ${name.slice(0, 100)} is repeated`)
      if (this.#match(EQUALS) === undefined) this.#fail(`the attribute ${name.slice(0, 100)} has no value`)
      const quote = this.#text[this.#at]
      const end = quote === '"' || quote === "'" ? this.#text.indexOf(quote, this.#at + 1) : -1
      if (end < 0) this.#fail(`the value of ${name.slice(0, 100)} is not in quotes`)
      if (end - start > MAX_TAG_CHARACTERS) this.#fail('a tag is too long', start)
      const value = this.#text.slice(this.#at + 1, end)
      if (value.includes('<')) this.#fail(`the value of ${name.slice(0, 100)} has a <`)
      attributes.set(name, value)
      this.#at = end + 1
    }
  }

  #findNamespace(scope: Scope, prefix: string): string | undefined {
    for (let one: Scope | undefined = scope; one !== undefined; one = one.outer) {
      const uri = one.declared.get(prefix)
      if (uri !== undefined) return uri
    }
    return undefined
  }

  #declare(attributes: ReadonlyMap<string, string>, outer: Scope): Scope {
    let declared: Map<string, string> | undefined
    for (const [name, value] of attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      declared ??= new Map()
      declared.set(
        name.slice('xmlns:'.length),
        decodeReferences(value, (reason) => this.#fail(reason)),
      )
    }
    return declared === undefined ? outer : { declared, outer }
  }

  /** A prefix that is not declared is none of an attribute that says something here. */
  #isNil(attributes: ReadonlyMap<string, string>, scope: Scope): boolean {
    for (const [name, value] of attributes) {
      if (!name.endsWith(':nil') || (value !== 'true' && value !== '1')) continue
      if (this.#findNamespace(scope, name.slice(0, -':nil'.length)) === XSI_URI) return true
    }
    return false
  }

  #readStart(): void {
    const start = this.#at++
    const around = this.#open.at(-1)
    if (around === undefined && this.#root !== undefined)
      this.#fail('it has not exactly one outermost element', start)
    if (this.#open.length === this.#options.maxDepth)
      this.#fail(`elements are nested deeper than ${this.#options.maxDepth}`, start)
    const qualified = this.#readName()
    const attributes = this.#readAttributes(start)
    const scope = this.#declare(attributes, around?.scope ?? FIRST_SCOPE)
    const colon = qualified.indexOf(':')
    const prefix = colon < 0 ? '' : qualified.slice(0, colon)
    const uri = this.#findNamespace(scope, prefix)
    if (uri === undefined) this.#fail(`the prefix ${prefix.slice(0, 100)} is not declared`, start)
    const name = qualified.slice(colon + 1)
    if (name === RESERVED) this.#fail(`the name ${name} is reserved`, start)
    const isNil = attributes.size > 0 && this.#isNil(attributes, scope)
    const element: GrowingElement = { uri, name, children: NO_CHILDREN, text: '', isNil, at: 0 }
    if (around?.element.children === NO_CHILDREN) around.element.children = [element]
    else around?.element.children.push(element)
    this.#root ??= element
    if (++this.#elements > (this.#options.maxElements ?? Number.POSITIVE_INFINITY))
      this.#fail(`it has more than ${this.#options.maxElements} elements`, start)
    const isEmpty = this.#text.charCodeAt(this.#at) === SLASH
    if (isEmpty) this.#at++
    else this.#open.push({ element, qualified, scope, start, space: '' })
    if (this.#text.charCodeAt(this.#at) !== GREATER) this.#fail('a tag is not closed', start)
    this.#at++
    element.at = this.#at
  }
}

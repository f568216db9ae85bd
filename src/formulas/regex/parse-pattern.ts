import {
  type CharSet,
  foldAscii,
  foldUnicode,
  intersect,
  negate,
  ofCharacters,
  ofRanges,
  unite,
} from './char-set.ts'
import { longest } from './longest.ts'
import { type Greed, type Node, type Pattern, PatternError, type Place } from './node.ts'
import { DIGITS, findProperty, HORIZONTAL, LINE_ENDS, SPACE, VERTICAL, WORD } from './properties.ts'

/** Groups inside of groups. */
const MAX_DEPTH = 100
const MAX_REPETITION = 2_147_483_647

interface Flags {
  readonly i: boolean
  readonly u: boolean
  readonly m: boolean
  readonly s: boolean
  readonly d: boolean
}

const NO_FLAGS: Flags = { i: false, u: false, m: false, s: false, d: false }

const SETS: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: negate(DIGITS),
  w: WORD,
  W: negate(WORD),
  s: SPACE,
  S: negate(SPACE),
  h: HORIZONTAL,
  H: negate(HORIZONTAL),
  v: VERTICAL,
  V: negate(VERTICAL),
}

const CHARACTERS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }

const LETTER = /^[A-Za-z]$/
const LINE_BREAK: Node = {
  kind: 'choice',
  options: [
    {
      kind: 'sequence',
      parts: [
        { kind: 'set', set: ofCharacters('\r') },
        { kind: 'set', set: ofCharacters('\n') },
      ],
    },
    { kind: 'set', set: VERTICAL },
  ],
}

/** One character, without what it may mean in a pattern: from `\Q` to `\E`. */
interface Token {
  readonly text: string
  readonly isQuoted: boolean
}

/** Takes `\Q` and `\E` out first, as Java does. */
function tokenize(pattern: string): Token[] {
  const tokens: Token[] = []
  let isQuoted = false
  const characters = Array.from(pattern)
  for (let at = 0; at < characters.length; at++) {
    const text = characters[at]!
    const next = characters[at + 1]
    if (isQuoted && text === '\\' && next === 'E') {
      isQuoted = false
      at++
    } else if (!isQuoted && text === '\\' && next === 'Q') {
      isQuoted = true
      at++
    } else if (!isQuoted && text === '\\' && next !== undefined) {
      tokens.push({ text, isQuoted }, { text: next, isQuoted })
      at++
    } else tokens.push({ text, isQuoted })
  }
  return tokens
}

/** Reads a regular expression as Java does. */
class PatternParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #flags = NO_FLAGS
  #groups = 0
  readonly #names = new Map<string, number>()
  #depth = 0

  constructor(pattern: string) {
    this.#tokens = tokenize(pattern)
  }

  parse(): Pattern {
    const root = this.#choice()
    if (this.#at < this.#tokens.length) throw new PatternError("unmatched ')'")
    return { root, groups: this.#groups }
  }

  /** The next character, unless it is quoted; empty at the end. */
  #peek(ahead = 0): string {
    const token = this.#tokens[this.#at + ahead]
    return token === undefined || token.isQuoted ? '' : token.text
  }

  get #isEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  #take(text: string): boolean {
    const found = Array.from(text).every((one, index) => this.#peek(index) === one)
    if (found) this.#at += text.length
    return found
  }

  #next(problem: string): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new PatternError(problem)
    return token.text
  }

  #choice(): Node {
    if (++this.#depth > MAX_DEPTH) throw new PatternError(`groups more than ${MAX_DEPTH} levels deep`)
    const flags = this.#flags
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    // Flags last to the end of their group.
    this.#flags = flags
    this.#depth--
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  #sequence(): Node {
    const parts: Node[] = []
    while (!(this.#isEnd || this.#peek() === '|' || this.#peek() === ')')) {
      const atom = this.#atom()
      if (atom !== undefined) parts.push(this.#repeated(atom))
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  /** Undefined: it only sets flags. */
  #atom(): Node | undefined {
    const token = this.#tokens[this.#at]!
    if (token.isQuoted) {
      this.#at++
      return this.#literal(token.text.codePointAt(0)!)
    }
    this.#at++
    switch (token.text) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#class(true) }
      case '\\':
        return this.#escape()
      case '.':
        return { kind: 'set', set: this.#any() }
      case '^':
        return this.#place(this.#flags.m ? 'line begin' : 'start')
      case '$':
        return this.#place(this.#flags.m ? 'line end' : 'last line end')
      case '*':
      case '+':
      case '?':
        throw new PatternError(`'${token.text}' repeats nothing`)
      case '{':
        throw new PatternError("'{' repeats nothing; write \\{ for the character")
      default:
        return this.#literal(token.text.codePointAt(0)!)
    }
  }

  #place(place: Place): Node {
    return { kind: 'place', place, unixLines: this.#flags.d }
  }

  #any(): CharSet {
    if (this.#flags.s) return ofRanges([0, 0x10_ff_ff])
    return negate(this.#flags.d ? ofCharacters('\n') : LINE_ENDS)
  }

  /** The characters of a range, and those that stand for them when case does not count. */
  #range(from: number, to: number): CharSet {
    if (!this.#flags.i) return ofRanges([from, to])
    return this.#flags.u ? foldUnicode(from, to) : foldAscii(from, to)
  }

  #literal(codePoint: number): Node {
    return { kind: 'set', set: this.#range(codePoint, codePoint) }
  }

  #repeated(atom: Node): Node {
    const [min, max] = this.#bounds() ?? []
    if (min === undefined || max === undefined) return atom
    if (atom.kind === 'place') throw new PatternError('a place is repeated')
    const greed: Greed = this.#take('?') ? 'lazy' : this.#take('+') ? 'possessive' : 'greedy'
    // Each turn of these is over before the next: what it took is not tried again.
    const isFinal = greed === 'possessive' || atom === LINE_BREAK
    const body: Node = isFinal && atom.kind !== 'set' ? { kind: 'atomic', body: atom } : atom
    return { kind: 'repeat', body, min, max, greed }
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    if (!this.#take('{')) return undefined
    const min = this.#number()
    const max = !this.#take(',') ? min : this.#peek() === '}' ? Number.POSITIVE_INFINITY : this.#number()
    if (!this.#take('}')) throw new PatternError('a repetition has no end')
    if (max < min) throw new PatternError(`a repetition of at least ${min} and at most ${max} times`)
    return [min, max]
  }

  #number(): number {
    let digits = ''
    while (/^\d$/.test(this.#peek())) digits += this.#next('')
    if (digits === '' || Number(digits) > MAX_REPETITION)
      throw new PatternError('a repetition needs numbers; write \\{ for the character')
    return Number(digits)
  }

  #group(): Node | undefined {
    if (!this.#take('?')) return this.#capture()
    if (this.#take(':')) return this.#body()
    if (this.#take('>')) return { kind: 'atomic', body: this.#body() }
    for (const [text, behind, negative] of [
      ['=', false, false],
      ['!', false, true],
      ['<=', true, false],
      ['<!', true, true],
    ] as const) {
      if (this.#take(text)) return this.#look(behind, negative)
    }
    if (this.#take('<')) return this.#capture(this.#name('>'))
    return this.#flagged()
  }

  #body(): Node {
    const body = this.#choice()
    if (!this.#take(')')) throw new PatternError('a group has no end')
    return body
  }

  #capture(name?: string): Node {
    const number = ++this.#groups
    if (name !== undefined) {
      if (this.#names.has(name)) throw new PatternError(`two groups have the name ${name}`)
      this.#names.set(name, number)
    }
    return { kind: 'group', number, body: this.#body() }
  }

  #look(behind: boolean, negative: boolean): Node {
    const body = this.#body()
    if (behind && !Number.isFinite(longest(body)))
      throw new PatternError('what is looked for behind has no greatest length')
    return { kind: 'look', behind, negative, body }
  }

  #name(end: string): string {
    let name = ''
    while (/^[A-Za-z0-9]$/.test(this.#peek())) name += this.#next('')
    if (!(/^[A-Za-z]/.test(name) && this.#take(end))) throw new PatternError('a group has no name')
    return name
  }

  /** `(?i)`, `(?i-s:…)`. */
  #flagged(): Node | undefined {
    const before = this.#flags
    let isOn = true
    for (;;) {
      const letter = this.#next('a group has no end')
      if (letter === '-' && isOn) isOn = false
      else if (letter === ')') return undefined
      else if (letter === ':') break
      else if (Object.hasOwn(NO_FLAGS, letter)) this.#flags = { ...this.#flags, [letter]: isOn }
      else throw new PatternError(`(?${letter} is not supported`)
    }
    const body = this.#body()
    this.#flags = before
    return body
  }

  #escape(): Node {
    const letter = this.#peek()
    if (/^[1-9]$/.test(letter)) return this.#reference()
    const places: Readonly<Record<string, Place>> = {
      A: 'start',
      z: 'end',
      Z: 'last line end',
      b: 'word boundary',
      B: 'no word boundary',
    }
    if (Object.hasOwn(places, letter)) {
      this.#at++
      if (letter === 'b' && this.#peek() === '{') throw new PatternError('\\b{ is not supported')
      return this.#place(places[letter]!)
    }
    if (this.#take('R')) return LINE_BREAK
    if (this.#take('k')) return this.#namedReference()
    const found = this.#escaped()
    return typeof found === 'number' ? this.#literal(found) : { kind: 'set', set: found }
  }

  /** As many digits as there are groups for. */
  #reference(): Node {
    let number = Number(this.#next(''))
    while (/^\d$/.test(this.#peek()) && number * 10 + Number(this.#peek()) <= this.#groups)
      number = number * 10 + Number(this.#next(''))
    if (number > this.#groups) throw new PatternError(`no group ${number} stands before \\${number}`)
    return this.#refer(number)
  }

  #namedReference(): Node {
    if (!this.#take('<')) throw new PatternError('\\k needs the name of a group')
    const name = this.#name('>')
    const number = this.#names.get(name)
    if (number === undefined) throw new PatternError(`no group ${name} stands before \\k<${name}>`)
    return this.#refer(number)
  }

  #refer(number: number): Node {
    const { i, u } = this.#flags
    return { kind: 'reference', number, fold: i ? (u ? 'unicode' : 'ascii') : 'no' }
  }

  /** Reads an escape behind its backslash: a character or a set. */
  #escaped(): number | CharSet {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new PatternError('nothing follows the last backslash')
    const letter = token.text
    if (Object.hasOwn(SETS, letter)) return SETS[letter]!
    if (Object.hasOwn(CHARACTERS, letter)) return CHARACTERS[letter]!
    if (letter === 'p' || letter === 'P') return this.#property(letter === 'P')
    if (letter === '0') return this.#octal()
    if (letter === 'x') return this.#hexadecimal()
    if (letter === 'u') return this.#unicode()
    if (letter === 'c') return this.#next('\\c needs a character').codePointAt(0)! ^ 64
    if (LETTER.test(letter)) throw new PatternError(`\\${letter} is not supported`)
    return letter.codePointAt(0)!
  }

  #property(isNegative: boolean): CharSet {
    let name = this.#next('\\p needs a name')
    if (name === '{') {
      name = ''
      while (this.#peek() !== '}') name += this.#next('\\p{ has no end')
      this.#at++
    }
    const set = findProperty(name, this.#flags.i)
    if (set === undefined) throw new PatternError(`\\p{${name}} is not supported`)
    return isNegative ? negate(set) : set
  }

  #octal(): number {
    let digits = ''
    while (/^[0-7]$/.test(this.#peek()) && digits.length < (/^[0-3]/.test(digits) || digits === '' ? 3 : 2))
      digits += this.#next('')
    if (digits === '') throw new PatternError('\\0 needs octal digits')
    return Number.parseInt(digits, 8)
  }

  #digits(count: number): number {
    let digits = ''
    while (digits.length < count && /^[0-9A-Fa-f]$/.test(this.#peek())) digits += this.#next('')
    if (digits.length < count) throw new PatternError(`${count} hexadecimal digits are needed`)
    return Number.parseInt(digits, 16)
  }

  #hexadecimal(): number {
    if (!this.#take('{')) return this.#digits(2)
    let digits = ''
    while (/^[0-9A-Fa-f]$/.test(this.#peek())) digits += this.#next('')
    const codePoint = Number.parseInt(digits, 16)
    if (!this.#take('}') || !(codePoint <= 0x10_ff_ff)) throw new PatternError('\\x{ is no character')
    return codePoint
  }

  /** Two that are the halves of a character are that character. */
  #unicode(): number {
    const high = this.#digits(4)
    if (high < 0xd8_00 || high > 0xdb_ff || !(this.#peek() === '\\' && this.#peek(1) === 'u')) return high
    const at = this.#at
    this.#at += 2
    const low = this.#digits(4)
    if (low >= 0xdc_00 && low <= 0xdf_ff) return (high - 0xd8_00) * 0x4_00 + (low - 0xdc_00) + 0x1_00_00
    this.#at = at
    return high
  }

  /**
   * The set of a class behind its bracket. What follows `&&` is read up to the next one or the end of the class, and is a class itself.
   * @param isWhole it ends with a bracket, which is taken
   */
  #class(isWhole: boolean): CharSet {
    if (++this.#depth > MAX_DEPTH) throw new PatternError(`classes more than ${MAX_DEPTH} levels deep`)
    const isNegative = isWhole && this.#take('^')
    // United once: a class has hundreds of characters.
    let members: CharSet[] = []
    for (;;) {
      if (this.#isEnd) throw new PatternError('a class has no end')
      if (this.#peek() === ']' && members.length > 0) break
      if (this.#take('[')) members.push(this.#class(true))
      else if (this.#peek() === '&' && this.#peek(1) === '&') members = [this.#intersection(members)]
      else members.push(this.#classItem())
    }
    if (isWhole) this.#at++
    this.#depth--
    const set = unite(...members)
    return isNegative ? negate(set) : set
  }

  #intersection(left: readonly CharSet[]): CharSet {
    this.#at += 2
    if (left.length === 0 || this.#peek() === '&' || this.#peek() === ']')
      throw new PatternError('&& needs characters on both sides; write \\& for the character')
    const right: CharSet[] = []
    while (this.#peek() !== ']' && this.#peek() !== '&') right.push(this.#class(this.#take('[')))
    return intersect(unite(...left), unite(...right))
  }

  #classItem(): CharSet {
    const from = this.#classCharacter()
    if (typeof from !== 'number') return from
    const isRange = this.#peek() === '-' && !this.#isClassEnd(1)
    if (!isRange) return this.#range(from, from)
    this.#at++
    const to = this.#classCharacter()
    if (typeof to !== 'number')
      throw new PatternError('a range ends with a class; write \\- for the character')
    if (to < from) throw new PatternError('a range ends before it begins')
    return this.#range(from, to)
  }

  #isClassEnd(ahead: number): boolean {
    return ['[', ']'].includes(this.#peek(ahead))
  }

  #classCharacter(): number | CharSet {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new PatternError('a class has no end')
    this.#at++
    return token.isQuoted || token.text !== '\\' ? token.text.codePointAt(0)! : this.#escaped()
  }
}

/** @throws PatternError */
export const parsePattern = (pattern: string): Pattern => new PatternParser(pattern).parse()

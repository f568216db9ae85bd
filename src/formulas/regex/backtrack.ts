import { type CharSet, foldCase } from './char-set.ts'
import { longest } from './longest.ts'
import type { Node, Pattern, Place } from './node.ts'
import { LINE_ENDS } from './properties.ts'

/*
 * Matches what no engine of linear time does (lookaround, references to groups, possessive repetitions, places) as Java does: one way
 * after the other, the last choice first. All that is looked at counts, so that the time has a bound.
 */

/** Called before that many steps. Throws if they are too many. */
export type CountSteps = (steps: number) => void

/** Numbers that are copied in the time of one step. */
const COPIES_PER_STEP = 2

/** One step of a compiled pattern. */
type Instruction =
  | { readonly does: 'take'; readonly set: CharSet }
  /** Goes on at the first, and at the second if that fails. */
  | { readonly does: 'split'; first: number; second: number }
  | { readonly does: 'go'; to: number }
  | { readonly does: 'note'; readonly slot: number }
  /** Ends a group, which began where a slot says. */
  | { readonly does: 'close'; readonly slot: number; readonly begin: number }
  /** Leaves a repetition whose last turn took nothing. */
  | { readonly does: 'leave'; readonly slot: number; to: number }
  | { readonly does: 'refer'; readonly slot: number; readonly fold: 'no' | 'ascii' | 'unicode' }
  | { readonly does: 'place'; readonly place: Place; readonly unixLines: boolean }
  | { readonly does: 'look'; readonly negative: boolean; readonly behind: number; readonly body: Program }
  | { readonly does: 'settle'; readonly body: Program }
  | { readonly does: 'end' }

type Program = readonly Instruction[]

class Compiler {
  readonly #counter: { slots: number }
  readonly #program: Instruction[] = []

  constructor(counter: { slots: number }) {
    this.#counter = counter
  }

  static compile(node: Node, counter: { slots: number }): Program {
    const compiler = new Compiler(counter)
    compiler.#add(node)
    compiler.#program.push({ does: 'end' })
    return compiler.#program
  }

  #inner(node: Node): Program {
    return Compiler.compile(node, this.#counter)
  }

  #add(node: Node): void {
    const program = this.#program
    switch (node.kind) {
      case 'set':
        program.push({ does: 'take', set: node.set })
        break
      case 'sequence':
        for (const part of node.parts) this.#add(part)
        break
      case 'choice':
        this.#addChoice(node.options)
        break
      case 'group':
        this.#addGroup(node.number, node.body)
        break
      case 'repeat':
        if (node.greed === 'possessive')
          program.push({ does: 'settle', body: this.#inner({ ...node, greed: 'greedy' }) })
        else this.#addRepetition(node)
        break
      case 'atomic':
        program.push({ does: 'settle', body: this.#inner(node.body) })
        break
      case 'look': {
        const behind = node.behind ? longest(node.body) : -1
        program.push({ does: 'look', negative: node.negative, behind, body: this.#inner(node.body) })
        break
      }
      case 'reference':
        program.push({ does: 'refer', slot: 2 * node.number, fold: node.fold })
        break
      case 'place':
        program.push({ does: 'place', place: node.place, unixLines: node.unixLines })
    }
  }

  /** A group is what it was until it ends again. */
  #addGroup(number: number, body: Node): void {
    const begin = this.#counter.slots++
    this.#program.push({ does: 'note', slot: begin })
    this.#add(body)
    this.#program.push({ does: 'close', slot: 2 * number, begin })
  }

  #addChoice(options: readonly Node[]): void {
    const program = this.#program
    const ends: Extract<Instruction, { does: 'go' }>[] = []
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#add(option)
        break
      }
      const split = { does: 'split' as const, first: program.length + 1, second: 0 }
      program.push(split)
      this.#add(option)
      const end = { does: 'go' as const, to: 0 }
      program.push(end)
      ends.push(end)
      split.second = program.length
    }
    for (const end of ends) end.to = program.length
  }

  #addRepetition({ body, min, max, greed }: Extract<Node, { kind: 'repeat' }>): void {
    const program = this.#program
    for (let times = 0; times < min; times++) this.#add(body)
    if (max === Number.POSITIVE_INFINITY) {
      const slot = this.#counter.slots++
      const begin = program.length
      const split = this.#split(greed === 'lazy')
      program.push({ does: 'note', slot })
      this.#add(body)
      const leave = { does: 'leave' as const, slot, to: 0 }
      program.push(leave, { does: 'go', to: begin })
      split(program.length)
      leave.to = program.length
      return
    }
    const splits = []
    for (let times = min; times < max; times++) {
      splits.push(this.#split(greed === 'lazy'))
      this.#add(body)
    }
    for (const split of splits) split(program.length)
  }

  /** Adds a choice between what follows and an end that is set later. */
  #split(endFirst: boolean): (end: number) => void {
    const split = {
      does: 'split' as const,
      first: this.#program.length + 1,
      second: this.#program.length + 1,
    }
    this.#program.push(split)
    return (end) => {
      if (endFirst) split.first = end
      else split.second = end
    }
  }
}

const before = (text: string, at: number): number => {
  const isPair = at > 1 && text.codePointAt(at - 2)! > 0xff_ff
  return isPair ? at - 2 : at - 1
}

/** Where words and their ends are looked for, letters and digits of all scripts count, and the marks on them. */
function isWord(text: string, at: number, count: CountSteps): boolean {
  for (let place = at; place >= 0 && place < text.length; place = before(text, place)) {
    count(1)
    const character = String.fromCodePoint(text.codePointAt(place)!)
    if (/^[\p{L}\p{Nd}_]/u.test(character)) return true
    if (!/^\p{Mn}/u.test(character)) return false
  }
  return false
}

function isLineEnd(text: string, at: number, unixLines: boolean): boolean {
  const code = text.charCodeAt(at)
  return unixLines ? code === 10 : LINE_ENDS.has(code)
}

/** True between the two characters of one line end. */
const isInside = (text: string, at: number, unixLines: boolean) =>
  !unixLines && text[at - 1] === '\r' && text[at] === '\n'

function isLastEnd(text: string, at: number, unixLines: boolean): boolean {
  if (at === text.length) return true
  if (isInside(text, at, unixLines)) return false
  if (!unixLines && at === text.length - 2) return text.endsWith('\r\n')
  return at === text.length - 1 && isLineEnd(text, at, unixLines)
}

function holds(text: string, at: number, place: Place, unixLines: boolean, count: CountSteps): boolean {
  switch (place) {
    case 'start':
      return at === 0
    case 'end':
      return at === text.length
    case 'last line end':
      return isLastEnd(text, at, unixLines)
    case 'line begin':
      // Never at the end.
      if (at === 0 || at === text.length) return at < text.length
      return isLineEnd(text, at - 1, unixLines) && !isInside(text, at, unixLines)
    case 'line end':
      return at === text.length || (isLineEnd(text, at, unixLines) && !isInside(text, at, unixLines))
    default: {
      const isBoundary = isWord(text, before(text, at), count) !== isWord(text, at, count)
      return isBoundary === (place === 'word boundary')
    }
  }
}

/** True if two characters are the same one in the way of a reference. */
function isSame(one: number, other: number, fold: 'no' | 'ascii' | 'unicode'): boolean {
  if (one === other || fold === 'no') return one === other
  if (fold === 'ascii' && (one > 127 || other > 127)) return false
  return foldCase(one) === foldCase(other)
}

/** A pattern that is matched step by step. */
export class BacktrackingPattern {
  readonly #program: Program
  readonly #slots: number

  constructor({ root, groups }: Pattern) {
    const counter = { slots: 2 * groups + 2 }
    this.#program = Compiler.compile(root, counter)
    this.#slots = counter.slots
  }

  matches(text: string, count: CountSteps): boolean {
    top = 0
    return run(this.#program, text, 0, new Array<number>(this.#slots).fill(-1), count, text.length) >= 0
  }
}

/** Where the group's text ends when it stands again at a place; -1 where it does not. */
function findReferred(
  text: string,
  at: number,
  slots: readonly number[],
  slot: number,
  fold: 'no' | 'ascii' | 'unicode',
  count: CountSteps,
): number {
  const [begin, end] = [slots[slot]!, slots[slot + 1]!]
  if (begin < 0 || end < 0) return -1
  const length = end - begin
  if (at + length > text.length) return -1
  for (let index = 0; index < length; index++) {
    count(1)
    if (!isSame(text.charCodeAt(begin + index), text.charCodeAt(at + index), fold)) return -1
  }
  return at + length
}

const MAX_CHOICES = 2 ** 21

/**
 * The choices of the match that runs, in pairs: an instruction and where to go on with it, or what a slot was, its number below zero.
 * One memory for all matches: filling a new one takes longer than the match.
 */
let choices = new Int32Array(2 ** 12)
let top = 0

function pushChoice(key: number, value: number, count: CountSteps): void {
  if (top === choices.length) {
    if (top === MAX_CHOICES) count(Number.POSITIVE_INFINITY)
    const longer = new Int32Array(2 * top)
    longer.set(choices)
    choices = longer
  }
  choices[top++] = key
  choices[top++] = value
}

/**
 * @param slots where groups and repetitions begin and end; changed
 * @param end where it has to end; -1: anywhere
 * @returns where it ends; -1: it does not match
 */
function run(
  program: Program,
  text: string,
  start: number,
  slots: number[],
  count: CountSteps,
  end: number,
): number {
  /** The choices before are those of the pattern around it. */
  const base = top
  const set = (slot: number, value: number) => {
    count(1)
    pushChoice(-slot - 1, slots[slot]!, count)
    slots[slot] = value
  }
  let at = start
  let next = 0
  /** Goes back to the last choice. */
  const fail = (): boolean => {
    while (top > base) {
      const value = choices[--top]!
      const key = choices[--top]!
      if (key < 0) slots[-key - 1] = value
      else {
        next = key
        at = value
        return true
      }
    }
    return false
  }
  const copySlots = (): number[] => {
    count(Math.ceil(slots.length / COPIES_PER_STEP))
    return [...slots]
  }
  /** Keeps what the groups of a part have become, until a choice before it is taken again. */
  const inner = (body: Program, from: number, until: number): number => {
    const copy = copySlots()
    const found = run(body, text, from, copy, count, until)
    if (found < 0) return found
    for (let slot = 0; slot < copy.length; slot++) if (slots[slot] !== copy[slot]) set(slot, copy[slot]!)
    return found
  }
  const looks = (body: Program, behind: number): boolean => {
    if (behind < 0) return inner(body, at, -1) >= 0
    for (let from = at; from >= 0 && at - from <= 2 * behind; from--)
      if (inner(body, from, at) >= 0) return true
    return false
  }
  for (;;) {
    count(1)
    const instruction = program[next]!
    next++
    let isMet = true
    switch (instruction.does) {
      case 'take': {
        if (instruction.set.cost > 1) count(instruction.set.cost - 1)
        const codePoint = text.codePointAt(at)
        isMet = codePoint !== undefined && instruction.set.has(codePoint)
        if (isMet) at += codePoint! > 0xff_ff ? 2 : 1
        break
      }
      case 'split':
        pushChoice(instruction.second, at, count)
        next = instruction.first
        break
      case 'go':
        next = instruction.to
        break
      case 'note':
        set(instruction.slot, at)
        break
      case 'close':
        set(instruction.slot, slots[instruction.begin]!)
        set(instruction.slot + 1, at)
        break
      case 'leave':
        if (slots[instruction.slot] === at) next = instruction.to
        break
      case 'refer': {
        const found = findReferred(text, at, slots, instruction.slot, instruction.fold, count)
        isMet = found >= 0
        if (isMet) at = found
        break
      }
      case 'place':
        isMet = holds(text, at, instruction.place, instruction.unixLines, count)
        break
      case 'look':
        if (instruction.negative) {
          const copy = copySlots()
          isMet = !looks(instruction.body, instruction.behind)
          for (let slot = 0; slot < copy.length; slot++) slots[slot] = copy[slot]!
        } else isMet = looks(instruction.body, instruction.behind)
        break
      case 'settle': {
        const found = inner(instruction.body, at, -1)
        isMet = found >= 0
        if (isMet) at = found
        break
      }
      case 'end':
        if (end < 0 || at === end) {
          top = base
          return at
        }
        isMet = false
    }
    if (!isMet && !fail()) return -1
  }
}

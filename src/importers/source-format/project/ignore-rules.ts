import { trimEnd } from '../../../base/cut-text.ts'

/** Rule of a file such as `.forceignore`, in the syntax of `.gitignore`. */
interface Rule {
  /** The line as it was written. */
  readonly text: string
  /** True for a rule that takes paths in again. */
  readonly includes: boolean
  readonly foldersOnly: boolean
  /** Patterns of the names that a path consists of; undefined stands for any number of them. */
  readonly names: readonly (readonly CharacterPattern[] | undefined)[]
}

/** True for a character that fits; undefined stands for any number of characters. */
type CharacterPattern = ((character: string) => boolean) | undefined

/**
 * True if all items fit a pattern, in which undefined stands for any number of them. Takes at most as many steps as
 * there are pairs of an item and a part: only the last "any number" is ever extended.
 */
function fits<Part, Item>(
  pattern: readonly (Part | undefined)[],
  items: readonly Item[],
  fitsOne: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0
  let any: { readonly part: number; item: number } | undefined
  for (let item = 0; item < items.length; ) {
    const part = pattern[at]
    if (part !== undefined && fitsOne(part, items[item]!)) {
      at++
      item++
    } else if (part === undefined && at < pattern.length) {
      any = { part: at++, item }
    } else if (any !== undefined) {
      at = any.part + 1
      item = ++any.item
    } else {
      return false
    }
  }
  return pattern.slice(at).every((part) => part === undefined)
}

/** Reads a class such as `[a-z]` or `[!0-9]`; undefined when it does not end. */
function readClass(characters: readonly string[], start: number) {
  const negated = ['!', '^'].includes(characters[start + 1] ?? '')
  const first = start + (negated ? 2 : 1)
  const end = characters.indexOf(']', first + 1)
  if (end === -1) return undefined
  const ranges: (readonly [string, string])[] = []
  for (let at = first; at < end; at++) {
    const isRange = characters[at + 1] === '-' && at + 2 < end
    ranges.push([characters[at]!, characters[isRange ? at + 2 : at]!])
    if (isRange) at += 2
  }
  const isIn = (one: string) => ranges.some(([from, to]) => one >= from && one <= to)
  return { end, fitsOne: (one: string) => isIn(one) !== negated }
}

function readName(name: string): CharacterPattern[] {
  const characters = [...name]
  const pattern: CharacterPattern[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      pattern.push(undefined)
      continue
    }
    const found = character === '[' ? readClass(characters, at) : undefined
    if (found !== undefined) {
      pattern.push(found.fitsOne)
      at = found.end
    } else if (character === '?') {
      pattern.push(() => true)
    } else {
      const literal = character === '\\' ? (characters[++at] ?? '\\') : character
      pattern.push((one) => one === literal)
    }
  }
  return pattern
}

/** Undefined for an empty line and a comment. */
function readRule(line: string): Rule | undefined {
  const trimmed = trimEnd(line, ' ')
  const text = trimmed.endsWith('\\') && line !== trimmed ? `${trimmed} ` : trimmed
  if (text === '' || text.startsWith('#')) return undefined
  const includes = text.startsWith('!')
  const path = (includes ? text.slice(1) : text).toLowerCase()
  const bare = trimEnd(path, '/')
  if (bare === '') return undefined
  const parts = bare.replace(/^\//, '').split('/')
  // Without a slash in it, a pattern is about names in any folder; one that ends in `/**` is about all that is inside.
  const names = [
    ...(bare.includes('/') ? [] : [undefined]),
    ...parts.map((part) => (part === '**' ? undefined : readName(part))),
    ...(parts.at(-1) === '**' ? [readName('*')] : []),
  ]
  return { text, includes, foldersOnly: bare !== path, names }
}

/** The rules of a file such as `.forceignore`: the syntax of `.gitignore`, without regard to upper and lower case. */
export class IgnoreRules {
  readonly #rules: readonly Rule[]
  readonly #folders = new Map<string, string | undefined>()

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap((line) => readRule(line) ?? [])
  }

  /**
   * The rule that leaves a file out, as it was written; undefined for a file that stays.
   * @param path relative to the folder of the rules, with `/`
   */
  leavesOut(path: string): string | undefined {
    return this.#leavesOut(path.toLowerCase(), false)
  }

  #leavesOut(path: string, isFolder: boolean): string | undefined {
    const slash = path.lastIndexOf('/')
    // Nothing in a folder that is left out can be taken in again.
    const outer = slash === -1 ? undefined : this.#folderLeftOut(path.slice(0, slash))
    if (outer !== undefined) return outer
    const names = path.split('/').map((name) => [...name])
    const rule = this.#rules.findLast(
      (one) =>
        (isFolder || !one.foldersOnly) &&
        fits(one.names, names, (pattern, name) =>
          fits(pattern, name, (fitsOne, character) => fitsOne(character)),
        ),
    )
    return rule === undefined || rule.includes ? undefined : rule.text
  }

  #folderLeftOut(folder: string): string | undefined {
    if (!this.#folders.has(folder)) this.#folders.set(folder, this.#leavesOut(folder, true))
    return this.#folders.get(folder)
  }
}

/** From and to, both included. */
export type Range = readonly [number, number]

const MAX_CODE_POINT = 0x10_ff_ff

/** Ranges that are looked through in one step. */
const RANGES_PER_STEP = 50

/** Steps of finding what a character is without its case. */
const FOLD_COST = 4

/** Characters that one place of a text may have. */
export interface CharSet {
  has(codePoint: number): boolean
  /** Steps of a match that a look takes. */
  readonly cost: number
  /** The same in ascending order, without overlaps; undefined where Unicode says which they are. */
  readonly ranges?: readonly Range[]
  /** The same as an expression of re2; undefined where it has none. */
  readonly re2?: string
}

const hex = (codePoint: number) => `\\x{${codePoint.toString(16)}}`

const showRange = ([from, to]: Range) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)

function merge(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

export function ofRanges(...some: readonly Range[]): CharSet {
  const ranges = merge(some)
  return {
    has: (codePoint) => ranges.some(([from, to]) => codePoint >= from && codePoint <= to),
    cost: 1 + Math.floor(ranges.length / RANGES_PER_STEP),
    ranges,
    get re2() {
      // An empty class is none of re2.
      return ranges.length === 0
        ? `[^${showRange([0, MAX_CODE_POINT])}]`
        : `[${ranges.map(showRange).join('')}]`
    },
  }
}

export const ofCharacters = (characters: string): CharSet =>
  ofRanges(...Array.from(characters, (one): Range => [one.codePointAt(0)!, one.codePointAt(0)!]))

function invert(ranges: readonly Range[]): Range[] {
  const inverted: Range[] = []
  let from = 0
  for (const range of ranges) {
    if (range[0] > from) inverted.push([from, range[0] - 1])
    from = range[1] + 1
  }
  if (from <= MAX_CODE_POINT) inverted.push([from, MAX_CODE_POINT])
  return inverted
}

export function negate(set: CharSet): CharSet {
  if (set.ranges !== undefined) return ofRanges(...invert(set.ranges))
  return { has: (codePoint) => !set.has(codePoint), cost: set.cost }
}

const sumCosts = (sets: readonly CharSet[]) => sets.reduce((sum, { cost }) => sum + cost, 0)

export function unite(...sets: readonly CharSet[]): CharSet {
  if (sets.length === 1) return sets[0]!
  const ranges = ofRanges(...sets.flatMap((set) => set.ranges ?? []))
  const others = sets.filter((set) => set.ranges === undefined)
  if (others.length === 0) return ranges
  const all = ranges.ranges!.length === 0 ? others : [ranges, ...others]
  const re2 = all.map((set) => set.re2)
  return {
    has: (codePoint) => all.some((set) => set.has(codePoint)),
    cost: sumCosts(all),
    ...(!re2.includes(undefined) && { re2: `(?:${re2.join('|')})` }),
  }
}

export function intersect(one: CharSet, other: CharSet): CharSet {
  if (one.ranges !== undefined && other.ranges !== undefined) return negate(unite(negate(one), negate(other)))
  return {
    has: (codePoint) => one.has(codePoint) && other.has(codePoint),
    cost: sumCosts([one, other]),
  }
}

const shift = (by: number, [from, to]: Range, [first, last]: Range): Range[] =>
  from > last || to < first ? [] : [[Math.max(from, first) + by, Math.min(to, last) + by]]

/** A range and what differs from its characters by the case of ASCII letters. */
export const foldAscii = (from: number, to: number): CharSet =>
  ofRanges([from, to], ...shift(32, [from, to], [65, 90]), ...shift(-32, [from, to], [97, 122]))

const toUpper = (codePoint: number): number => {
  const upper = String.fromCodePoint(codePoint).toUpperCase()
  const found = upper.codePointAt(0)!
  return String.fromCodePoint(found) === upper ? found : codePoint
}

const toLower = (codePoint: number): number => String.fromCodePoint(codePoint).toLowerCase().codePointAt(0)!

/** Characters that differ by case only have the same one. */
export const foldCase = (codePoint: number): number => toLower(toUpper(codePoint))

/** A range and what differs from its characters by case. */
export function foldUnicode(from: number, to: number): CharSet {
  const isInside = (codePoint: number) => codePoint >= from && codePoint <= to
  const cost = 2 * FOLD_COST
  if (from === to) {
    const folded = foldCase(from)
    return { has: (codePoint) => foldCase(codePoint) === folded, cost }
  }
  return {
    cost,
    has: (codePoint) => isInside(codePoint) || isInside(toUpper(codePoint)) || isInside(foldCase(codePoint)),
  }
}

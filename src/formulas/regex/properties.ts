import { type CharSet, intersect, negate, ofCharacters, ofRanges, type Range, unite } from './char-set.ts'

/* Named sets of characters, as Java has them. */

export const DIGITS = ofRanges([48, 57])
const UPPER = ofRanges([65, 90])
const LOWER = ofRanges([97, 122])
const ALPHA = unite(UPPER, LOWER)
const ALNUM = unite(ALPHA, DIGITS)
export const WORD = unite(ALNUM, ofCharacters('_'))
const PUNCT = ofRanges([33, 47], [58, 64], [91, 96], [123, 126])
/** `\s`. */
export const SPACE = ofCharacters(' \t\n\u000B\f\r')
/** `\h`. */
export const HORIZONTAL = unite(
  ofCharacters(' \t\u00A0\u1680\u180E\u202F\u205F\u3000'),
  ofRanges([0x2000, 0x200a]),
)
/** `\v`. */
export const VERTICAL = ofCharacters('\n\u000B\f\r\u0085\u2028\u2029')
/** Characters that `.` does not match. */
export const LINE_ENDS = ofCharacters('\n\r\u0085\u2028\u2029')

const ASCII: Readonly<Record<string, CharSet>> = {
  ASCII: ofRanges([0, 127]),
  Lower: LOWER,
  Upper: UPPER,
  Alpha: ALPHA,
  Digit: DIGITS,
  Alnum: ALNUM,
  Punct: PUNCT,
  Graph: unite(ALNUM, PUNCT),
  Print: ofRanges([32, 126]),
  Blank: ofCharacters(' \t'),
  Cntrl: ofRanges([0, 31], [127, 127]),
  XDigit: ofRanges([48, 57], [65, 70], [97, 102]),
  Space: SPACE,
  L1: ofRanges([0, 255]),
  all: ofRanges([0, 0x10_ff_ff]),
}

const of = (expression: RegExp, re2?: string): CharSet => ({
  has: (codePoint) => expression.test(String.fromCodePoint(codePoint)),
  cost: 1,
  ...(re2 !== undefined && { re2 }),
})

const CATEGORIES: Readonly<Record<string, CharSet>> = {
  L: of(/^\p{L}/u, '\\p{L}'),
  Lu: of(/^\p{Lu}/u, '\\p{Lu}'),
  Ll: of(/^\p{Ll}/u, '\\p{Ll}'),
  Lt: of(/^\p{Lt}/u, '\\p{Lt}'),
  Lm: of(/^\p{Lm}/u, '\\p{Lm}'),
  Lo: of(/^\p{Lo}/u, '\\p{Lo}'),
  LC: of(/^\p{LC}/u),
  M: of(/^\p{M}/u, '\\p{M}'),
  Mn: of(/^\p{Mn}/u, '\\p{Mn}'),
  Mc: of(/^\p{Mc}/u, '\\p{Mc}'),
  Me: of(/^\p{Me}/u, '\\p{Me}'),
  N: of(/^\p{N}/u, '\\p{N}'),
  Nd: of(/^\p{Nd}/u, '\\p{Nd}'),
  Nl: of(/^\p{Nl}/u, '\\p{Nl}'),
  No: of(/^\p{No}/u, '\\p{No}'),
  P: of(/^\p{P}/u, '\\p{P}'),
  Pc: of(/^\p{Pc}/u, '\\p{Pc}'),
  Pd: of(/^\p{Pd}/u, '\\p{Pd}'),
  Ps: of(/^\p{Ps}/u, '\\p{Ps}'),
  Pe: of(/^\p{Pe}/u, '\\p{Pe}'),
  Pi: of(/^\p{Pi}/u, '\\p{Pi}'),
  Pf: of(/^\p{Pf}/u, '\\p{Pf}'),
  Po: of(/^\p{Po}/u, '\\p{Po}'),
  S: of(/^\p{S}/u, '\\p{S}'),
  Sm: of(/^\p{Sm}/u, '\\p{Sm}'),
  Sc: of(/^\p{Sc}/u, '\\p{Sc}'),
  Sk: of(/^\p{Sk}/u, '\\p{Sk}'),
  So: of(/^\p{So}/u, '\\p{So}'),
  Z: of(/^\p{Z}/u, '\\p{Z}'),
  Zs: of(/^\p{Zs}/u, '\\p{Zs}'),
  Zl: ofCharacters('\u2028'),
  Zp: ofCharacters('\u2029'),
  C: of(/^\p{C}/u),
  Cc: ofRanges([0, 31], [127, 159]),
  Cf: of(/^\p{Cf}/u),
  Co: of(/^\p{Co}/u),
  Cs: ofRanges([0xd8_00, 0xdf_ff]),
  Cn: of(/^\p{Cn}/u),
}

const SCRIPTS: Readonly<Record<string, CharSet>> = {
  ARABIC: of(/^\p{Script=Arabic}/u),
  ARMENIAN: of(/^\p{Script=Armenian}/u),
  BENGALI: of(/^\p{Script=Bengali}/u),
  COMMON: of(/^\p{Script=Common}/u),
  CYRILLIC: of(/^\p{Script=Cyrillic}/u),
  DEVANAGARI: of(/^\p{Script=Devanagari}/u),
  GEORGIAN: of(/^\p{Script=Georgian}/u),
  GREEK: of(/^\p{Script=Greek}/u),
  HAN: of(/^\p{Script=Han}/u),
  HANGUL: of(/^\p{Script=Hangul}/u),
  HEBREW: of(/^\p{Script=Hebrew}/u),
  HIRAGANA: of(/^\p{Script=Hiragana}/u),
  INHERITED: of(/^\p{Script=Inherited}/u),
  KATAKANA: of(/^\p{Script=Katakana}/u),
  LATIN: of(/^\p{Script=Latin}/u),
  TAMIL: of(/^\p{Script=Tamil}/u),
  THAI: of(/^\p{Script=Thai}/u),
}

const BINARY: Readonly<Record<string, CharSet>> = {
  ALPHABETIC: of(/^\p{Alphabetic}/u),
  ASSIGNED: negate(CATEGORIES.Cn!),
  CONTROL: CATEGORIES.Cc!,
  DIGIT: CATEGORIES.Nd!,
  HEX_DIGIT: of(/^[\p{Nd}\p{Hex_Digit}]/u),
  IDEOGRAPHIC: of(/^\p{Ideographic}/u),
  LETTER: CATEGORIES.L!,
  LOWERCASE: of(/^\p{Lowercase}/u),
  PUNCTUATION: CATEGORIES.P!,
  TITLECASE: CATEGORIES.Lt!,
  UPPERCASE: of(/^\p{Uppercase}/u),
  WHITE_SPACE: of(/^\p{White_Space}/u),
}

const BLOCKS: Readonly<Record<string, Range>> = {
  BASICLATIN: [0, 0x7f],
  'LATIN-1SUPPLEMENT': [0x80, 0xff],
  'LATINEXTENDED-A': [0x1_00, 0x1_7f],
  'LATINEXTENDED-B': [0x1_80, 0x2_4f],
  GREEK: [0x3_70, 0x3_ff],
  GREEKANDCOPTIC: [0x3_70, 0x3_ff],
  CYRILLIC: [0x4_00, 0x4_ff],
  HEBREW: [0x5_90, 0x5_ff],
  ARABIC: [0x6_00, 0x6_ff],
  THAI: [0xe_00, 0xe_7f],
  GENERALPUNCTUATION: [0x20_00, 0x20_6f],
  CURRENCYSYMBOLS: [0x20_a0, 0x20_cf],
  HIRAGANA: [0x30_40, 0x30_9f],
  KATAKANA: [0x30_a0, 0x30_ff],
  CJKUNIFIEDIDEOGRAPHS: [0x4e_00, 0x9f_ff],
  HANGULSYLLABLES: [0xac_00, 0xd7_af],
}

const JAVA: Readonly<Record<string, CharSet>> = {
  javaLowerCase: BINARY.LOWERCASE!,
  javaUpperCase: BINARY.UPPERCASE!,
  javaAlphabetic: BINARY.ALPHABETIC!,
  javaTitleCase: CATEGORIES.Lt!,
  javaDigit: CATEGORIES.Nd!,
  javaLetter: CATEGORIES.L!,
  javaLetterOrDigit: unite(CATEGORIES.L!, CATEGORIES.Nd!),
  javaSpaceChar: CATEGORIES.Z!,
  javaWhitespace: unite(
    intersect(CATEGORIES.Z!, negate(ofCharacters('\u00A0\u2007\u202F'))),
    ofRanges([9, 13], [28, 31]),
  ),
}

const own = (sets: Readonly<Record<string, CharSet>>, name: string): CharSet | undefined =>
  Object.hasOwn(sets, name) ? sets[name] : undefined

function findBlock(name: string): CharSet | undefined {
  const key = name.toUpperCase()
  return Object.hasOwn(BLOCKS, key) ? ofRanges(BLOCKS[key]!) : undefined
}

/** Without case, a letter of one case stands for those of all. */
const cased = (set: CharSet, foldsCase: boolean): CharSet =>
  foldsCase && [CATEGORIES.Lu, CATEGORIES.Ll, CATEGORIES.Lt].includes(set) ? CATEGORIES.LC! : set

/** The set that a name in `\p{…}` stands for; undefined if it is none that is known here. */
export function findProperty(name: string, foldsCase: boolean): CharSet | undefined {
  const [key, value] = name.split('=', 2) as [string, string | undefined]
  if (value !== undefined) {
    const kind = key.toLowerCase()
    if (kind === 'sc' || kind === 'script') return own(SCRIPTS, value.toUpperCase())
    if (kind === 'blk' || kind === 'block') return findBlock(value)
    const found = kind === 'gc' || kind === 'general_category' ? own(CATEGORIES, value) : undefined
    return found && cased(found, foldsCase)
  }
  if (name.startsWith('In')) return findBlock(name.slice(2))
  if (name.startsWith('Is')) {
    const plain = name.slice(2)
    const binary = own(BINARY, plain.toUpperCase())
    if (binary !== undefined) return foldsCase ? undefined : binary
    const category = own(CATEGORIES, plain)
    return category === undefined ? own(SCRIPTS, plain.toUpperCase()) : cased(category, foldsCase)
  }
  const ascii = own(ASCII, name)
  if (ascii !== undefined) return foldsCase && (name === 'Lower' || name === 'Upper') ? ALPHA : ascii
  const java = own(JAVA, name)
  if (java !== undefined) return foldsCase ? undefined : java
  const category = own(CATEGORIES, name)
  return category && cased(category, foldsCase)
}

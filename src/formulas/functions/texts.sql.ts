import { sql } from '../../base/sql.ts'
import type { Facts } from '../language/formula-type.ts'
import { Decimal } from '../values/number.ts'
import {
  countCharacters,
  orNull,
  slice,
  toCharacters,
  toInitialCapitals,
  toLower,
  toUpper,
} from '../values/text.ts'
import { define } from './define.ts'
import { type FormulaFunction, NUMBER, TEXT } from './function.ts'
import { asWhole, toWhole } from './integers.sql.ts'

/** Positions and counts are cut to this. */
const MAX_COUNT = 1_000_000
/** Characters that LPAD and RPAD fill up to, at most. */
const MAX_PADDED = 10_000

/** Cost of a character that is only looked at or copied, and of one in which occurrences may be replaced. */
const FAST = 8
const SUBSTITUTION = 60

const lengthOf = ({ length = 0 }: Facts) => length
const count = (value: Decimal) => toWhole(value, 0, MAX_COUNT)
const COUNT_FACTS = { scale: 0, digits: 7 }

function defineEnd(name: 'LEFT' | 'RIGHT', cut: (text: string, n: number) => string): FormulaFunction {
  return define({
    name,
    signature: `${name}(text, count)`,
    description: `The ${name === 'LEFT' ? 'first' : 'last'} characters; no value for a count of 0 or less.`,
    costPerCharacter: FAST,
    parameters: [TEXT, NUMBER],
    result: 'Text',
    facts: (text) => ({ length: lengthOf(text) }),
    evaluate: ([text, n]: [string, Decimal]) => orNull(cut(text, count(n))),
    sql: ([text, n], [, expression]) =>
      sql`nullif(${sql.raw(name.toLowerCase())}(${text!}, ${asWhole(n!, expression!, 0, MAX_COUNT)}), '')`,
  })
}

function definePadding(name: 'LPAD' | 'RPAD'): FormulaFunction {
  const pad = (text: string, length: number, filling: string) => {
    const characters = toCharacters(text)
    if (characters.length >= length) return characters.slice(0, length).join('')
    const added = toCharacters(
      filling.repeat(Math.ceil((length - characters.length) / countCharacters(filling))),
    )
      .slice(0, length - characters.length)
      .join('')
    return name === 'LPAD' ? added + text : text + added
  }
  return define({
    name,
    signature: `${name}(text, length[, filling])`,
    description: `The text, filled up on the ${name === 'LPAD' ? 'left' : 'right'} to a length of at most ${MAX_PADDED}, or cut to it on the right.`,
    parameters: [TEXT, NUMBER, TEXT],
    optional: 1,
    result: 'Text',
    facts: (text) => ({ length: Math.max(lengthOf(text), MAX_PADDED) }),
    evaluate: ([text, length, filling = ' ']: [string, Decimal, string?]) =>
      orNull(pad(text, toWhole(length, 0, MAX_PADDED), filling)),
    sql: ([text, length, filling], [, expression]) =>
      sql`nullif(${sql.raw(name.toLowerCase())}(${text!}, ${asWhole(length!, expression!, 0, MAX_PADDED)}, ${filling ?? sql`' '`}), '')`,
  })
}

const isTurkic = (locale: string | null) => locale !== null && /^(?:tr|az)/i.test(locale)

/** Letters that become two, or are others in Turkish. Everything else is up to the database, as it is to queries. */
function defineCase(name: 'UPPER' | 'LOWER'): FormulaFunction {
  const upper = name === 'UPPER'
  const call = sql.raw(name.toLowerCase())
  const [from, to] = upper ? ['iı', 'İI'] : ['Iİ', 'ıi']
  const [one, two] = upper ? ['ß', 'SS'] : ['İ', 'i̇']
  const change = upper ? toUpper : toLower
  const translate = (text: string) =>
    toCharacters(text)
      .map((character) => to[from.indexOf(character)] ?? character)
      .join('')
  return define({
    name,
    signature: `${name}(text[, locale])`,
    description: `The text in ${upper ? 'upper' : 'lower'} case. The locale makes a difference for Turkish: \`tr\`.`,
    parameters: [TEXT, TEXT],
    optional: 1,
    takesNull: true,
    result: 'Text',
    facts: (text) => ({ length: 2 * lengthOf(text) }),
    evaluate([text, locale]: (string | null)[]) {
      if (text === null || text === undefined) return null
      return change((isTurkic(locale ?? null) ? translate(text) : text).replaceAll(one, two))
    },
    sql([text, locale]) {
      const plain = sql`${call}(replace(${text!}, ${sql.raw(`'${one}'`)}, ${sql.raw(`'${two}'`)}))`
      if (locale === undefined) return plain
      const turkic = sql`${call}(replace(translate(${text!}, ${sql.raw(`'${from}'`)}, ${sql.raw(`'${to}'`)}), ${sql.raw(`'${one}'`)}, ${sql.raw(`'${two}'`)}))`
      return sql`(case when lower(left(${locale}, 2)) in ('tr', 'az') then ${turkic} else ${plain} end)`
    },
  })
}

function trimSpaces(text: string): string {
  let [from, to] = [0, text.length]
  while (text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

/** Characters of the result for each one of the text, when every character of it is replaced. */
const growth = (replacement: Facts) => Math.max(1, lengthOf(replacement))

export const TEXT_FUNCTIONS: readonly FormulaFunction[] = [
  define({
    name: 'LEN',
    costPerCharacter: FAST,
    signature: 'LEN(text)',
    description: 'The number of characters; 0 for no text.',
    parameters: [TEXT],
    takesNull: true,
    result: 'Number',
    facts: COUNT_FACTS,
    evaluate: ([text]: (string | null)[]) => new Decimal(text === null ? 0 : countCharacters(text!)),
    sql: ([text]) => sql`coalesce(length(${text!}), 0)::numeric`,
  }),
  defineEnd('LEFT', (text, n) => slice(text, 0, n)),
  defineEnd('RIGHT', (text, n) =>
    slice(text, Math.max(0, countCharacters(text) - n), Number.MAX_SAFE_INTEGER),
  ),
  define({
    name: 'MID',
    costPerCharacter: FAST,
    signature: 'MID(text, start, count)',
    description: 'Characters from a position on, which counts from 1.',
    parameters: [TEXT, NUMBER, NUMBER],
    result: 'Text',
    facts: (text) => ({ length: lengthOf(text) }),
    evaluate([text, start, n]: [string, Decimal, Decimal]) {
      const from = toWhole(start, 1, MAX_COUNT) - 1
      return orNull(slice(text, from, from + count(n)))
    },
    sql: ([text, start, n], [, from, length]) =>
      sql`nullif(substr(${text!}, ${asWhole(start!, from!, 1, MAX_COUNT)}, ${asWhole(n!, length!, 0, MAX_COUNT)}), '')`,
  }),
  define({
    name: 'FIND',
    costPerCharacter: FAST,
    signature: 'FIND(part, text[, start])',
    description: 'The position of a part in a text, from 1; 0 when it is not found. Compares with case.',
    parameters: [TEXT, TEXT, NUMBER],
    optional: 1,
    takesNull: true,
    result: 'Number',
    facts: COUNT_FACTS,
    evaluate([part, text, start]: [string | null, string | null, (Decimal | null)?]) {
      if (part === null || text === null || start === null) return new Decimal(0)
      const from = start === undefined ? 0 : toWhole(start, 1, MAX_COUNT) - 1
      const rest = slice(text, from, Number.MAX_SAFE_INTEGER)
      const index = rest.indexOf(part)
      return new Decimal(index < 0 ? 0 : from + countCharacters(rest.slice(0, index)) + 1)
    },
    sql([part, text, start], [, , expression]) {
      if (start === undefined) return sql`coalesce(strpos(${text!}, ${part!}), 0)::numeric`
      const from = asWhole(start, expression!, 1, MAX_COUNT)
      const found = sql`strpos(substr(${text!}, ${from}), ${part!})`
      return sql`coalesce(case when ${found} > 0 then ${found} + ${from} - 1 end, 0)::numeric`
    },
  }),
  define({
    name: 'BEGINS',
    costPerCharacter: FAST,
    signature: 'BEGINS(text, part)',
    description:
      'Whether a text begins with a part, with case. An empty part is at the beginning of every text.',
    parameters: [TEXT, TEXT],
    takesNull: true,
    result: 'Boolean',
    evaluate([text, part]: (string | null)[]) {
      if (part === null) return true
      return text === null ? null : text!.startsWith(part!)
    },
    sql: ([text, part], [, expression]) =>
      expression!.kind === 'literal'
        ? sql`coalesce(starts_with(${text!}, ${part!}), case when ${part!} is null then true end)`
        : sql`(case when ${part!} is null then true else starts_with(${text!}, ${part!}) end)`,
  }),
  define({
    name: 'CONTAINS',
    costPerCharacter: FAST,
    signature: 'CONTAINS(text, part)',
    description: 'Whether a text contains a part, with case. Every text contains an empty part.',
    parameters: [TEXT, TEXT],
    takesNull: true,
    result: 'Boolean',
    evaluate([text, part]: (string | null)[]) {
      if (part === null) return true
      return text === null ? null : text!.includes(part!)
    },
    sql: ([text, part]) =>
      sql`(case when ${part!} is null then true else strpos(${text!}, ${part!}) > 0 end)`,
  }),
  define({
    name: 'SUBSTITUTE',
    costPerCharacter: SUBSTITUTION,
    signature: 'SUBSTITUTE(text, old, new)',
    description: 'The text with every occurrence of a part replaced.',
    parameters: [TEXT, TEXT, TEXT],
    takesNull: true,
    result: 'Text',
    facts: (text, _old, replacement) => ({ length: lengthOf(text) * growth(replacement!) }),
    evaluate([text, old, replacement]: (string | null)[], { budget }) {
      if (text === null || old === null) return null
      const parts = text!.split(old!)
      budget.spend((parts.length - 1) * (replacement?.length ?? 0) * SUBSTITUTION)
      return orNull(parts.join(replacement ?? ''))
    },
    sql: ([text, old, replacement]) =>
      sql`nullif(replace(${text!}, ${old!}, coalesce(${replacement!}, '')), '')`,
  }),
  define({
    name: 'TRIM',
    costPerCharacter: FAST,
    signature: 'TRIM(text)',
    description: 'The text without spaces at both ends.',
    parameters: [TEXT],
    result: 'Text',
    facts: (text) => ({ length: lengthOf(text) }),
    evaluate: ([text]: string[]) => orNull(trimSpaces(text!)),
    sql: ([text]) => sql`nullif(btrim(${text!}, ' '), '')`,
  }),
  definePadding('LPAD'),
  definePadding('RPAD'),
  defineCase('UPPER'),
  defineCase('LOWER'),
  define({
    name: 'INITCAP',
    signature: 'INITCAP(text)',
    description: 'Each word with a capital, the rest in lower case.',
    parameters: [TEXT],
    result: 'Text',
    facts: (text) => ({ length: lengthOf(text) }),
    evaluate: ([text]: string[]) => toInitialCapitals(text!).replaceAll('ẞ', 'ß'),
    // Libraries disagree on its capital.
    sql: ([text]) => sql`replace(initcap(${text!}), 'ẞ', 'ß')`,
  }),
  define({
    name: 'REVERSE',
    signature: 'REVERSE(text)',
    description: 'The characters from last to first.',
    parameters: [TEXT],
    result: 'Text',
    facts: (text) => ({ length: lengthOf(text) }),
    evaluate: ([text]: string[]) => toCharacters(text!).reverse().join(''),
    sql: ([text]) => sql`reverse(${text!})`,
  }),
  define({
    name: 'ASCII',
    signature: 'ASCII(text)',
    description: 'The code point of the first character.',
    parameters: [TEXT],
    result: 'Number',
    facts: COUNT_FACTS,
    evaluate: ([text]: string[]) => new Decimal(text!.codePointAt(0)!),
    sql: ([text]) => sql`ascii(${text!})::numeric`,
  }),
  define({
    name: 'CHR',
    signature: 'CHR(number)',
    description: 'The character with a code point; no value for 0 and numbers that are none.',
    parameters: [NUMBER],
    result: 'Text',
    facts: { length: 1 },
    evaluate([value]: Decimal[]) {
      const point = toWhole(value!, 0, MAX_COUNT * 2)
      const isCharacter = (point >= 1 && point <= 0xd7ff) || (point >= 0xe000 && point <= 0x10ffff)
      return isCharacter ? String.fromCodePoint(point) : null
    },
    sql([value], [expression]) {
      const point = asWhole(value!, expression!, 0, MAX_COUNT * 2)
      return sql`(case when ${point} between 1 and 55295 or ${point} between 57344 and 1114111 then chr(${point}) end)`
    },
  }),
]

import { quoteText, type Sql, sql } from '../../base/sql.ts'
import { EvaluationError } from '../language/formula-error.ts'
import type { Facts } from '../language/formula-type.ts'
import type { Decimal } from '../values/number.ts'
import { formatNumber } from '../values/number.ts'
import { define } from './define.ts'
import { type FormulaFunction, NUMBER, TEXT } from './function.ts'

/** Texts of HTML. Their arguments are escaped, and addresses that are code are refused. */

const ESCAPES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
] as const

const escapeHtml = (value: string | null): string =>
  ESCAPES.reduce((text, [from, to]) => text.replaceAll(from, to), value ?? '')

const escapeSql = (value: Sql): Sql =>
  ESCAPES.reduce(
    (text, [from, to]) => sql`replace(${text}, ${sql.raw(quoteText(from))}, ${sql.raw(quoteText(to))})`,
    sql`coalesce(${value}, '')`,
  )

/** Characters that browsers ignore in front of a scheme and inside it. */
const IGNORED = /[\p{Cc} ]+/gu
const CODE = /^(?:javascript|vbscript|data):/i

const isCode = (address: string | null): boolean => CODE.test((address ?? '').replaceAll(IGNORED, ''))
const isCodeSql = (address: Sql): Sql =>
  sql`coalesce(regexp_replace(${address}, '[\\u0001-\\u0020\\u007F-\\u009F]+', '', 'g') ~* '^(javascript|vbscript|data):', false)`

const lengthOf = (...all: (Facts | undefined)[]) =>
  all.reduce((sum, facts) => sum + 6 * (facts?.length ?? 70), 100)

function check(address: string | null): void {
  if (isCode(address)) throw new EvaluationError('The address is code')
}

const hyperlink = define({
  name: 'HYPERLINK',
  signature: 'HYPERLINK(address, text[, target])',
  description:
    'A link as HTML, in a window of its own unless a target is given. Fails for addresses that are code.',
  parameters: [TEXT, TEXT, TEXT],
  optional: 1,
  takesNull: true,
  result: 'Text',
  facts: (address, text, target) => ({ length: lengthOf(address, text, target) }),
  evaluate([address, text, target = '_blank']: (string | null)[]) {
    check(address!)
    return `<a href="${escapeHtml(address!)}" target="${escapeHtml(target)}">${escapeHtml(text!)}</a>`
  },
  sql: ([address, text, target]) =>
    sql`('<a href="' || ${escapeSql(address!)} || '" target="' || ${target === undefined ? sql`'_blank'` : escapeSql(target)} || '">' || ${escapeSql(text!)} || '</a>')`,
  fails: ([address]) => isCodeSql(address!),
})

const image = define({
  name: 'IMAGE',
  signature: 'IMAGE(address, text[, height, width])',
  description:
    'A picture as HTML, with the text for those who do not see it. Fails for addresses that are code.',
  parameters: [TEXT, TEXT, NUMBER, NUMBER],
  optional: 2,
  takesNull: true,
  result: 'Text',
  facts: (address, text) => ({ length: lengthOf(address, text) + 220 }),
  evaluate([address, text, height, width]: [
    string | null,
    string | null,
    (Decimal | null)?,
    (Decimal | null)?,
  ]) {
    check(address)
    const style = [
      ['height', height],
      ['width', width],
    ] as const
    const sizes = style.flatMap(([name, value]) => (value ? [`${name}:${formatNumber(value)}px;`] : []))
    const styled = sizes.length === 0 ? '' : ` style="${sizes.join(' ')}"`
    return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}"${styled} border="0"/>`
  },
  sql([address, text, height, width]) {
    const size = (name: string, value: Sql) =>
      sql`coalesce(${sql.raw(`'${name}:'`)} || trim_scale(${value})::text || 'px;', '')`
    const sizes = [
      ...(height === undefined ? [] : [size('height', height)]),
      ...(width === undefined ? [] : [size('width', width)]),
    ]
    const joined = sql`nullif(btrim(${sql.join(sizes, " || ' ' || ")}), '')`
    const style = sizes.length === 0 ? sql`''` : sql`coalesce(' style="' || ${joined} || '"', '')`
    return sql`('<img src="' || ${escapeSql(address!)} || '" alt="' || ${escapeSql(text!)} || '"' || ${style} || ' border="0"/>')`
  },
  fails: ([address]) => isCodeSql(address!),
})

const lineBreak: FormulaFunction = {
  name: 'BR',
  signature: 'BR()',
  result: 'Text',
  description: 'A line break as HTML.',
  parameters: [],
  make: ({ at }) => ({ kind: 'literal', type: 'Text', value: '<br>', facts: { length: 4 }, at, depth: 1 }),
}

export const HTML_FUNCTIONS: readonly FormulaFunction[] = [hyperlink, image, lineBreak]

/** Functions whose results are HTML. */
export const HTML_NAMES: ReadonlySet<string> = new Set(HTML_FUNCTIONS.map(({ name }) => name))

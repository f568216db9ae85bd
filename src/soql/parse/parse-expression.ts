import { decodeString } from './decode-string.ts'
import type {
  AggregateCall,
  ConvertTimezoneCall,
  DateCall,
  DistanceCall,
  DistanceUnit,
  Expression,
  FieldCall,
  FieldPath,
  FormatCall,
  FunctionCall,
  GeolocationCall,
} from './function-call.ts'
import { AGGREGATE_FUNCTIONS, DATE_FUNCTIONS, FIELD_FUNCTIONS } from './function-names.ts'
import { parseNumber } from './parse-literal.ts'
import { parsePath } from './parse-name.ts'
import { malformedQuery } from './query-error.ts'
import { RESERVED_NAMES } from './reserved-words.ts'
import type { Token } from './token.ts'
import type { TokenStream } from './token-stream.ts'

/** Parses the arguments of one function, without the parentheses. */
type CallParser = (stream: TokenStream, name: Token) => FunctionCall

const DATE_NAMES: ReadonlySet<string> = new Set(DATE_FUNCTIONS)
const CALLS: ReadonlyMap<string, CallParser> = new Map<string, CallParser>([
  ...AGGREGATE_FUNCTIONS.map((name) => [name, makeAggregateParser(name)] as const),
  ...DATE_FUNCTIONS.map((name) => [name, makeDateParser(name)] as const),
  ...FIELD_FUNCTIONS.map((name) => [name.toUpperCase(), makeFieldParser(name)] as const),
  ['FORMAT', parseFormat],
  ['DISTANCE', parseDistance],
])

/** A path or a call: what can be selected, compared, sorted by. (docs/reference/api/queries.md#functions) */
export function parseExpression(stream: TokenStream): Expression {
  return isCall(stream) ? parseCall(stream) : parsePath(stream)
}

/** True if a call is a date function, which GROUP BY accepts. (docs/reference/api/queries.md#groups) */
export function isDateCall(call: FunctionCall): call is DateCall {
  return DATE_NAMES.has(call.function)
}

/** A word names a function only before a parenthesis, so `Count` and `Format` can be fields. */
function isCall(stream: TokenStream): boolean {
  return stream.current.kind === 'word' && stream.next.key === '('
}

function parseCall(stream: TokenStream): FunctionCall {
  const { key } = stream.current
  const parse = CALLS.get(key)
  // An unknown function reads as a field, so its parenthesis is the error; a keyword is an error itself.
  if (parse === undefined) throw stream.unexpected(RESERVED_NAMES.has(key) ? stream.current : stream.next)
  const name = stream.take()
  return stream.parenthesized(() => parse(stream, name))
}

function makeAggregateParser(fn: AggregateCall['function']) {
  return (stream: TokenStream, { text: name, at }: Token): AggregateCall => {
    const isCountOfAll = fn === 'COUNT' && stream.is(')')
    return { kind: 'call', name, function: fn, args: isCountOfAll ? [] : [parsePath(stream)], at }
  }
}

function makeDateParser(fn: DateCall['function']) {
  return (stream: TokenStream, { text: name, at }: Token): DateCall => {
    const argument = stream.isPair('CONVERTTIMEZONE', '(') ? parseConvertTimezone(stream) : parsePath(stream)
    return { kind: 'call', name, function: fn, args: [argument], at }
  }
}

function makeFieldParser(fn: FieldCall['function']) {
  return (stream: TokenStream, { text: name, at }: Token): FieldCall => {
    return { kind: 'call', name, function: fn, args: [parsePath(stream)], at }
  }
}

function parseFormat(stream: TokenStream, { text: name, at }: Token): FormatCall {
  return { kind: 'call', name, function: 'FORMAT', args: [parseExpression(stream)], at }
}

function parseDistance(stream: TokenStream, { text: name, at }: Token): DistanceCall {
  const from = parsePath(stream)
  stream.expect(',')
  const to = stream.isPair('GEOLOCATION', '(') ? parseGeolocation(stream) : parsePath(stream)
  stream.expect(',')
  const unit = parseUnit(stream)
  return { kind: 'call', name, function: 'DISTANCE', args: [from, to, unit], at }
}

function parseConvertTimezone(stream: TokenStream): ConvertTimezoneCall {
  const { text: name, at } = stream.take()
  const field: FieldPath = stream.parenthesized(parsePath)
  return { kind: 'call', name, function: 'convertTimezone', args: [field], at }
}

function parseGeolocation(stream: TokenStream): GeolocationCall {
  const { text: name, at } = stream.take()
  return stream.parenthesized(() => {
    const latitude = parseNumber(stream)
    stream.expect(',')
    const longitude = parseNumber(stream)
    return { kind: 'call', name, function: 'GEOLOCATION', args: [latitude, longitude], at }
  })
}

function parseUnit(stream: TokenStream): DistanceUnit {
  if (stream.current.kind !== 'string') throw stream.unexpected()
  const { text, at } = stream.take()
  const value = decodeString(text).toLowerCase()
  if (value === 'mi' || value === 'km') return { kind: 'unit', value, at }
  throw malformedQuery(`Invalid distance unit: ${text.slice(1, -1)}. Valid units: 'mi', 'km'`)
}

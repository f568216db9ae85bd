import type { AggregateCall, DateCall, DistanceCall, Expression, FieldPath } from '../parse/function-call.ts'
import type { AggregateFunction, DateFunction } from '../parse/function-names.ts'
import { malformedQuery, queryError } from '../parse/query-error.ts'
import type { FieldRef, Operand } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

const TIME_FUNCTIONS: readonly DateFunction[] = ['HOUR_IN_DAY', 'DAY_ONLY']

/**
 * A date function of a field. Rejects fields that are neither date nor datetime. (docs/reference/api/queries.md#parts-of-dates)
 * @param at its offset in the query
 */
export function makeDatePart(
  ref: FieldRef,
  name: DateFunction,
  zoned: boolean,
  { text }: Scope,
  at: number,
): Operand {
  const { type } = ref.field
  const dateOnly = type.literal === 'date' && !zoned && !TIME_FUNCTIONS.includes(name)
  if (type.literal !== 'dateTime' && !dateOnly) {
    throw queryError(
      'INVALID_FIELD',
      text,
      at,
      `field '${ref.field.name}' of type ${type.describedAs} does not support the function ${name}`,
    )
  }
  return { kind: 'datePart', function: name, zoned, ...ref }
}

/** `CALENDAR_YEAR(CloseDate)`, `DAY_ONLY(convertTimezone(CreatedDate))` */
function analyzeDatePart({ function: name, args: [argument], at }: DateCall, scope: Scope): Operand {
  const zoned = argument.kind === 'call'
  return makeDatePart(scope.resolve(zoned ? argument.args[0] : argument), name, zoned, scope, at)
}

const SUMMED = ['AVG', 'SUM']

/** True if a function can aggregate a field. (docs/reference/api/queries.md#groups) */
function isAggregatable({ field }: FieldRef, name: AggregateFunction): boolean {
  const { type } = field
  if (SUMMED.includes(name)) return type.aggregatable && (type.literal === 'double' || type.literal === 'int')
  return type.aggregatable
}

function analyzeAggregateCall(call: AggregateCall, scope: Scope): Operand {
  const [path] = call.args
  if (path === undefined) return { kind: 'aggregate', function: 'COUNT' }
  const of = scope.resolve(path)
  if (!isAggregatable(of, call.function)) {
    throw queryError(
      'INVALID_FIELD',
      scope.text,
      call.at,
      `field ${of.field.name} does not support aggregate operator ${call.function}`,
    )
  }
  return { kind: 'aggregate', function: call.function, of }
}

function resolveLocation(path: FieldPath, scope: Scope): FieldRef {
  const ref = scope.resolve(path)
  if (ref.field.type.coordinates === undefined) {
    throw queryError('INVALID_FIELD', scope.text, path.at, `field '${ref.field.name}' is not a location`)
  }
  return ref
}

function analyzeDistance({ args: [path, to, unit] }: DistanceCall, scope: Scope): Operand {
  const location =
    to.kind === 'path'
      ? resolveLocation(to, scope)
      : { latitude: to.args[0].value, longitude: to.args[1].value }
  return { kind: 'distance', ...resolveLocation(path, scope), to: location, unit: unit.value }
}

/** Resolves an expression. `toLabel`, `convertCurrency` and FORMAT are legal only in select lists, which handle them. */
export function analyzeOperand(expression: Expression, scope: Scope): Operand {
  if (expression.kind === 'path') return { kind: 'field', ...scope.resolve(expression) }
  switch (expression.function) {
    case 'toLabel':
    case 'convertCurrency':
    case 'FORMAT':
      throw malformedQuery(`${expression.name} is not allowed here`)
    case 'GROUPING':
      return { kind: 'grouping', of: { kind: 'field', ...scope.resolve(expression.args[0]) } }
    case 'DISTANCE':
      return analyzeDistance(expression as DistanceCall, scope)
    case 'AVG':
    case 'COUNT':
    case 'COUNT_DISTINCT':
    case 'MIN':
    case 'MAX':
    case 'SUM':
      return analyzeAggregateCall(expression as AggregateCall, scope)
    default:
      return analyzeDatePart(expression as DateCall, scope)
  }
}

/** The expression as written in the query, for error messages. */
export function formatExpression(expression: Expression): string {
  if (expression.kind === 'path') return expression.segments.join('.')
  const [argument] = expression.args as readonly unknown[]
  const inner =
    (argument as Expression | undefined)?.kind === 'path' ? formatExpression(argument as Expression) : ''
  return `${expression.name}(${inner})`
}

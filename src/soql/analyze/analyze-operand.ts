import { ApiError } from '../../base/api-error.ts'
import type { FieldPath } from '../parse/field-path.ts'
import type { AggregateCall, DateCall, DistanceCall, Expression } from '../parse/function-call.ts'
import type { AggregateFunction, DateFunction } from '../parse/function-names.ts'
import { refusal } from '../parse/refusal.ts'
import type { FieldRef, Operand } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

const TIME_FUNCTIONS: readonly DateFunction[] = ['HOUR_IN_DAY', 'DAY_ONLY']

/**
 * A part of a field: only dates and datetimes have some. (docs/reference/api/queries.md#parts-of-dates)
 * @param at its place in the query
 */
export function datePartOf(
  ref: FieldRef,
  name: DateFunction,
  zoned: boolean,
  { text }: Scope,
  at: number,
): Operand {
  const { type } = ref.field
  const dateOnly = type.literal === 'date' && !zoned && !TIME_FUNCTIONS.includes(name)
  if (type.literal !== 'dateTime' && !dateOnly) {
    throw refusal(
      'INVALID_FIELD',
      text,
      at,
      `field '${ref.field.name}' of type ${type.describedAs} does not support the function ${name}`,
    )
  }
  return { kind: 'datePart', function: name, zoned, ...ref }
}

/** `CALENDAR_YEAR(CloseDate)`, `DAY_ONLY(convertTimezone(CreatedDate))` */
function datePart({ function: name, args: [argument], at }: DateCall, scope: Scope): Operand {
  const zoned = argument.kind === 'call'
  return datePartOf(scope.resolve(zoned ? argument.args[0] : argument), name, zoned, scope, at)
}

const SUMMED = ['AVG', 'SUM']

/** Which types a function sums up. (docs/reference/api/queries.md#groups) */
function isAggregatable({ field }: FieldRef, name: AggregateFunction): boolean {
  const { type } = field
  if (SUMMED.includes(name)) return type.aggregatable && (type.literal === 'double' || type.literal === 'int')
  return type.aggregatable
}

function aggregate(call: AggregateCall, scope: Scope): Operand {
  const [path] = call.args
  if (path === undefined) return { kind: 'aggregate', function: 'COUNT' }
  const of = scope.resolve(path)
  if (!isAggregatable(of, call.function)) {
    throw refusal(
      'INVALID_FIELD',
      scope.text,
      call.at,
      `field ${of.field.name} does not support aggregate operator ${call.function}`,
    )
  }
  return { kind: 'aggregate', function: call.function, of }
}

function locationOf(path: FieldPath, scope: Scope): FieldRef {
  const ref = scope.resolve(path)
  if (ref.field.type.name !== 'location' && ref.field.type.name !== 'address') {
    throw refusal('INVALID_FIELD', scope.text, path.at, `field '${ref.field.name}' is not a location`)
  }
  return ref
}

function distance({ args: [path, to, unit] }: DistanceCall, scope: Scope): Operand {
  const location =
    to.kind === 'path' ? locationOf(to, scope) : { latitude: to.args[0].value, longitude: to.args[1].value }
  return { kind: 'distance', ...locationOf(path, scope), to: location, unit: unit.value }
}

/** What an expression means where it may stand at all; labels and formats are for those who show them. */
export function analyzeOperand(expression: Expression, scope: Scope): Operand {
  if (expression.kind === 'path') return { kind: 'field', ...scope.resolve(expression) }
  switch (expression.function) {
    case 'toLabel':
    case 'convertCurrency':
    case 'FORMAT':
      throw new ApiError('MALFORMED_QUERY', `${expression.name} is not allowed here`)
    case 'GROUPING':
      return { kind: 'grouping', of: { kind: 'field', ...scope.resolve(expression.args[0]) } }
    case 'DISTANCE':
      return distance(expression as DistanceCall, scope)
    case 'AVG':
    case 'COUNT':
    case 'COUNT_DISTINCT':
    case 'MIN':
    case 'MAX':
    case 'SUM':
      return aggregate(expression as AggregateCall, scope)
    default:
      return datePart(expression as DateCall, scope)
  }
}

/** The expression as it was written, for messages. */
export function textOf(expression: Expression): string {
  if (expression.kind === 'path') return expression.segments.join('.')
  const [argument] = expression.args as readonly unknown[]
  const inner = (argument as Expression | undefined)?.kind === 'path' ? textOf(argument as Expression) : ''
  return `${expression.name}(${inner})`
}

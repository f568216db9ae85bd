import { ApiError } from '../../base/api-error.ts'
import { canonicalRecordId } from '../../base/record-id.ts'
import { parseTimestamp } from '../../schema/fields/datetime.ts'
import { coerceNumber } from '../../schema/fields/number.ts'
import { parseTime } from '../../schema/fields/time.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { makeSemiJoin } from '../../soql/analyze/analyze-semi-join.ts'
import type { FilterLocation } from '../../soql/analyze/filter-location.ts'
import {
  among,
  type Compared,
  compare,
  includes,
  like,
  type NamedDays,
  not,
} from '../../soql/analyze/make-filter.ts'
import { Scope } from '../../soql/analyze/scope.ts'
import { DATE_FUNCTIONS, type DateFunction } from '../../soql/parse/function-names.ts'
import { malformedQuery } from '../../soql/parse/query-error.ts'
import { getOperandFacts } from '../../soql/plan/operand.ts'
import type { FieldRef, Filter, Operand, Source } from '../../soql/plan/plan.ts'
import { toList, type Variables } from '../document/variables.ts'
import { checkConditions } from '../parts/limits.ts'
import { getMembers, type Member } from '../values/members.ts'
import { followParent } from './follow-parent.ts'

/*
 * `where: { ... }` as the condition of a plan. Validation has checked names and kinds; conditions
 * that SOQL rejects are rejected here with the same errors. (docs/reference/api/graphql.md#filters)
 */

type Members = Readonly<Record<string, unknown>>

const COMPARISONS = { eq: '=', ne: '!=', lt: '<', gt: '>', lte: '<=', gte: '>=' } as const

/** `%` and `_` are wildcards; a backslash escapes them and itself, and is literal before other characters. */
const escapePattern = (text: string) =>
  text.replaceAll(/\\([%_\\])?/g, (whole, taken) => (taken ? whole : '\\\\'))

/** Maximum length of a pattern, as in SOQL: the database matches it with each record. */
const MAX_PATTERN_CHARACTERS = 4000

function parsePattern(text: string): string {
  if (text.length > MAX_PATTERN_CHARACTERS) {
    throw malformedQuery(`a pattern may have at most ${MAX_PATTERN_CHARACTERS} characters`)
  }
  return escapePattern(text)
}

/** The stored form of a value. An empty text stays what it is where texts are compared, and is null elsewhere. */
function toStored(operand: Operand, value: unknown): Compared {
  if (value === null) return null
  const { literal, name } = getOperandFacts(operand)
  if (value === '') return literal === 'string' || literal === 'id' ? '' : null
  if (typeof value === 'string' && value.includes('\0')) {
    throw new ApiError(
      'INVALID_FIELD',
      `value of filter criterion for field '${name}' holds a zero character`,
    )
  }
  switch (literal) {
    case 'boolean':
      return value as boolean
    case 'id': {
      const id = canonicalRecordId(String(value))
      if (id === undefined) {
        throw new ApiError(
          'INVALID_QUERY_FILTER_OPERATOR',
          `invalid ID field: ${String(value).slice(0, 255)}`,
          {
            fields: [name],
          },
        )
      }
      return id
    }
    case 'date':
    case 'dateTime':
      return toDate(operand, value)
    case 'time':
      return `${parseTime(String(value).trim())}Z`
    case 'int':
    case 'double':
      return String(coerceNumber(value, literal))
    case 'string':
      return String(value)
  }
}

/** A date or datetime; or an input with `value`, `literal` or `range`. */
function toDate(operand: Operand, value: unknown): Compared {
  if (typeof value === 'object') return parseDateInput(operand, value as Members)
  const text = String(value).trim()
  if (getOperandFacts(operand).literal === 'date') return text
  // Fractions of a second matter in comparisons, though stored timestamps have none.
  return parseTimestamp(text)!.replace('Z', `${/\.\d+/.exec(text)?.[0] ?? ''}Z`)
}

function parseDateInput(operand: Operand, input: Members): Compared {
  const given = Object.entries(input)
  if (given.length !== 1) {
    throw malformedQuery('A date is compared with one of value, literal and range')
  }
  const [kind, value] = given[0]!
  if (value === null) return null
  if (kind === 'value') return toStored(operand, value)
  if (kind === 'literal') return { days: { name: value } as NamedDays['days'] }
  const counted = Object.entries(value as Members)
  const [unit, n] = counted[0] ?? []
  if (counted.length !== 1 || typeof n !== 'number' || n < 0) {
    throw malformedQuery('A range of days has one member, a number from 0 up')
  }
  return { days: { name: unit!.toUpperCase(), n } as NamedDays['days'] }
}

/** The conditions that operators put on an operand. */
function makeOperatorFilters(operand: Operand, operators: Members): Filter[] {
  return Object.entries(operators).map(([operator, value]): Filter => {
    switch (operator) {
      case 'in':
      case 'nin': {
        const filter = among(
          operand,
          value === null ? [null] : toList(value).map((one) => toStored(operand, one)),
        )
        return operator === 'in' ? filter : not(filter)
      }
      case 'like': {
        const text = toStored(operand, value)
        return like(operand, text === null ? null : parsePattern(String(text)))
      }
      case 'includes':
      case 'excludes': {
        const sets = toList(value).map((one) => toStored(operand, one))
        const filter = includes(operand, sets as (string | null)[])
        return operator === 'includes' ? filter : not(filter)
      }
      default:
        return compare(operand, COMPARISONS[operator as keyof typeof COMPARISONS], toStored(operand, value))
    }
  })
}

const isDateFunction = (name: string): name is DateFunction =>
  (DATE_FUNCTIONS as readonly string[]).includes(name)

/** `CALENDAR_YEAR: { value: { eq: 2026 } }` */
function makePartFilters(ref: FieldRef, name: DateFunction, input: Members): Filter[] {
  return Object.entries(input).flatMap(([way, operators]) => {
    if (operators === null) return []
    const zoned = way === 'convertTimezoneValue'
    if (zoned && ref.field.type.literal === 'date') {
      throw malformedQuery(`The date field '${ref.field.name}' has no time zone`)
    }
    return makeOperatorFilters({ kind: 'datePart', function: name, zoned, ...ref }, operators as Members)
  })
}

/** The conditions on one field. */
function makeFieldFilters(ref: FieldRef, operators: Members, location: FilterLocation): Filter[] {
  if (ref.field.type.operators.length === 0) {
    throw new ApiError('INVALID_FIELD', `field '${ref.field.name}' can not be filtered in a query call`, {
      fields: [ref.field.name],
    })
  }
  const operand: Operand = { kind: 'field', ...ref }
  return Object.entries(operators).flatMap(([name, value]) => {
    if (isDateFunction(name)) return value === null ? [] : makePartFilters(ref, name, value as Members)
    if (name === 'inq' || name === 'ninq') {
      if (value === null) return []
      const filter = makeJoinFilter(ref, value as Members, location)
      return name === 'inq' ? filter : not(filter)
    }
    return makeOperatorFilters(operand, { [name]: value })
  })
}

/** `Id: { inq: { Contact: { ... }, ApiName: "AccountId" } }` */
function makeJoinFilter(
  outer: FieldRef,
  { ApiName: fieldName, ...objects }: Members,
  location: FilterLocation,
): Filter {
  const { statement } = location.scope
  const [named, ...others] = Object.keys(objects)
  const object = named === undefined ? undefined : statement.schema.object(named)
  if (object === undefined || others.length > 0) {
    throw malformedQuery('inq and ninq name one object, and its field in ApiName')
  }
  const inner = new Scope(statement, object)
  const field = inner.getField(inner.root, typeof fieldName === 'string' ? fieldName : '', 0)
  return makeSemiJoin({
    location,
    outer,
    inner,
    operand: { source: inner.root, field },
    filter: (inside) => makeWhereFilter((objects[named!] ?? {}) as Members, inside),
    at: 0,
  })
}

/** Nearer or farther than a radius around a location. */
function makeDistanceFilters(ref: FieldRef, operators: Members): Filter[] {
  return Object.entries(operators).flatMap(([operator, given]): Filter[] => {
    if (given === null) return []
    const { latitude, longitude, radius, unit } = given as Record<string, number | string>
    const operand: Operand = {
      kind: 'distance',
      ...ref,
      to: { latitude: Number(latitude), longitude: Number(longitude) },
      unit: unit === 'KM' ? 'km' : 'mi',
    }
    return [compare(operand, operator === 'lt' ? '<' : '>', String(radius))]
  })
}

function makeMemberFilters(
  source: Source,
  member: Member,
  requested: Members,
  location: FilterLocation,
): Filter[] {
  switch (member.kind) {
    case 'id':
      return makeFieldFilters({ source, field: source.object.field('Id')! }, requested, location)
    case 'value':
      return makeFieldFilters({ source, field: member.field! }, requested, location)
    case 'compound':
      return makeDistanceFilters({ source, field: member.field }, requested)
    case 'parent': {
      const parent = followParent(location.scope, { source, field: member.field }, member.object)
      return [...makeFilters(parent, requested, location)]
    }
    case 'anyParent':
      return Object.entries(requested).flatMap(([name, inner]) =>
        inner === null
          ? []
          : makeFilters(followBranch(source, member, name, location.scope), inner as Members, location),
      )
    default:
      return []
  }
}

/** The parent behind a reference to several objects: as one of them, or as a Name. */
export function followBranch(
  source: Source,
  { field, targets }: Member & { kind: 'anyParent' },
  name: string,
  scope: Scope,
): Source {
  const via = { source, field }
  const target: ObjectType | undefined = targets.find((one) => one.name === name)
  return name === NAME_ENTITY.name || target === undefined
    ? scope.joinParent(via, 0)
    : followParent(scope, via, target)
}

/** The conditions of a filter's members; all must hold. */
function makeFilters(source: Source, where: Members, location: FilterLocation): Filter[] {
  const { schema } = location.scope.statement
  const inside = location.topLevel ? { ...location, topLevel: false } : location
  const makeAnd = (requested: unknown, at: FilterLocation): Filter => ({
    kind: 'and',
    terms: makeFilters(source, requested as Members, at),
  })
  return Object.entries(where).flatMap(([name, requested]): Filter[] => {
    if (requested === null) return []
    const several = () => toList(requested).filter((one) => one !== null)
    if (name === 'and') return several().map((one) => makeAnd(one, location))
    if (name === 'or') return [{ kind: 'or', terms: several().map((one) => makeAnd(one, inside)) }]
    if (name === 'not') return [not(makeAnd(requested, inside))]
    return makeMemberFilters(
      source,
      getMembers(source.object, schema).get(name)!,
      requested as Members,
      location,
    )
  })
}

/**
 * The condition of `where`.
 * @throws ApiError
 */
export function makeWhereFilter(where: Variables, location: FilterLocation): Filter | undefined {
  checkConditions(where)
  const terms = makeFilters(location.scope.root, where, location)
  return terms.length === 0 ? undefined : terms.length === 1 ? terms[0] : { kind: 'and', terms }
}

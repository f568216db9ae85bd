import fc from 'fast-check'
import type { Field } from '../../../src/schema/fields/field.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import { combined, conditionOn, dateCall, type Left, makeLeft, sometimes } from './random-condition.ts'
import { type Path, pathFrom } from './random-path.ts'
import { clause, direction, type Soil, where } from './random-where.ts'

/** A key of a grouping: how it is written, and the field that it is made from. */
interface Key extends Path {
  /** True of a field alone, which GROUPING takes; not of a part of a date. */
  readonly plain: boolean
}

const isGroupable = ({ type }: Field) => type.groupable || type.name === 'datetime'

/** Of times the contract knows no aggregates. (docs/reference/api/queries.md#groups) */
const isAggregatable = ({ type }: Field) => type.aggregatable && type.name !== 'time'

function makeKey(path: Path): fc.Arbitrary<Key> {
  const part = () => dateCall(path).map(({ text }) => ({ ...path, text, plain: false }))
  const plain = fc.constant({ ...path, plain: true })
  if (path.field.type.name === 'datetime') return part()
  return path.field.type.name === 'date' ? fc.oneof(plain, part()) : plain
}

function makeAggregate(path: Path, { idsOf }: Soil): fc.Arbitrary<Left> {
  const { literal } = path.field.type
  const numeric = literal === 'int' || literal === 'double'
  const counted = fc.constantFrom('COUNT', 'COUNT_DISTINCT').map(
    (name): Left => ({
      text: `${name}(${path.text})`,
      literal: fc.integer({ min: 0, max: 12 }).map(String),
      operators: ['equality', 'order'],
    }),
  )
  const extreme = fc
    .tuple(fc.constantFrom('MIN', 'MAX'), makeLeft(path, idsOf))
    // A function of a function is none.
    .filter(([, left]) => left.text === path.text)
    .map(([name, left]): Left => ({ ...left, text: `${name}(${path.text})` }))
  if (!numeric) return fc.oneof(counted, extreme)
  const summed = fc.constantFrom('SUM', 'AVG').map(
    (name): Left => ({
      text: `${name}(${path.text})`,
      literal: fc.constantFrom('0', '1', '0.5', '2.5', '-1000.25', '100000000'),
      operators: ['equality', 'order'],
    }),
  )
  return fc.oneof(counted, extreme, summed)
}

/** Queries whose rows sum up records. */
export function randomAggregate(object: ObjectType, soil: Soil): fc.Arbitrary<string> {
  const keys = fc.uniqueArray(pathFrom(object, soil.schema, isGroupable).chain(makeKey), {
    maxLength: 3,
    selector: ({ text }) => text,
  })
  return keys.chain((groupBy) => {
    const grouped = groupBy.filter((key) => key.plain).map((key) => key.text)
    // Paths of the grouping are not summed up as well.
    const aggregate = pathFrom(object, soil.schema, isAggregatable)
      .filter(({ text }) => !grouped.includes(text))
      .chain((path) => makeAggregate(path, soil))
    const grouping = grouped.map(
      (text): Left => ({
        text: `GROUPING(${text})`,
        literal: fc.constantFrom('0', '1'),
        operators: ['equality'],
      }),
    )
    const keyLeft = groupBy
      .filter((key) => key.plain)
      .map((key) => makeLeft(key, soil.idsOf).filter((left) => left.text === key.text))
    const summedUp = fc.oneof(
      { weight: 3, arbitrary: aggregate },
      ...grouping.map((left) => fc.constant(left)),
    )
    return fc
      .record({
        shown: fc.subarray(groupBy.map((_, i) => i)),
        named: fc.boolean(),
        aggregates: fc.array(summedUp, { minLength: 1, maxLength: 3 }),
        conditions: where(object, soil),
        kind: fc.constantFrom('plain', 'plain', 'ROLLUP', 'CUBE'),
        having: sometimes(combined(fc.oneof(summedUp, ...keyLeft).chain(conditionOn)), 2),
        order: fc.array(fc.tuple(summedUp, direction), { maxLength: 2 }),
        directions: fc.array(direction, { minLength: 6, maxLength: 6 }),
        limit: sometimes(fc.constantFrom(0, 1, 4, 30), 2),
        offset: sometimes(fc.constantFrom(0, 1, 3), 4),
        sorted: fc.constantFrom('not', 'partly', 'wholly'),
      })
      .map(
        ({
          shown,
          named,
          aggregates,
          conditions,
          kind,
          having,
          order,
          directions,
          limit,
          offset,
          sorted,
        }) => {
          const items = [
            ...shown.map((i) => `${groupBy[i]!.text} key${i}`),
            ...aggregates.map((left, i) => (named ? `${left.text} x${i}` : left.text)),
          ]
          const start = `SELECT ${items.join(', ')} FROM ${object.name}${clause('WHERE')(conditions)}`
          if (groupBy.length === 0) return start
          const list = groupBy.map((key) => key.text).join(', ')
          // With every key in it, and what tells a subtotal from a null, an order leaves nothing open.
          const all = [
            ...(kind === 'plain' ? [] : grouping.map((left) => left.text)),
            ...groupBy.map((key) => key.text),
          ]
          const orders = [
            ...(sorted === 'not' ? [] : order.map(([left, way]) => left.text + way)),
            ...(sorted === 'wholly' ? all.map((text, i) => text + directions[i]!) : []),
          ]
          const ordered = orders.length === 0 ? '' : ` ORDER BY ${orders.join(', ')}`
          // Values that a picklist does not list are sorted as one.
          const listless = groupBy.every((key) => !key.plain || key.field.type.name !== 'picklist')
          const reported = kind === 'plain' || grouped.length === groupBy.length
          const total = sorted === 'wholly' && listless && reported
          const end = total
            ? `${clause('LIMIT')(limit?.toString())}${clause('OFFSET')(offset?.toString())}`
            : ''
          const by = kind === 'plain' ? list : `${kind}(${list})`
          return `${start} GROUP BY ${by}${clause('HAVING')(having)}${ordered}${end}`
        },
      )
  })
}

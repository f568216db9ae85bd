import fc from 'fast-check'
import type { Field } from '../../../src/schema/fields/field.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import { randomAggregate } from './random-aggregate.ts'
import { combined, dateCall, distanceCall, sometimes } from './random-condition.ts'
import { knownFields, type Path, pathFrom } from './random-path.ts'
import { clause, condition, direction, FIXTURE, isFixtures, type Soil, where } from './random-where.ts'

const isSortable = ({ type }: Field) => type.sortable || type.name === 'location'

/** An operand of an order: a field, a part of a date, a distance. */
function sortable(path: Path): fc.Arbitrary<string> {
  const { type } = path.field
  if (type.name === 'location') return distanceCall(path.text)
  if (type.name !== 'date' && type.name !== 'datetime') return fc.constant(path.text)
  return fc.oneof(
    fc.constant(path.text),
    dateCall(path).map((call) => call.text),
  )
}

const orders = (object: ObjectType, { schema }: Soil) =>
  fc.array(
    fc.tuple(pathFrom(object, schema, isSortable).chain(sortable), direction).map((parts) => parts.join('')),
    { maxLength: 3 },
  )

const orderBy = (list: readonly string[]) => (list.length === 0 ? '' : ` ORDER BY ${list.join(', ')}`)

/** `TYPEOF About__r WHEN Bed__c THEN Rank__c ELSE Name END` for the references to several objects. */
function typeofItem(object: ObjectType, soil: Soil): fc.Arbitrary<string> | undefined {
  const reference = object.fields.find((field) => field.referenceTo.length > 1)
  if (reference === undefined) return undefined
  const fields = (target: ObjectType) =>
    fc
      .uniqueArray(
        pathFrom(target, soil.schema, () => true).filter(({ text }) => text.split('.').length <= 3),
        { minLength: 1, maxLength: 3, selector: ({ text }) => text },
      )
      .map((paths) => paths.map(({ text }) => text).join(', '))
  const branches = fc
    .subarray([...reference.referenceTo], { minLength: 1 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) => fields(soil.schema.object(name)!).map((list) => `WHEN ${name} THEN ${list}`)),
      ),
    )
  const otherwise = fc.constantFrom('', ' ELSE Id', ' ELSE Name, Type', ' ELSE Alias, IsActive, NameOrAlias')
  return fc
    .tuple(branches, otherwise)
    .map(([whens, rest]) => `TYPEOF ${reference.definition.relationship} ${whens.join(' ')}${rest} END`)
}

/** `toLabel(Color__c) x0` */
function computedItem(object: ObjectType): fc.Arbitrary<string>[] {
  return knownFields(object).flatMap(({ name, type, picklist }) => {
    if (type.name === 'location') return [distanceCall(name)]
    if (picklist.length > 0 && type.name !== 'combobox') return [fc.constant(`toLabel(${name}) ${name}Label`)]
    if (type.name === 'currency') return [fc.constant(`convertCurrency(${name}) ${name}Converted`)]
    return []
  })
}

/** A list of fields, own and of parents, and of what is computed from them. */
function plainItems(object: ObjectType, soil: Soil): fc.Arbitrary<string[]> {
  const paths = fc
    .uniqueArray(
      pathFrom(object, soil.schema, () => true),
      { minLength: 1, maxLength: 5, selector: ({ text }) => text },
    )
    .map((list) => list.map(({ text }) => text))
  const computed = computedItem(object)
  const more = computed.length === 0 ? fc.constant(undefined) : sometimes(fc.oneof(...computed), 4)
  const branching = typeofItem(object, soil)
  const either = branching === undefined ? fc.constant(undefined) : sometimes(branching, 3)
  return fc.tuple(paths, more, either).map(([list, item, choice]) => {
    const items = item === undefined ? list : [...list, item]
    if (choice === undefined) return items
    // A relationship is selected in one way only.
    const relationship = choice.split(' ')[1]
    return [...items.filter((text) => !text.startsWith(`${relationship}.`)), choice]
  })
}

/** `(SELECT Name FROM Plants__r WHERE ... ORDER BY ... LIMIT 3)` */
function childQueries(object: ObjectType, soil: Soil, levels: number): fc.Arbitrary<string[]> {
  const named = object.children.filter(
    ({ name, childObject }) => name !== undefined && isFixtures(childObject),
  )
  if (named.length === 0 || levels === 0) return fc.constant([])
  const chosen = fc.subarray(named, { minLength: 1, maxLength: Math.min(2, named.length) })
  const some = chosen.chain((children) =>
    fc.tuple(
      ...children.map((child) => {
        const inner = soil.schema.object(child.childObject)!
        return fc
          .record({
            items: plainItems(inner, soil),
            children: childQueries(inner, soil, levels - 1),
            where: sometimes(combined(condition(inner, soil)), 2),
            order: orders(inner, soil),
            limit: sometimes(fc.constantFrom(0, 1, 2, 5, 600), 3),
          })
          .map(
            ({ items, children, where, order, limit }) =>
              `(SELECT ${[...items, ...children].join(', ')} FROM ${child.name}${clause('WHERE')(where)}${orderBy(order)}${clause('LIMIT')(limit?.toString())})`,
          )
      }),
    ),
  )
  return fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 2, arbitrary: some })
}

const scopes = (object: ObjectType) =>
  object.field('OwnerId') === undefined
    ? fc.constant('')
    : fc.oneof(
        { weight: 8, arbitrary: fc.constant('') },
        fc.constantFrom(' USING SCOPE mine', ' USING SCOPE everything'),
      )

const limits = fc.record({
  limit: sometimes(fc.constantFrom(1, 1, 3, 10, 50, 201, 5000, 0), 3),
  offset: sometimes(fc.constantFrom(1, 1, 5, 40, 0, 2000), 6),
})

function recordQuery(object: ObjectType, soil: Soil): fc.Arbitrary<string> {
  return fc
    .record({
      items: plainItems(object, soil),
      children: childQueries(object, soil, 3),
      scope: scopes(object),
      where: where(object, soil),
      order: orders(object, soil),
      limits,
    })
    .map(({ items, children, scope, where, order, limits: { limit, offset } }) => {
      const inner = children.map((child) => (limit === 1 ? child.replace(/\)$/, ' OFFSET 1)') : child))
      // A scope and child queries do not go together. (docs/reference/api/queries.md#children)
      const using = children.length === 0 ? scope : ''
      const end = `${clause('LIMIT')(limit?.toString())}${clause('OFFSET')(offset?.toString())}`
      return `SELECT ${[...items, ...inner].join(', ')} FROM ${object.name}${using}${clause('WHERE')(where)}${orderBy(order)}${end}`
    })
}

/** Whole records. */
function fieldsQuery(object: ObjectType, soil: Soil): fc.Arbitrary<string> {
  const group = fc.constantFrom('ALL', 'CUSTOM', 'STANDARD')
  return fc
    .tuple(group, where(object, soil), orders(object, soil), fc.constantFrom(1, 20, 200))
    .map(
      ([name, conditions, order, limit]) =>
        `SELECT FIELDS(${name}) FROM ${object.name}${clause('WHERE')(conditions)}${orderBy(order)} LIMIT ${limit}`,
    )
}

function countQuery(object: ObjectType, soil: Soil): fc.Arbitrary<string> {
  return fc
    .tuple(scopes(object), where(object, soil), limits)
    .map(
      ([scope, conditions, { limit, offset }]) =>
        `SELECT COUNT() FROM ${object.name}${scope}${clause('WHERE')(conditions)}${clause('LIMIT')(limit?.toString())}${clause('OFFSET')(offset?.toString())}`,
    )
}

/** Changes the case of everything outside of quotes. */
function inCase(change: (text: string) => string): (query: string) => string {
  return (query) =>
    query.replaceAll(/'(?:[^'\\]|\\.)*'|[^']+/gs, (part) => (part.startsWith("'") ? part : change(part)))
}

const spelling = fc.oneof(
  { weight: 4, arbitrary: fc.constant((query: string) => query) },
  fc.constantFrom(
    inCase((text) => text.toLowerCase()),
    inCase((text) => text.toUpperCase()),
    inCase((text) => text.replaceAll(' ', ' \n\t')),
  ),
)

/** Queries over the garden, as texts. */
export function randomQuery(soil: Soil): fc.Arbitrary<string> {
  const objects = FIXTURE.map((name) => soil.schema.object(name)!)
  const query = fc
    .constantFrom(...objects)
    .chain((object) =>
      fc.oneof(
        { weight: 10, arbitrary: recordQuery(object, soil) },
        { weight: 6, arbitrary: randomAggregate(object, soil) },
        { weight: 1, arbitrary: countQuery(object, soil) },
        { weight: 1, arbitrary: fieldsQuery(object, soil) },
      ),
    )
  return fc.tuple(query, spelling).map(([text, spell]) => spell(text))
}

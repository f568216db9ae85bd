import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { datePartOf } from '../soql/analyze-operand.ts'
import type { FieldRef, Source } from '../soql/plan.ts'
import type { Scope } from '../soql/scope.ts'
import { aggregateMembersOf } from './aggregate-members.ts'
import { collectFields, type Reading, type Selected, setsOf } from './collect-fields.ts'
import { followParent } from './follow-parent.ts'
import type { Operands } from './operands.ts'
import { constant, type Read, readObject } from './read-object.ts'
import { readShown, readValue } from './read-value.ts'
import { SUMMARIES } from './summaries.ts'
import { AGGREGATE_TYPES, DATE_PARTS } from './types/aggregate-types.ts'
import type { ValueKind } from './value-kind.ts'

/** Where a selection of groups is turned into operands and a reader of their values. */
export interface AggregatePlace {
  readonly reading: Reading
  readonly scope: Scope
  readonly operands: Operands
}

/** Compiles selections of groups. */
export class AggregateCompiler {
  readonly #place: AggregatePlace

  constructor(place: AggregatePlace) {
    this.#place = place
  }

  /** `<Object>Result`: a group. */
  readResult(sets: readonly SelectionSetNode[]): Read {
    const { reading, scope } = this.#place
    const type = reading.schema.types.of(scope.root.object, 'result')
    return this.#object(type, sets, (selected) => this.#aggregate(scope.root, setsOf(selected)))
  }

  #object(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    member: (selected: Selected) => Read,
  ): Read {
    const fields = collectFields(this.#place.reading, type, sets)
    return readObject(
      fields.map((selected) => [
        selected.key,
        selected.name === '__typename' ? constant(type.name) : member(selected),
      ]),
    )
  }

  /** `<Object>Aggregate`: the group's records, or their parents. */
  #aggregate(source: Source, sets: readonly SelectionSetNode[]): Read {
    const { reading, scope } = this.#place
    const { types } = reading.schema
    const members = aggregateMembersOf(source.object, types.schema)
    return this.#object(types.of(source.object, 'aggregate'), sets, (selected) => {
      const member = members.get(selected.name)!
      const ref = { source, field: member.field }
      return member.kind === 'field'
        ? this.#field(ref, member.values, selected)
        : this.#aggregate(followParent(scope, ref, member.object), setsOf(selected))
    })
  }

  /** `<Kind>Aggregate`: what is told of one field. */
  #field(ref: FieldRef, kind: ValueKind, selected: Selected): Read {
    const { operands, scope } = this.#place
    const type = AGGREGATE_TYPES[kind]
    const { functions } = SUMMARIES[kind]!
    const { field } = ref
    return this.#object(type, setsOf(selected), (inner) => {
      const { name } = inner
      const summed = functions[name]
      if (summed !== undefined) {
        const place = operands.place({ kind: 'aggregate', function: summed.function, of: ref })
        return this.#wrapped(type, inner, summed.kind, place, field)
      }
      const part = DATE_PARTS.get(name)
      if (part !== undefined) {
        const place = operands.place(datePartOf(ref, part.function, false, scope, 0))
        return this.#wrapped(type, inner, part.kind, place)
      }
      if (name === 'grouping') {
        const place = operands.place({ kind: 'grouping', of: { kind: 'field', ...ref } })
        return this.#wrapped(type, inner, 'Int', place)
      }
      return readShown(name, kind, field, operands.place({ kind: 'field', ...ref }))
    })
  }

  /** A value in a wrapper of the type that the member has: of dates also where it is a moment. */
  #wrapped(
    owner: GraphQLObjectType,
    selected: Selected,
    kind: ValueKind,
    place: number,
    field?: FieldRef['field'],
  ): Read {
    const wrapper = owner.getFields()[selected.name]!.type as GraphQLObjectType
    const fields = collectFields(this.#place.reading, wrapper, setsOf(selected))
    return readValue(fields, kind, field, place, wrapper.name)
  }
}

import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { datePartOf } from '../../soql/analyze-operand.ts'
import type { FieldRef, Source } from '../../soql/plan.ts'
import type { Scope } from '../../soql/scope.ts'
import { collectFields, type Reading, type Selected, setsOf } from '../collect-fields.ts'
import { followParent } from '../follow-parent.ts'
import { Template } from '../template.ts'
import { AGGREGATE_TYPES, DATE_PARTS } from '../types/aggregate-types.ts'
import type { ValueKind } from '../value-kind.ts'
import { memberTemplate, valueTemplate } from '../write-value.ts'
import { aggregateMembersOf } from './aggregate-members.ts'
import type { Operands } from './operands.ts'
import { SUMMARIES } from './summaries.ts'

/** Where a selection of groups is turned into operands and a template of their values. */
export interface AggregatePlace {
  readonly reading: Reading
  readonly scope: Scope
  readonly operands: Operands
}

/** Templates of groups, which grow their operands. */
export class GroupTemplates {
  readonly #place: AggregatePlace

  constructor(place: AggregatePlace) {
    this.#place = place
  }

  /** `<Object>Result`: a group. */
  result(sets: readonly SelectionSetNode[]): Template {
    const { reading, scope } = this.#place
    const type = reading.schema.types.of(scope.root.object, 'result')
    return this.#object(type, sets, (selected) => this.#aggregate(scope.root, setsOf(selected)))
  }

  #object(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    member: (selected: Selected) => Template,
  ): Template {
    const fields = collectFields(this.#place.reading, type, sets)
    return Template.object(
      fields.map((selected) => [
        selected.key,
        selected.name === '__typename' ? Template.constant(type.name) : member(selected),
      ]),
    )
  }

  /** `<Object>Aggregate`: the group's records, or their parents. */
  #aggregate(source: Source, sets: readonly SelectionSetNode[]): Template {
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
  #field(ref: FieldRef, kind: ValueKind, selected: Selected): Template {
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
      return memberTemplate(name, kind, field, operands.place({ kind: 'field', ...ref }))
    })
  }

  /** A value in a wrapper of the type that the member has: of dates also where it is a moment. */
  #wrapped(
    owner: GraphQLObjectType,
    selected: Selected,
    kind: ValueKind,
    place: number,
    field?: FieldRef['field'],
  ): Template {
    const wrapper = owner.getFields()[selected.name]!.type as GraphQLObjectType
    const fields = collectFields(this.#place.reading, wrapper, setsOf(selected))
    return valueTemplate(fields, kind, field, place, wrapper.name)
  }
}

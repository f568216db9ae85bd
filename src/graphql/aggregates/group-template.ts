import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { makeDatePart } from '../../soql/analyze/analyze-operand.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import type { FieldRef, Source } from '../../soql/plan/plan.ts'
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  type Selected,
} from '../document/collect-fields.ts'
import { followParent } from '../queries/follow-parent.ts'
import { Template } from '../queries/template.ts'
import { makeMemberTemplate, makeValueTemplate } from '../queries/write-value.ts'
import { getAggregateMembers } from '../types/aggregate-members.ts'
import { AGGREGATE_TYPES, DATE_PARTS } from '../types/aggregate-types.ts'
import { SUMMARIES } from '../types/summaries.ts'
import type { ValueKind } from '../values/value-kind.ts'
import type { Operands } from './operands.ts'

/** The context for compiling a selection of groups. */
interface GroupTemplateContext {
  readonly decodeContext: DecodeContext
  readonly scope: Scope
  readonly operands: Operands
}

/** Makes templates of groups, and adds the operands that they need. */
export class GroupTemplates {
  readonly context: GroupTemplateContext

  constructor(location: GroupTemplateContext) {
    this.context = location
  }

  /** `<Object>Result`: a group. */
  result(sets: readonly SelectionSetNode[]): Template {
    const { decodeContext, scope } = this.context
    const type = decodeContext.schema.types.of(scope.root.object, 'result')
    return this.#object(type, sets, (selected) => this.#aggregate(scope.root, getSelectionSets(selected)))
  }

  #object(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    member: (selected: Selected) => Template,
  ): Template {
    const fields = collectFields(this.context.decodeContext, type, sets)
    return Template.object(
      fields.map((selected) => [
        selected.key,
        selected.name === '__typename' ? Template.constant(type.name) : member(selected),
      ]),
    )
  }

  /** `<Object>Aggregate`: the group's records, or their parents. */
  #aggregate(source: Source, sets: readonly SelectionSetNode[]): Template {
    const { decodeContext, scope } = this.context
    const { types } = decodeContext.schema
    const members = getAggregateMembers(source.object, types.schema)
    return this.#object(types.of(source.object, 'aggregate'), sets, (selected) => {
      const member = members.get(selected.name)!
      const ref = { source, field: member.field }
      return member.kind === 'field'
        ? this.#field(ref, member.values, selected)
        : this.#aggregate(followParent(scope, ref, member.object), getSelectionSets(selected))
    })
  }

  /** `<Kind>Aggregate`: aggregates of one field. */
  #field(ref: FieldRef, kind: ValueKind, selected: Selected): Template {
    const { operands, scope } = this.context
    const type = AGGREGATE_TYPES[kind]
    const { functions } = SUMMARIES[kind]!
    const { field } = ref
    return this.#object(type, getSelectionSets(selected), (inner) => {
      const { name } = inner
      const summed = functions[name]
      if (summed !== undefined) {
        const location = operands.getIndex({ kind: 'aggregate', function: summed.function, of: ref })
        return this.#wrapped(type, inner, summed.kind, location, field)
      }
      const part = DATE_PARTS.get(name)
      if (part !== undefined) {
        const location = operands.getIndex(makeDatePart(ref, part.function, false, scope, 0))
        return this.#wrapped(type, inner, part.kind, location)
      }
      if (name === 'grouping') {
        const location = operands.getIndex({ kind: 'grouping', of: { kind: 'field', ...ref } })
        return this.#wrapped(type, inner, 'Int', location)
      }
      return makeMemberTemplate(name, kind, field, operands.getIndex({ kind: 'field', ...ref }))
    })
  }

  /** A value in the member's wrapper type, which is that of dates also for datetimes. */
  #wrapped(
    owner: GraphQLObjectType,
    selected: Selected,
    kind: ValueKind,
    location: number,
    field?: FieldRef['field'],
  ): Template {
    const wrapper = owner.getFields()[selected.name]!.type as GraphQLObjectType
    const fields = collectFields(this.context.decodeContext, wrapper, getSelectionSets(selected))
    return makeValueTemplate(fields, kind, field, location, wrapper.name)
  }
}

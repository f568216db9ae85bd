import type { Field } from '../../schema/fields/field.ts'
import type { LiteralKind } from '../../schema/fields/field-type.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { AggregateItem, Operand, Selected, Selection } from '../plan/plan.ts'
import type { CompiledQuery } from './compile.ts'

/** One column of a result, for clients that print tables. (docs/reference/api/queries.md#columns) */
export interface ColumnMetadata {
  readonly aggregate: boolean
  readonly apexType: string | null
  readonly booleanType: boolean
  readonly columnName: string
  readonly custom: boolean
  readonly displayName: string
  readonly foreignKeyName: string | null
  readonly insertable: boolean
  readonly joinColumns: readonly ColumnMetadata[]
  readonly numberType: boolean
  readonly textType: boolean
  readonly updatable: boolean
}

const TYPES: Readonly<Record<LiteralKind, string>> = {
  string: 'String',
  id: 'Id',
  boolean: 'Boolean',
  int: 'Integer',
  double: 'Decimal',
  date: 'Date',
  dateTime: 'Datetime',
  time: 'Time',
}

interface Named {
  readonly columnName: string
  readonly displayName?: string | undefined
  readonly aggregate?: boolean
  readonly foreignKeyName?: string
  readonly joinColumns?: readonly ColumnMetadata[]
}

function makeColumn(named: Named, kind: LiteralKind | undefined, field?: Field): ColumnMetadata {
  return {
    aggregate: named.aggregate ?? false,
    apexType: kind === undefined ? null : TYPES[kind],
    booleanType: kind === 'boolean',
    columnName: named.columnName,
    custom: field !== undefined && /__[cs]$/.test(field.name),
    displayName: named.displayName ?? named.columnName,
    foreignKeyName: named.foreignKeyName ?? null,
    insertable: field?.createable ?? false,
    joinColumns: named.joinColumns ?? [],
    numberType: kind === 'int' || kind === 'double',
    textType: kind === 'string',
    updatable: field?.updateable ?? false,
  }
}

function describeMember(member: Selected): ColumnMetadata {
  if (!('kind' in member)) return makeColumn({ columnName: member.name }, member.type.literal, member)
  switch (member.kind) {
    case 'parent': {
      const { source } = member.selection
      const foreignKeyName = source.via!.field.name
      return makeColumn(
        { columnName: member.name, foreignKeyName, joinColumns: describeMembers(member.selection) },
        undefined,
      )
    }
    case 'typeof':
      return makeColumn({ columnName: member.name }, undefined)
    case 'children':
      return makeColumn(
        { columnName: member.name, aggregate: true, joinColumns: describeMembers(member.plan.selection) },
        undefined,
      )
    case 'access':
      return makeColumn(
        { columnName: member.name, joinColumns: member.fields.map(describeMember) },
        undefined,
      )
    case 'computed': {
      const kind = member.presentation === 'plain' ? getOperandFacts(member.operand).literal : 'string'
      return makeColumn({ columnName: member.name }, kind)
    }
  }
}

const describeMembers = ({ members }: Selection): ColumnMetadata[] => members.map(describeMember)

/** `avg(Amount)`: the function in lower case. */
function formatFunction(operand: Operand): string | undefined {
  if (operand.kind === 'aggregate')
    return `${operand.function.toLowerCase()}(${operand.of?.field.name ?? ''})`
  if (operand.kind === 'datePart') return `${operand.function.toLowerCase()}(${operand.field.name})`
  return undefined
}

function describeAggregate({ name, operand, presentation }: AggregateItem): ColumnMetadata {
  const kind = presentation === 'plain' ? getOperandFacts(operand).literal : 'string'
  const field = operand.kind === 'field' ? operand.field : undefined
  const aggregate = operand.kind !== 'field'
  // Clients use the displayName to look up the values of a column with an alias.
  const shown = /^expr\d+$/.test(name) ? formatFunction(operand) : name
  return makeColumn({ columnName: name, displayName: shown, aggregate }, kind, field)
}

/** Describes the columns of a query's result without running it. */
export function columnMetadata({ kind, plan }: CompiledQuery) {
  const { object } = plan.sources[0]
  const columns =
    kind === 'records'
      ? describeMembers(plan.selection)
      : kind === 'aggregate'
        ? plan.items.map(describeAggregate)
        : []
  return {
    columnMetadata: columns,
    entityName: object.name,
    groupBy: kind === 'aggregate' && plan.groupBy.length > 0,
    idSelected: columns.some((entry) => entry.columnName === 'Id'),
    keyPrefix: object.keyPrefix,
  }
}

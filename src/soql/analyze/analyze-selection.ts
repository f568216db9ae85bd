import { ApiError } from '../../base/api-error.ts'
import { hasChange } from '../../base/api-version.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { FieldPath, FormatCall, FunctionCall } from '../parse/function-call.ts'
import { malformedQuery, queryError } from '../parse/query-error.ts'
import type { ChildQuery, FieldItem, FunctionItem, SelectItem, TypeofItem } from '../parse/tree.ts'
import { isAccessField, notAccessError } from '../plan/named-records.ts'
import type {
  AccessSelection,
  ChildSelection,
  ComputedSelection,
  Operand,
  Presentation,
  Selected,
  Selection,
  Source,
  TypeofSelection,
} from '../plan/plan.ts'
import { analyzeOperand, formatExpression } from './analyze-operand.ts'
import { expandFields } from './expand-fields.ts'
import type { Scope } from './scope.ts'

/** Makes the plan of a child query. Injected, because the selection of a child may have child queries of its own. */
export type AnalyzeChildren = (child: ChildQuery, scope: Scope) => ChildSelection

/** A selection under construction: parents are merged where they first appear. (docs/reference/api/queries.md#result) */
interface OpenSelection extends Selection {
  readonly members: Selected[]
}

function addParent(selection: OpenSelection, source: Source): OpenSelection {
  const name = source.via!.field.definition.relationship!
  const known = selection.members.find((member) => 'kind' in member && member.name === name)
  if (known !== undefined) {
    if ('kind' in known && known.kind === 'parent') return known.selection as OpenSelection
    throw malformedQuery(`The relationship ${name} is selected in two ways`)
  }
  const inner: OpenSelection = { source, members: [] }
  selection.members.push({ kind: 'parent', name, selection: inner })
  return inner
}

function addField(selection: OpenSelection, field: Field, requested: string, at: number, scope: Scope): void {
  if (selection.members.some(({ name }) => name === field.name)) {
    throw queryError('INVALID_FIELD', scope.text, at, `duplicate field selected: ${requested}`)
  }
  selection.members.push(field)
}

/** The nested selection of a source, created on first use. */
function openSelection(root: OpenSelection, source: Source, scope: Scope): OpenSelection {
  const chain = scope.getChain(source)
  let selection = root
  for (const parent of chain.slice(chain.indexOf(root.source) + 1)) selection = addParent(selection, parent)
  return selection
}

const ACCESS = 'UserRecordAccess'

/** The object that says what users may do, where a path of the select list asks it about the queried record. */
function findAccess({ path }: FieldItem, scope: Scope): ObjectType | undefined {
  const isStored = scope.root.object.definition.view === undefined
  return isStored && scope.isBeside(path, ACCESS) ? scope.statement.schema.object(ACCESS) : undefined
}

function addAccess(root: OpenSelection, { path }: FieldItem, access: ObjectType, scope: Scope): void {
  const field = access.field(path.segments.at(-1)!)
  if (field === undefined || !isAccessField(field.name)) throw notAccessError()
  const known = root.members.find(({ name }) => name === ACCESS)
  if (known !== undefined && !('kind' in known && known.kind === 'access'))
    throw malformedQuery(`duplicate alias: ${ACCESS}`)
  const fields = known?.fields ?? []
  if (fields.includes(field)) {
    throw queryError(
      'INVALID_FIELD',
      scope.text,
      path.at,
      `duplicate field selected: ${path.segments.join('.')}`,
    )
  }
  const member: AccessSelection = { kind: 'access', name: ACCESS, fields: [...fields, field] }
  if (known === undefined) root.members.push(member)
  else root.members[root.members.indexOf(known)] = member
}

function addPath(root: OpenSelection, item: FieldItem, scope: Scope, showsAccess: boolean): void {
  if (item.alias !== undefined) throw malformedQuery('only aggregate expressions use field aliasing')
  const access = showsAccess ? findAccess(item, scope) : undefined
  if (access !== undefined) {
    addAccess(root, item, access, scope)
    return
  }
  const { source, field } = scope.resolve(item.path)
  addField(openSelection(root, source, scope), field, item.path.segments.join('.'), item.at, scope)
}

/**
 * A function of one record. Without an alias it stands where its field would: under its parent, by its name.
 * (docs/reference/api/queries.md#aliases, docs/reference/api/queries.md#functions)
 */
function addFunction(
  root: OpenSelection,
  { call, alias }: FunctionItem,
  scope: Scope,
  unnamed: () => string,
): void {
  const { presentation, operand, ownName } = analyzeSelectCall(call, scope)
  if (operand.kind === 'datePart') {
    throw malformedQuery(`${call.name} needs GROUP BY`)
  }
  if (operand.kind === 'grouping') throw malformedQuery('GROUPING needs GROUP BY')
  const isNested = alias === undefined && ownName !== undefined && operand.kind === 'field'
  const selection = isNested ? openSelection(root, operand.source, scope) : root
  const name = alias?.text ?? ownName ?? unnamed()
  if (selection.members.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    throw malformedQuery(`duplicate alias: ${alias?.text ?? formatExpression(call)}`)
  }
  const member: ComputedSelection = { kind: 'computed', name, operand, presentation }
  selection.members.push(member)
}

/** The operand and presentation of a function in a select list, and its default name. */
export interface Presented {
  readonly presentation: Presentation
  readonly operand: Operand
  readonly ownName: string | undefined
}

export function analyzeSelectCall(call: FunctionCall, scope: Scope): Presented {
  switch (call.function) {
    case 'toLabel': {
      const [path] = call.args as readonly [FieldPath]
      const ref = scope.resolve(path)
      refuseCompound(ref.field, call.name, path.at, scope)
      return { presentation: 'label', operand: { kind: 'field', ...ref }, ownName: ref.field.name }
    }
    case 'convertCurrency': {
      // An org has one currency, so there is nothing to convert.
      const [path] = call.args as readonly [FieldPath]
      const ref = scope.resolve(path)
      if (ref.field.type.currency !== true) {
        throw queryError(
          'INVALID_FIELD',
          scope.text,
          path.at,
          `field '${ref.field.name}' is not a currency field`,
        )
      }
      return { presentation: 'plain', operand: { kind: 'field', ...ref }, ownName: ref.field.name }
    }
    case 'FORMAT':
      return analyzeFormat(call as FormatCall, scope)
    default: {
      const operand = analyzeOperand(call, scope)
      return { presentation: 'plain', operand, ownName: undefined }
    }
  }
}

/** Rejects compound fields: their values are objects without label or format. */
function refuseCompound(field: Field, name: string, at: number, scope: Scope): void {
  if (field.parts.length === 0) return
  throw queryError(
    'INVALID_FIELD',
    scope.text,
    at,
    `field '${field.name}' does not support the function ${name}`,
  )
}

function analyzeFormat(call: FormatCall, scope: Scope): Presented {
  const [argument] = call.args
  if (argument.kind === 'call' && argument.function === 'FORMAT') throw malformedQuery('FORMAT is not nested')
  if (argument.kind === 'call') {
    const inner = analyzeSelectCall(argument, scope)
    return { ...inner, presentation: 'format' }
  }
  const ref = scope.resolve(argument)
  refuseCompound(ref.field, call.name, argument.at, scope)
  return { presentation: 'format', operand: { kind: 'field', ...ref }, ownName: ref.field.name }
}

function addTypeof(root: OpenSelection, item: TypeofItem, scope: Scope): void {
  if (!hasChange(scope.statement.version, 'typeofInQueries')) {
    throw malformedQuery('TYPEOF needs API version 46.0')
  }
  const via = scope.resolveRelationship(item.path)
  const name = via.field.definition.relationship!
  if (via.field.referenceTo.length < 2) {
    throw malformedQuery(`TYPEOF needs a relationship to several objects, ${name} leads to one`)
  }
  const selection = openSelection(root, via.source, scope)
  if (selection.members.some((member) => 'kind' in member && member.name === name)) {
    throw malformedQuery(`The relationship ${name} is selected in two ways`)
  }
  const fields = (source: Source, paths: readonly FieldPath[]): Selection => {
    const branch: OpenSelection = { source, members: [] }
    for (const path of paths) {
      const ref = scope.resolveFrom(source, path)
      addField(openSelection(branch, ref.source, scope), ref.field, path.segments.join('.'), path.at, scope)
    }
    return branch
  }
  const branches = item.branches.map(({ object: objectName, fields: paths }) => {
    const object = scope.statement.schema.object(objectName.text)
    if (object === undefined || !via.field.referenceTo.includes(object.name)) {
      throw queryError(
        'INVALID_TYPE',
        scope.text,
        objectName.at,
        `sObject type '${objectName.text}' is not supported in TYPEOF ${name}`,
      )
    }
    return fields(scope.joinParentAs(via, object), paths)
  })
  const otherwise = item.otherwise && fields(scope.joinParent(via, item.at), item.otherwise)
  const member: TypeofSelection = { kind: 'typeof', name, branches, otherwise }
  selection.members.push(member)
}

/** Maximum child relationships in a query. (docs/reference/api/queries.md#children) */
const MAX_CHILDREN = 20

/**
 * Analyzes the select list of a query that returns records.
 * @param bounded whether the number of records is limited, so that all their fields may be selected
 * @param showsAccess whether it may select what the caller may do with a record
 */
export function analyzeSelection(
  items: readonly SelectItem[],
  scope: Scope,
  { bounded, showsAccess = false }: { readonly bounded: boolean; readonly showsAccess?: boolean },
  analyzeChildren: AnalyzeChildren,
): Selection {
  const root: OpenSelection = { source: scope.root, members: [] }
  let unnamed = 0
  let children = 0
  for (const item of items) {
    switch (item.kind) {
      case 'field':
        addPath(root, item, scope, showsAccess)
        break
      case 'fields':
        for (const field of expandFields(item, scope, items.length === 1, bounded)) {
          scope.joinFormulaParents(scope.root, field)
          addField(root, field, field.name, item.at, scope)
        }
        break
      case 'function':
        addFunction(root, item, scope, () => `expr${unnamed++}`)
        break
      case 'typeof':
        addTypeof(root, item, scope)
        break
      case 'childQuery': {
        if (++children > MAX_CHILDREN) {
          throw new ApiError(
            'QUERY_TOO_COMPLICATED',
            `A query may use at most ${MAX_CHILDREN} child relationships`,
          )
        }
        const member = analyzeChildren(item, scope)
        if (root.members.some((other) => 'kind' in other && other.name === member.name)) {
          throw malformedQuery(`The child relationship ${member.name} is selected twice`)
        }
        root.members.push(member)
      }
    }
  }
  return root
}

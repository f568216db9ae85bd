import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import type { JsonText } from '../../base/json.ts'
import { atomically } from '../../calls/atomically.ts'
import type { Context } from '../../context.ts'
import { collectFields, getSelectionSets, type Selected } from '../document/collect-fields.ts'
import { getArguments } from '../document/variables.ts'
import { formatObject, type Part, type PartContext, type Run, toPartError } from '../parts/part.ts'
import { documentError, type ErrorItem, findLocation, makeErrorItem } from '../values/graphql-error.ts'
import { Operation, type OperationResult } from './operation.ts'

/** The results of the operations of one `uiapi`. */
interface Outcome {
  readonly done: ReadonlyMap<Operation, OperationResult>
  readonly failed: ReadonlyMap<Operation, ApiError>
}

const ROLLED_BACK = 'The operation was rolled back because another one failed'

/** A reference must name an earlier create or delete. (docs/reference/api/graphql.md#mutations) */
function checkReferences(operations: readonly Operation[], { variables }: Run): void {
  const known = new Set<string>()
  for (const operation of operations) {
    for (const name of operation.references(variables)) {
      if (known.has(name)) continue
      throw documentError('ValidationError', `'@{${name}}' refers to no create or delete before it`, {
        path: operation.path,
        locations: findLocation(operation.selected.nodes[0]!),
      })
    }
    if (operation.kind !== 'Update') known.add(operation.selected.key)
  }
}

/** Runs operations in order, each atomically. */
async function runEach(operations: readonly Operation[], run: Run): Promise<Outcome> {
  const done = new Map<Operation, OperationResult>()
  const failed = new Map<Operation, ApiError>()
  const given = new Map<string, string>()
  for (const operation of operations) {
    try {
      const result = await atomically(
        inMutation(run),
        (inside) => operation.run(inside, run.variables, given),
        () => 'committed',
      )
      run.written = true
      done.set(operation, result)
      given.set(operation.selected.key, result.id)
    } catch (error) {
      failed.set(operation, toPartError(error, run))
    }
  }
  return { done, failed }
}

/** Runs operations until one fails. Lock conflicts are rethrown, so that the caller retries all of them. */
async function runUntilRefused(
  ctx: Context,
  operations: readonly Operation[],
  { variables }: Run,
): Promise<Outcome> {
  const done = new Map<Operation, OperationResult>()
  const given = new Map<string, string>()
  for (const operation of operations) {
    try {
      const result = await operation.run(ctx, variables, given)
      done.set(operation, result)
      given.set(operation.selected.key, result.id)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { done, failed: new Map([[operation, error]]) }
    }
  }
  return { done, failed: new Map() }
}

/** Runs all operations or none. */
async function runTogether(operations: readonly Operation[], run: Run): Promise<Outcome> {
  const none: ReadonlyMap<Operation, OperationResult> = new Map()
  try {
    const outcome = await atomically(
      inMutation(run),
      (inside) => runUntilRefused(inside, operations, run),
      ({ failed }) => (failed.size === 0 ? 'committed' : 'rolled back'),
    )
    if (outcome.failed.size > 0) return { done: none, failed: outcome.failed }
    run.written = true
    return outcome
  } catch (error) {
    const reason = toPartError(error, run)
    return { done: none, failed: new Map(operations.map((operation) => [operation, reason])) }
  }
}

const inMutation = ({ ctx }: Run): Context => ({ ...ctx, nested: 'graphql' })

function makeErrors(operations: readonly Operation[], { failed }: Outcome, allOrNone: boolean): ErrorItem[] {
  const about = ({ path, selected }: Operation) => ({ path, locations: findLocation(selected.nodes[0]!) })
  const errors = [...failed].flatMap(([operation, error]) =>
    error.items.map(({ message }) => makeErrorItem('DataFetchingException', message, about(operation))),
  )
  if (!allOrNone || failed.size === 0) return errors
  const others = operations.filter((operation) => !failed.has(operation))
  return [...errors, ...others.map((one) => makeErrorItem('ExecutionAborted', ROLLED_BACK, about(one)))]
}

/** `uiapi(input: { allOrNone })` */
interface OperationGroup {
  readonly key: string
  readonly operations: readonly Operation[]
  readonly run: Part
}

function makeOperationGroup(
  making: PartContext,
  type: GraphQLObjectType,
  selected: Selected,
): OperationGroup {
  const { key } = selected
  const fields = collectFields(making.decodeContext, type, getSelectionSets(selected))
  const operations = fields
    .filter(({ name }) => name !== '__typename')
    .map((field) => {
      const payload = type.getFields()[field.name]!.type as GraphQLObjectType
      return new Operation(making.decodeContext, payload, field, [key, field.key])
    })
  const run: Part = async (now) => {
    const { input } = getArguments(selected.nodes[0]!.arguments, now.variables)
    const allOrNone = (input as { allOrNone?: boolean | null } | undefined)?.allOrNone !== false
    const outcome = await (allOrNone ? runTogether(operations, now) : runEach(operations, now))
    now.errors.push(...makeErrors(operations, outcome, allOrNone))
    const payloads = new Map(
      operations.map((one) => [one.selected.key, outcome.done.get(one)?.payload ?? 'null']),
    )
    return formatObject(
      fields.map(({ key: name, name: kind }) => [
        name,
        kind === '__typename' ? `"${type.name}"` : payloads.get(name)!,
      ]),
    )
  }
  return { key, operations, run }
}

/** A mutation: its `uiapi` fields in order. References of all of them are checked before the first one runs. */
export function makeMutationPart(
  making: PartContext,
  root: GraphQLObjectType,
  operation: OperationDefinitionNode,
): Part {
  const type = (root.getFields().uiapi!.type as { readonly ofType: GraphQLObjectType }).ofType
  const selected = collectFields(making.decodeContext, root, [operation.selectionSet])
  const families = new Map(
    selected
      .filter(({ name }) => name !== '__typename')
      .map((field) => [field.key, makeOperationGroup(making, type, field)]),
  )
  return async (run) => {
    for (const { operations } of families.values()) checkReferences(operations, run)
    const values: [string, JsonText][] = []
    for (const { key } of selected) {
      const family = families.get(key)
      values.push([key, family === undefined ? `"${root.name}"` : await family.run(run)])
    }
    return formatObject(values)
  }
}

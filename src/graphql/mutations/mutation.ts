import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import { atomically } from '../../calls/atomically.ts'
import type { Context } from '../../context.ts'
import { collectFields, type Selected, setsOf } from '../collect-fields.ts'
import { type ErrorItem, errorItem, type Path, placeOf, refused } from '../graphql-error.ts'
import { type Making, type Member, objectText, type Part, type Run, reasonOf } from '../part.ts'
import { argumentsOf } from '../variables.ts'
import { type Done, Operation } from './operation.ts'

/** What became of the operations of one `uiapi`. */
interface Outcome {
  readonly done: ReadonlyMap<Operation, Done>
  readonly failed: ReadonlyMap<Operation, ApiError>
}

const ROLLED_BACK = 'The operation was rolled back because another one failed'

/** A reference leads to an operation before it that gives a record: a create or a delete. (contract/graphql 8) */
function checkReferences(operations: readonly Operation[], { variables }: Run): void {
  const known = new Set<string>()
  for (const operation of operations) {
    for (const name of operation.references(variables)) {
      if (known.has(name)) continue
      throw refused('ValidationError', `'@{${name}}' refers to no create or delete before it`, {
        path: operation.path,
        locations: placeOf(operation.selected.nodes[0]!),
      })
    }
    if (operation.kind !== 'Update') known.add(operation.selected.key)
  }
}

/** Carries operations out one after the other, each as a whole or not at all. */
async function runEach(operations: readonly Operation[], run: Run): Promise<Outcome> {
  const done = new Map<Operation, Done>()
  const failed = new Map<Operation, ApiError>()
  const given = new Map<string, string>()
  const ctx = inMutation(run)
  for (const operation of operations) {
    try {
      const result = await ctx.db.transaction((db) => operation.run({ ...ctx, db }, run.variables, given))
      run.written = true
      done.set(operation, result)
      given.set(operation.selected.key, result.id)
    } catch (error) {
      failed.set(operation, reasonOf(error, run))
    }
  }
  return { done, failed }
}

/** Carries operations out until one is refused; what meets others' locks is begun anew as a whole. */
async function runUntilRefused(
  ctx: Context,
  operations: readonly Operation[],
  { variables }: Run,
): Promise<Outcome> {
  const done = new Map<Operation, Done>()
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

/** All of them or none. */
async function runTogether(operations: readonly Operation[], run: Run): Promise<Outcome> {
  const none: ReadonlyMap<Operation, Done> = new Map()
  try {
    const outcome = await atomically(
      inMutation(run),
      (inside) => runUntilRefused(inside, operations, run),
      ({ failed }) => (failed.size === 0 ? 'stays' : 'taken back'),
    )
    if (outcome.failed.size > 0) return { done: none, failed: outcome.failed }
    run.written = true
    return outcome
  } catch (error) {
    const reason = reasonOf(error, run)
    return { done: none, failed: new Map(operations.map((operation) => [operation, reason])) }
  }
}

const inMutation = ({ ctx }: Run): Context => ({ ...ctx, nested: 'graphql' })

function errorsOf(operations: readonly Operation[], { failed }: Outcome, allOrNone: boolean): ErrorItem[] {
  const about = ({ path, selected }: Operation) => ({ path, locations: placeOf(selected.nodes[0]!) })
  const errors = [...failed].flatMap(([operation, error]) =>
    error.items.map(({ message }) => errorItem('DataFetchingException', message, about(operation))),
  )
  if (!allOrNone || failed.size === 0) return errors
  const others = operations.filter((operation) => !failed.has(operation))
  return [...errors, ...others.map((one) => errorItem('ExecutionAborted', ROLLED_BACK, about(one)))]
}

/** `uiapi(input: { allOrNone })` with its operations. */
function operationsPart(making: Making, type: GraphQLObjectType, selected: Selected, path: Path): Part {
  const fields = collectFields(making.reading, type, setsOf(selected))
  const operations = fields
    .filter(({ name }) => name !== '__typename')
    .map((field) => {
      const payload = type.getFields()[field.name]!.type as GraphQLObjectType
      return new Operation(making.reading, payload, field, [...path, field.key])
    })
  return async (run) => {
    checkReferences(operations, run)
    const { input } = argumentsOf(selected.nodes[0]!.arguments, run.variables)
    const allOrNone = (input as { allOrNone?: boolean | null } | undefined)?.allOrNone !== false
    const outcome = await (allOrNone ? runTogether(operations, run) : runEach(operations, run))
    run.errors.push(...errorsOf(operations, outcome, allOrNone))
    const payloads = new Map(
      operations.map((one) => [one.selected.key, outcome.done.get(one)?.payload ?? 'null']),
    )
    const members = fields.map(({ key, name }) => {
      const value = name === '__typename' ? `"${type.name}"` : payloads.get(key)
      return `${JSON.stringify(key)}:${value}`
    })
    return `{${members.join(',')}}`
  }
}

/** A mutation: its `uiapi`s one after the other. */
export function mutationPart(
  making: Making,
  root: GraphQLObjectType,
  operation: OperationDefinitionNode,
): Part {
  const type = (root.getFields().uiapi!.type as { readonly ofType: GraphQLObjectType }).ofType
  const members = collectFields(making.reading, root, [operation.selectionSet]).map(
    (selected): Member => [
      selected.key,
      selected.name === '__typename'
        ? () => `"${root.name}"`
        : operationsPart(making, type, selected, [selected.key]),
    ],
  )
  return async (run) => {
    const values: string[] = []
    for (const [, part] of members) values.push(await part(run))
    return objectText(members, values)
  }
}

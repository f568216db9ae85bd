import type { GraphQLObjectType, OperationDefinitionNode } from 'graphql'
import { ApiError } from '../base/api-error.ts'
import { atomically } from '../calls/atomically.ts'
import type { Context } from '../context.ts'
import { collectFields, type Selected, setsOf } from './collect-fields.ts'
import { type ErrorItem, errorItem, type Path, placeOf, refused } from './graphql-error.ts'
import { type Done, Operation } from './operation.ts'
import { explained, type Making, type Member, objectText, type Part, type Run } from './part.ts'
import { argumentsOf } from './variables.ts'

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

/** Carries operations out one after the other; each is written as a whole or not at all. */
async function runAll(
  ctx: Context,
  operations: readonly Operation[],
  { variables }: Run,
  stopAtFailure: boolean,
): Promise<Outcome> {
  const done = new Map<Operation, Done>()
  const failed = new Map<Operation, ApiError>()
  const given = new Map<string, string | undefined>()
  for (const operation of operations) {
    const work = (inside: Context) => operation.run(inside, variables, given)
    try {
      const result = stopAtFailure ? await work(ctx) : await ctx.db.transaction((db) => work({ ...ctx, db }))
      done.set(operation, result)
      given.set(operation.selected.key, result.id)
    } catch (error) {
      // In a transaction around all of them, what others' locks were in the way of is tried again as a whole.
      const reason = stopAtFailure ? error : explained(ctx, error)
      if (!(reason instanceof ApiError)) throw error
      failed.set(operation, reason)
      if (stopAtFailure) break
    }
  }
  return { done, failed }
}

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
    const ctx: Context = { ...run.ctx, nested: 'graphql' }
    const outcome = allOrNone
      ? await atomically(
          ctx,
          (inside) => runAll(inside, operations, run, true),
          ({ failed }) => (failed.size === 0 ? 'stays' : 'taken back'),
        )
      : await runAll(ctx, operations, run, false)
    run.errors.push(...errorsOf(operations, outcome, allOrNone))
    const kept = allOrNone && outcome.failed.size > 0 ? undefined : outcome.done
    const payloads = new Map(operations.map((one) => [one.selected.key, kept?.get(one)?.payload ?? 'null']))
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

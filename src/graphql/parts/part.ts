import { type GraphQLObjectType, isWrappingType, type SelectionSetNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import { toApiError } from '../../calls/dispatch.ts'
import type { Context } from '../../context.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import { collectFields, type DecodeContext, type Selected, setsOf } from '../document/collect-fields.ts'
import type { Variables } from '../document/variables.ts'
import { type ErrorItem, errorItem, findLocation, type Path } from '../values/graphql-error.ts'
import type { Connections } from './limits.ts'

/*
 * An operation as a tree of parts: each gives one value of the result. The upper levels are objects whose members are
 * found side by side; below them a connection is one part, which gives the whole of it.
 */

/** One run of an operation. */
export interface Run {
  readonly ctx: Context
  readonly variables: Variables
  readonly errors: ErrorItem[]
  /** Something was written for good: from now on nothing is carried out a second time. */
  written: boolean
}

/** Gives one value of the result as JSON. */
export type Part = (run: Run) => string | Promise<string>

/** What parts are made with. */
export interface Making {
  readonly decodeContext: DecodeContext
  readonly connections: Connections
}

/** Makes the part of a field. `path` leads to its value in the result. */
export type MakePart = (making: Making, selected: Selected, path: Path) => Part

/** Failures of the database that are told like refusals: the rest of the document may still be answered. */
const REPORTED: readonly (string | undefined)[] = ['locked', 'cancelled']

/**
 * Why a part failed, for the client.
 * @throws the failure itself where it is not that of a part: then the call is answered by it, or carried out again
 */
export function reasonOf(error: unknown, { ctx, written }: Run): ApiError {
  if (error instanceof ApiError) return error
  if (written || REPORTED.includes(databaseFault(error)?.kind)) return toApiError(error, ctx)
  throw error
}

/** A value that may fail by itself: then it is null, and an error says where. (docs/reference/api/graphql.md#errors) */
export function partial(selected: Selected, path: Path, work: (run: Run) => Promise<string>): Part {
  return async (run) => {
    try {
      return await work(run)
    } catch (error) {
      const locations = findLocation(selected.nodes[0]!)
      for (const { message } of reasonOf(error, run).items) {
        run.errors.push(errorItem('DataFetchingException', message, { path, locations }))
      }
      return 'null'
    }
  }
}

/** The part of an object whose members are made one by one. */
export function objectPart(
  making: Making,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  path: Path,
  makeMember: MakePart,
): Part {
  const members = collectFields(making.decodeContext, type, sets).map((selected): readonly [string, Part] => {
    if (selected.name === '__typename') return [selected.key, () => `"${type.name}"`]
    return [selected.key, makeMember(making, selected, [...path, selected.key])]
  })
  return async (run) =>
    objectText(await Promise.all(members.map(async ([key, part]) => [key, await part(run)] as const)))
}

/** An object as JSON, from members that are. */
export const objectText = (members: readonly (readonly [key: string, value: string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`

/** The part of a field of an object type that has members of its own. */
export function fieldsPart(
  making: Making,
  owner: GraphQLObjectType,
  selected: Selected,
  path: Path,
  makeMember: MakePart,
): Part {
  const { type } = owner.getFields()[selected.name]!
  const inner = (isWrappingType(type) ? type.ofType : type) as GraphQLObjectType
  return objectPart(making, inner, setsOf(selected), path, makeMember)
}

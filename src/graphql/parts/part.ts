import { type GraphQLObjectType, isWrappingType, type SelectionSetNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import type { JsonText } from '../../base/json.ts'
import { toApiError } from '../../calls/dispatch.ts'
import type { Context } from '../../context.ts'
import { databaseFault } from '../../storage/database/pg-error.ts'
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  type Selected,
} from '../document/collect-fields.ts'
import type { Variables } from '../document/variables.ts'
import { type ErrorItem, findLocation, makeErrorItem, type Path } from '../values/graphql-error.ts'
import type { DocumentLimits } from './limits.ts'

/*
 * An operation as a tree of parts: each returns one value of the result. The upper levels are objects whose members are
 * loaded concurrently; below them each connection is one part.
 */

/** One run of an operation. */
export interface Run {
  readonly ctx: Context
  readonly variables: Variables
  readonly errors: ErrorItem[]
  /** True if a write was committed: from then on nothing may be retried. */
  written: boolean
}

/** Returns one value of the result as JSON. */
export type Part = (run: Run) => JsonText | Promise<JsonText>

/** The context for making parts. */
export interface PartContext {
  readonly decodeContext: DecodeContext
  readonly connections: DocumentLimits
}

/** Makes the part of a field. `path` leads to its value in the result. */
export type MakePart = (making: PartContext, selected: Selected, path: Path) => Part

/** Database faults that are reported like API errors, so that the rest of the document still gets a result. */
const REPORTED_FAULTS: readonly (string | undefined)[] = ['locked', 'cancelled']

/**
 * The error of a failed part, for the client.
 * @throws the failure itself if it concerns the whole call, which then fails or is retried
 */
export function toPartError(error: unknown, { ctx, written }: Run): ApiError {
  if (error instanceof ApiError) return error
  if (written || REPORTED_FAULTS.includes(databaseFault(error)?.kind)) return toApiError(error, ctx)
  throw error
}

/** A part that may fail alone: its value is then null, with an error at its path. (docs/reference/api/graphql.md#errors) */
export function makePartialPart(selected: Selected, path: Path, work: (run: Run) => Promise<JsonText>): Part {
  return async (run) => {
    try {
      return await work(run)
    } catch (error) {
      const locations = findLocation(selected.nodes[0]!)
      for (const { message } of toPartError(error, run).items) {
        run.errors.push(makeErrorItem('DataFetchingException', message, { path, locations }))
      }
      return 'null'
    }
  }
}

/** The part of an object whose members are made one by one. */
export function makeObjectPart(
  making: PartContext,
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
    formatObject(await Promise.all(members.map(async ([key, part]) => [key, await part(run)] as const)))
}

/** An object as JSON, from members as JSON. */
export const formatObject = (members: readonly (readonly [key: string, value: JsonText])[]): JsonText => [
  '{',
  ...members.map(([key, value], index) => [`${index === 0 ? '' : ','}${JSON.stringify(key)}:`, value]),
  '}',
]

/** The part of a field of an object type. */
export function makeFieldsPart(
  making: PartContext,
  owner: GraphQLObjectType,
  selected: Selected,
  path: Path,
  makeMember: MakePart,
): Part {
  const { type } = owner.getFields()[selected.name]!
  const inner = (isWrappingType(type) ? type.ofType : type) as GraphQLObjectType
  return makeObjectPart(making, inner, getSelectionSets(selected), path, makeMember)
}

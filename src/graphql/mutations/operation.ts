import type { ArgumentNode, GraphQLObjectType, SelectionSetNode } from 'graphql'
import { ApiError } from '../../base/api-error.ts'
import type { JsonText } from '../../base/json.ts'
import type { Context } from '../../context.ts'
import { deleteRecord } from '../../records/delete/delete.ts'
import type { RecordInput } from '../../records/prepare/record-input.ts'
import { createRecord } from '../../records/write/insert.ts'
import { namedId } from '../../records/write/named-object.ts'
import { updateRecord } from '../../records/write/update.ts'
import { readGivenText } from '../../schema/fields/field-type.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  type Selected,
} from '../document/collect-fields.ts'
import { getArguments, type Variables } from '../document/variables.ts'
import { parentsError } from '../parts/limits.ts'
import { formatObject } from '../parts/part.ts'
import { RecordStatement } from '../queries/record-statement.ts'
import { MUTATIONS, type Mutation } from '../types/mutation-types.ts'
import { findLocation, type Path } from '../values/graphql-error.ts'
import { getMembers } from '../values/members.ts'
import { getValueKind } from '../values/value-kind.ts'

type Values = Readonly<Record<string, unknown>>

/** A reference to the id from an earlier operation: `@{Alias}`. (docs/reference/api/graphql.md#mutations) */
const REFERENCE = /^@\{(\w+)\}$/

/** Ids by the keys of the operations that returned them. */
export type CreatedIds = ReadonlyMap<string, string>

/** Resolves an id, or a reference to an earlier operation. */
function resolveId(value: unknown, given: CreatedIds): unknown {
  const name = typeof value === 'string' ? REFERENCE.exec(value)?.[1] : undefined
  if (name === undefined) return value
  const id = given.get(name)
  if (id !== undefined) return id
  throw new ApiError('PROCESSING_HALTED', `The operation '${name}' that is referred to gave no record`)
}

/** The record id and the payload of an operation. */
export interface OperationResult {
  readonly id: string
  /** As JSON. */
  readonly payload: JsonText
}

/** Members that may be selected of a parent in the result of a mutation. (docs/reference/api/graphql.md#mutations) */
const PLAIN = ['__typename', 'Id', 'ApiName']

/** Rejects other members of a written record's parents. */
function checkResult(
  decodeContext: DecodeContext,
  object: ObjectType,
  sets: readonly SelectionSetNode[],
): void {
  const { types } = decodeContext.schema
  const members = getMembers(object, types.schema)
  for (const selected of collectFields(decodeContext, types.of(object, 'node'), sets)) {
    const member = members.get(selected.name)
    if (member?.kind !== 'parent' && member?.kind !== 'anyParent') continue
    const parents = member.kind === 'parent' ? [member.object] : member.targets
    for (const parent of parents) {
      const fields = collectFields(decodeContext, types.of(parent, 'node'), getSelectionSets(selected))
      if (!fields.every(({ name }) => PLAIN.includes(name))) throw parentsError()
    }
  }
}

/** One operation of a mutation. */
export class Operation {
  readonly path: Path
  readonly selected: Selected
  readonly kind: Mutation
  readonly #object: ObjectType
  readonly #arguments: readonly ArgumentNode[] | undefined
  /** Selected members of the payload: records and plain values. */
  readonly #shows: readonly {
    readonly key: string
    readonly name: string
    readonly record?: RecordStatement
  }[]
  readonly #typeName: string

  /** @throws ApiError if it selects more of its record than is allowed */
  constructor(decodeContext: DecodeContext, payload: GraphQLObjectType, selected: Selected, path: Path) {
    this.path = path
    this.selected = selected
    this.kind = (Object.keys(MUTATIONS) as Mutation[]).find((kind) => selected.name.endsWith(kind))!
    this.#object = decodeContext.schema.types.schema.object(selected.name.slice(0, -this.kind.length))!
    this.#arguments = selected.nodes[0]!.arguments
    this.#typeName = payload.name
    this.#shows = collectFields(decodeContext, payload, getSelectionSets(selected)).map((field) => {
      const { key, name } = field
      if (name !== 'Record') return { key, name }
      const sets = getSelectionSets(field)
      checkResult(decodeContext, this.#object, sets)
      return { key, name, record: new RecordStatement(decodeContext, this.#object, sets) }
    })
  }

  #input(variables: Variables): Values {
    return getArguments(this.#arguments, variables).input as Values
  }

  /** Keys of the operations that it refers to. */
  references(variables: Variables): readonly string[] {
    const input = this.#input(variables)
    const values = input[this.#object.name] as Values | undefined
    const references = Object.entries(values ?? {}).filter(([name]) => this.#isReference(name))
    return [input.Id, ...references.map(([, value]) => value)].flatMap((value) => {
      const name = typeof value === 'string' ? REFERENCE.exec(value)?.[1] : undefined
      return name === undefined ? [] : [name]
    })
  }

  #isReference(name: string): boolean {
    const field = this.#object.field(name)
    return field !== undefined && getValueKind(field) === 'ID'
  }

  /**
   * Runs the operation.
   * @param given ids from earlier operations
   * @throws ApiError
   */
  async run(ctx: Context, variables: Variables, given: CreatedIds): Promise<OperationResult> {
    const id = await this.#write(ctx, this.#input(variables), given)
    const members: [string, string][] = []
    for (const { key, name, record } of this.#shows) {
      const value = record === undefined ? this.#plain(name, id) : await this.#readBack(ctx, record, id)
      members.push([key, value])
    }
    return { id, payload: formatObject(members) }
  }

  #plain(name: string, id: string): string {
    if (name === 'success') return 'true'
    return name === 'Id' ? `"${id}"` : `"${this.#typeName}"`
  }

  async #write(ctx: Context, input: Values, given: CreatedIds): Promise<string> {
    const object = this.#object
    if (this.kind === 'Create') return createRecord(ctx, object, this.#record(input, given))
    const id = namedId(object, resolveId(input.Id, given))
    if (this.kind === 'Update') await updateRecord(ctx, object, id, this.#record(input, given))
    else await deleteRecord(ctx, object, id)
    return id
  }

  /** The values of a record, with references to operations resolved to ids. */
  #record(input: Values, given: CreatedIds): RecordInput {
    const members: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(input[this.#object.name] as Values)) {
      members[name] = this.#isReference(name) ? resolveId(value, given) : this.#read(name, value)
    }
    const [location = { line: 1, column: 1 }] = findLocation(this.selected.nodes[0]!)
    return { members, locate: () => location }
  }

  /** A value that is shown as its text is given as its text. */
  #read(name: string, value: unknown): unknown {
    const type = this.#object.field(name)?.type
    return type?.writeText === undefined || typeof value !== 'string' ? value : readGivenText(type, value)
  }

  async #readBack(ctx: Context, record: RecordStatement, id: string): Promise<string> {
    const found = await record.run(ctx, id)
    if (found !== undefined) return found
    throw new ApiError('INSUFFICIENT_ACCESS_OR_READONLY', 'The record that was written may not be read')
  }
}

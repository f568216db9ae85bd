import { ApiError } from '../../base/api-error.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../context.ts'
import { wrongKind } from '../../records/prepare/coerce.ts'
import type { InputPlace, RecordInput } from '../../records/prepare/record-input.ts'
import type { ChildRelationship, ObjectType } from '../../schema/objects/object-type.ts'
import { requireObject } from '../../schema/snapshot/snapshot.ts'

/** Over the whole request. (docs/reference/api/composite.md#trees) */
const MAX_RECORDS = 200
const MAX_LEVELS = 5
const MAX_TYPES = 5

/** A record of a tree. */
export interface TreeNode {
  readonly referenceId: string | undefined
  readonly object: ObjectType
  /** Without the records below it. */
  readonly input: RecordInput
  /** The record above it, and the field that points there. */
  readonly parent: TreeNode | undefined
  readonly via: ChildRelationship | undefined
}

interface Position {
  readonly object: ObjectType
  readonly parent: TreeNode | undefined
  readonly via: ChildRelationship | undefined
  readonly path: readonly (string | number)[]
}

const invalid = (message: string) => new ApiError('INVALID_INPUT', message)

/** `{"records": [...]}` under the name of a child relationship. */
const isBranch = (value: unknown): value is { records: readonly unknown[] } =>
  isObject(value) && Array.isArray(value.records)

class TreeReader {
  readonly levels: TreeNode[][] = []
  readonly #ctx: Context
  readonly #place: InputPlace
  #count = 0

  constructor(ctx: Context, place: InputPlace) {
    this.#ctx = ctx
    this.#place = place
  }

  read(records: readonly unknown[], level: number, position: Position): void {
    if (level === MAX_LEVELS) throw invalid(`A tree may have at most ${MAX_LEVELS} levels`)
    this.levels[level] ??= []
    for (const [index, members] of records.entries()) {
      this.#count++
      if (this.#count > MAX_RECORDS) throw invalid(`A request may have at most ${MAX_RECORDS} records`)
      this.#readOne(members, level, { ...position, path: [...position.path, index] })
    }
  }

  #readOne(members: unknown, level: number, { object, parent, via, path }: Position): void {
    const place: InputPlace = { ...this.#place, locate: (rest) => this.#place.locate([...path, ...rest]) }
    if (!isObject(members)) throw wrongKind('sobject', members, place, [])
    const own: Record<string, unknown> = {}
    const branches: [string, readonly unknown[], ChildRelationship][] = []
    for (const [name, value] of Object.entries(members)) {
      const child = isBranch(value) ? object.child(name) : undefined
      if (child === undefined) own[name] = value
      else branches.push([name, (value as { records: readonly unknown[] }).records, child])
    }
    if (via !== undefined) refuseOwnParent(own, via, object)
    const node = {
      referenceId: this.#readReference(own, object),
      object,
      input: { ...place, members: own },
      parent,
      via,
    }
    this.levels[level]!.push(node)
    for (const [name, records, child] of branches) {
      const below = requireObject(this.#ctx.visible, child.childObject)
      this.read(records, level + 1, {
        object: below,
        parent: node,
        via: child,
        path: [...path, name, 'records'],
      })
    }
  }

  /** The type must be the one that stands in this place. */
  #readReference({ attributes }: Record<string, unknown>, object: ObjectType): string | undefined {
    const { type, referenceId } = isObject(attributes) ? attributes : {}
    if (typeof type !== 'string') throw invalid('Each record needs attributes with a type')
    if (type.toLowerCase() !== object.name.toLowerCase()) {
      throw invalid(`A record of type ${type.slice(0, 255)} stands where ${object.name} is expected`)
    }
    return typeof referenceId === 'string' && /^[A-Za-z0-9]/.test(referenceId) ? referenceId : undefined
  }
}

/** The server sets the way up; a child that sets it too would contradict it. */
function refuseOwnParent(
  own: Record<string, unknown>,
  { field }: ChildRelationship,
  object: ObjectType,
): void {
  const names = [field.name, field.definition.relationship].map((name) => name?.toLowerCase())
  const named = Object.keys(own).find((name) => names.includes(name.toLowerCase()))
  if (named !== undefined) {
    throw invalid(`${named} of ${object.name} is set by its place in the tree and may not be given`)
  }
}

/**
 * The records of a tree, level by level. What is wrong with the tree itself refuses the whole call.
 * @throws ApiError INVALID_INPUT, JSON_PARSER_ERROR (docs/reference/api/composite.md#trees)
 */
export function readTree(
  ctx: Context,
  records: readonly unknown[],
  place: InputPlace,
  object: ObjectType,
): readonly (readonly TreeNode[])[] {
  if (records.length === 0) throw invalid('The body needs a list of records')
  const reader = new TreeReader(ctx, place)
  reader.read(records, 0, { object, parent: undefined, via: undefined, path: ['records'] })
  const levels = reader.levels.filter((level) => level.length > 0)
  const types = new Set(levels.flatMap((level) => level.map((node) => node.object)))
  if (types.size > MAX_TYPES) throw invalid(`A request may have records of at most ${MAX_TYPES} types`)
  return levels
}

import { ApiError } from '../../base/api-error.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Context } from '../../context.ts'
import { isRefused } from '../../records/prepare/outcome.ts'
import type { RecordInput } from '../../records/prepare/record-input.ts'
import { createRecords } from '../../records/write/insert.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { TreeNode } from './tree-levels.ts'

/** Thrown to take back a tree of which some records were refused. */
export class TreeRefused extends Error {
  readonly errors: ReadonlyMap<TreeNode, ApiError>

  constructor(errors: ReadonlyMap<TreeNode, ApiError>) {
    super('records of a tree were refused')
    this.errors = errors
  }
}

/** Every record must have a name of its own in the request. (docs/reference/api/composite.md#trees) */
function checkReferences(nodes: readonly TreeNode[]): void {
  const counts = new Map<string | undefined, number>()
  for (const { referenceId } of nodes) counts.set(referenceId, (counts.get(referenceId) ?? 0) + 1)
  const errors = new Map<TreeNode, ApiError>()
  for (const node of nodes) {
    if (node.referenceId === undefined) {
      const message = 'Include a reference ID with the record to insert.'
      errors.set(node, new ApiError('INVALID_INPUT', message))
    } else if (counts.get(node.referenceId)! > 1) {
      errors.set(node, new ApiError('INVALID_INPUT', 'Duplicate ReferenceId provided in the request.'))
    }
  }
  if (errors.size > 0) throw new TreeRefused(errors)
}

/** The record with the id of the one above it. */
function makeInput({ input, parent, via }: TreeNode, ids: ReadonlyMap<TreeNode, string>): RecordInput {
  if (parent === undefined) return input
  return { ...input, members: { ...input.members, [via!.field.name]: ids.get(parent)! } }
}

/** Errors of the request rather than of a value, for which the whole call is refused. (docs/reference/api/composite.md#trees) */
const isHard = ({ code, message }: ApiError) =>
  code === 'JSON_PARSER_ERROR' ||
  code === 'INSUFFICIENT_ACCESS' ||
  code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY' ||
  (code === 'INVALID_FIELD' && message.startsWith('No such column'))

/** Writes the records of one level and one object, which is one statement. */
async function insertGroup(
  ctx: Context,
  object: ObjectType,
  nodes: readonly TreeNode[],
  ids: Map<TreeNode, string>,
): Promise<void> {
  const inputs = nodes.map((node) => makeInput(node, ids))
  const outcomes = await createRecords(ctx, object, inputs, true)
  const errors = new Map<TreeNode, ApiError>()
  for (const [index, outcome] of outcomes.entries()) {
    const node = nodes[index]!
    if (!isRefused(outcome)) ids.set(node, outcome.id)
    else if (isHard(outcome.error)) throw outcome.error
    else if (outcome.error.code !== 'ALL_OR_NONE_OPERATION_ROLLED_BACK') errors.set(node, outcome.error)
  }
  if (errors.size > 0) throw new TreeRefused(errors)
}

/** Level by level, and in a level object by object: triggers see each such group as a whole. */
async function insertLevels(
  ctx: Context,
  levels: readonly (readonly TreeNode[])[],
): Promise<ReadonlyMap<TreeNode, string>> {
  const ids = new Map<TreeNode, string>()
  for (const level of levels) {
    const groups = new Map<ObjectType, TreeNode[]>()
    for (const node of level) getOrInsert(groups, node.object, () => []).push(node)
    for (const [object, nodes] of groups) await insertGroup(ctx, object, nodes, ids)
  }
  return ids
}

/**
 * Writes the records of a tree, all or none.
 * @returns the id of each
 * @throws TreeRefused, ApiError
 */
export async function insertTree(
  ctx: Context,
  levels: readonly (readonly TreeNode[])[],
): Promise<ReadonlyMap<TreeNode, string>> {
  const nodes = levels.flat()
  checkReferences(nodes)
  return ctx.db.transaction((db) => insertLevels({ ...ctx, db }, levels))
}

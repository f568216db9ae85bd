import { ApiError } from '../base/api-error.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import type { Reply } from '../calls/reply.ts'
import { type Handler, route } from '../calls/route.ts'
import type { Context } from '../context.ts'
import { checkAllowed } from '../records/allowed.ts'
import { createRecords } from '../records/insert.ts'
import { namedObject } from '../records/named-object.ts'
import { isRefused } from '../records/outcome.ts'
import type { RecordInput } from '../records/record-input.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { errorBody } from './outcome-body.ts'
import { readTree, type TreeNode } from './tree-levels.ts'

/** Thrown to take back a tree of which some records were refused. */
class TreeRefused extends Error {
  readonly errors: ReadonlyMap<TreeNode, ApiError>

  constructor(errors: ReadonlyMap<TreeNode, ApiError>) {
    super('records of a tree were refused')
    this.errors = errors
  }
}

/** Every record must have a name of its own in the request. (contract/records 6) */
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
function inputOf({ input, parent, via }: TreeNode, ids: ReadonlyMap<TreeNode, string>): RecordInput {
  if (parent === undefined) return input
  return { ...input, members: { ...input.members, [via!.field.name]: ids.get(parent)! } }
}

/** What is wrong with the request and not with a value: the whole call is refused for it. (contract/records 6) */
const isHard = ({ code, message }: ApiError) =>
  code === 'JSON_PARSER_ERROR' || (code === 'INVALID_FIELD' && message.startsWith('No such column'))

/** Writes the records of one level and one object, which is one statement. */
async function insertGroup(
  ctx: Context,
  object: ObjectType,
  nodes: readonly TreeNode[],
  ids: Map<TreeNode, string>,
): Promise<void> {
  const inputs = nodes.map((node) => inputOf(node, ids))
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
async function insertTree(
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

function refusedReply(errors: ReadonlyMap<TreeNode, ApiError>): Reply {
  const results = [...errors].map(([{ referenceId }, error]) => ({
    ...(referenceId === undefined ? {} : { referenceId }),
    errors: errorBody(error),
  }))
  return { status: 400, body: { hasErrors: true, results } }
}

const create: Handler<{ object: string }> = async (ctx, call, params) => {
  const levels = readTree(ctx, call, namedObject(ctx, params.object))
  const nodes = levels.flat()
  for (const { object } of nodes) checkAllowed(object, 'createable')
  try {
    checkReferences(nodes)
    const ids = await ctx.db.transaction((db) => insertTree({ ...ctx, db }, levels))
    const results = nodes.map((node) => ({ referenceId: node.referenceId, id: ids.get(node) }))
    return { status: 201, body: { hasErrors: false, results } }
  } catch (error) {
    if (error instanceof TreeRefused) return refusedReply(error.errors)
    throw error
  }
}

/** Records with the records below them, all or none. (interface.md "Composite" 5, contract/records 6) */
export const treeRoutes = [route('POST', '/composite/tree/:object', 'composite', create)]

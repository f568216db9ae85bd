import type { ApiError } from '../../base/api-error.ts'
import { readEnvelope } from '../../calls/envelope.ts'
import type { Reply } from '../../calls/reply.ts'
import { type Handler, route } from '../../calls/route.ts'
import { namedObject } from '../../records/write/named-object.ts'
import { errorBody } from '../steps/outcome-body.ts'
import { insertTree, TreeRefused } from './insert-tree.ts'
import { readTree, type TreeNode } from './tree-levels.ts'

function refusedReply(errors: ReadonlyMap<TreeNode, ApiError>): Reply {
  const results = [...errors].map(([{ referenceId }, error]) => ({
    ...(referenceId === undefined ? {} : { referenceId }),
    errors: errorBody(error),
  }))
  return { status: 400, body: { hasErrors: true, results } }
}

const create: Handler<{ object: string }> = async (ctx, call, params) => {
  const object = namedObject(ctx, params.object)
  const records = readEnvelope(call, ['records']).list('records')
  const levels = readTree(ctx, records ?? [], { locate: call.locate }, object)
  try {
    const ids = await insertTree(ctx, levels)
    const results = levels.flat().map((node) => ({ referenceId: node.referenceId, id: ids.get(node) }))
    return { status: 201, body: { hasErrors: false, results } }
  } catch (error) {
    if (error instanceof TreeRefused) return refusedReply(error.errors)
    throw error
  }
}

/** Records with the records below them, all or none. (docs/reference/api/composite.md#trees) */
export const treeRoutes = [route('POST', '/composite/tree/:object', 'composite', create)]

import { ApiError } from '../../base/api-error.ts'
import type { Context } from '../../context.ts'
import { FILE_ROW } from '../../records/prepare/record-input.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { errorBody } from '../steps/outcome-body.ts'
import { insertTree, TreeRefused } from './insert-tree.ts'
import { readTree, type TreeNode } from './tree-levels.ts'

/** Outcome of a record and of its descendants. */
interface TreeResult {
  readonly id?: string
  readonly success: boolean
  readonly errors: readonly object[]
  /** The ids of all records of the tree by their names in it. */
  readonly references?: Readonly<Record<string, string>>
}

const findRoot = (node: TreeNode): TreeNode => (node.parent === undefined ? node : findRoot(node.parent))

function writtenResults(
  levels: readonly (readonly TreeNode[])[],
  ids: ReadonlyMap<TreeNode, string>,
): TreeResult[] {
  const references = new Map(levels[0]!.map((root) => [root, {} as Record<string, string>]))
  for (const [node, id] of ids) references.get(findRoot(node))![node.referenceId!] = id
  return levels[0]!.map((root) => ({
    id: ids.get(root)!,
    success: true,
    errors: [],
    references: references.get(root)!,
  }))
}

/** Each error with the name of the record that has it. */
function refusedResult(error: TreeRefused | ApiError): TreeResult {
  if (error instanceof ApiError) return { success: false, errors: errorBody(error) }
  const errors = [...error.errors].flatMap(([{ referenceId }, one]) =>
    errorBody(one).map((item) => (referenceId === undefined ? item : { ...item, referenceId })),
  )
  return { success: false, errors }
}

/**
 * Writes trees of which each is there as a whole or not at all, whatever becomes of the others. All are written at
 * once; only when one is refused they are written one by one.
 */
export async function importTrees(
  ctx: Context,
  object: ObjectType,
  roots: readonly unknown[],
): Promise<TreeResult[]> {
  try {
    const levels = readTree(ctx, roots, FILE_ROW, object)
    return writtenResults(levels, await insertTree(ctx, levels))
  } catch (error) {
    if (!(error instanceof TreeRefused || error instanceof ApiError)) throw error
    if (roots.length === 1) return [refusedResult(error)]
  }
  const results: TreeResult[] = []
  for (const root of roots) results.push(...(await importTrees(ctx, object, [root])))
  return results
}

import type { Filter, Operand, PlanBase, RowsPlan, Source } from './plan.ts'

const ofOperand = (operand: Operand): Source[] => {
  switch (operand.kind) {
    case 'aggregate':
      return operand.of === undefined ? [] : [operand.of.source]
    case 'grouping':
      return ofOperand(operand.of)
    case 'distance':
      return 'source' in operand.to ? [operand.source, operand.to.source] : [operand.source]
    default:
      return [operand.source]
  }
}

function ofFilter(filter: Filter): Source[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.flatMap(ofFilter)
    case 'not':
      return ofFilter(filter.term)
    case 'search':
      return [filter.source]
    default:
      return ofOperand(filter.operand)
  }
}

/**
 * Returns the queried object, and of its parents those that decide which records match and in which order, in the order of the
 * plan. The others only show values.
 */
export function findMatchingSources({
  sources,
  filter,
  orderings = [],
}: PlanBase & Partial<Pick<RowsPlan, 'orderings'>>): PlanBase['sources'] {
  const [root, ...parents] = sources
  if (parents.length === 0) return sources
  const needed = new Set<Source>()
  const add = (source: Source): void => {
    if (needed.has(source)) return
    needed.add(source)
    if (source.via !== undefined) add(source.via.source)
    // A formula of it may read them.
    for (const parent of source.formulaParents.values()) add(parent)
  }
  if (filter !== undefined) for (const source of ofFilter(filter)) add(source)
  for (const { operand } of orderings) for (const source of ofOperand(operand)) add(source)
  const matching = parents.filter((parent) => needed.has(parent))
  return matching.length === parents.length ? sources : [root, ...matching]
}

/* PostgreSQL's EXPLAIN (format json) as rows of a tree. */

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Join Type'?: string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly 'One-Time Filter'?: string
  readonly Plans?: readonly PlanNode[]
  readonly [member: string]: unknown
}

export type PostgresPlan = readonly [{ readonly Plan: PlanNode }] | { readonly Plan: PlanNode }

interface PlanRow {
  readonly key: string
  readonly depth: number
  readonly title: string
  readonly condition: string
  readonly rows: number
  readonly totalCost: number
  /** Without what is below it. */
  readonly ownCost: number
  readonly isSlowest: boolean
  /** A condition that is never true. */
  readonly isNever: boolean
}

const CONDITIONS = [
  'Index Cond',
  'Filter',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Recheck Cond',
  'One-Time Filter',
  'Sort Key',
]

function titleOf(node: PlanNode): string {
  const on = node['Relation Name'] ?? ''
  const by = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`
  return `${node['Node Type']}${on === '' ? '' : ` on ${on}`}${by}`
}

const conditionOf = (node: PlanNode) =>
  CONDITIONS.flatMap((name) => {
    const value = node[name]
    return value === undefined ? [] : [`${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`]
  }).join('; ')

export function planRows(plan: PostgresPlan): PlanRow[] {
  const root = 'Plan' in plan ? plan.Plan : plan[0].Plan
  const rows: PlanRow[] = []
  const visit = (node: PlanNode, depth: number, key: string) => {
    const below = node.Plans ?? []
    const ownCost = Math.max(0, node['Total Cost'] - below.reduce((sum, one) => sum + one['Total Cost'], 0))
    rows.push({
      key,
      depth,
      title: titleOf(node),
      condition: conditionOf(node),
      rows: node['Plan Rows'],
      totalCost: node['Total Cost'],
      ownCost,
      isSlowest: false,
      isNever: node['One-Time Filter'] === 'false',
    })
    for (const [index, one] of below.entries()) visit(one, depth + 1, `${key}.${index}`)
  }
  visit(root, 0, '0')
  const most = Math.max(...rows.map(({ ownCost }) => ownCost))
  return rows.map((row) => ({ ...row, isSlowest: rows.length > 1 && row.ownCost === most }))
}

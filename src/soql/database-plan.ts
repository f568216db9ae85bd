import type { Sql } from '../base/sql.ts'
import type { Db } from '../storage/database/db.ts'

/** A node of PostgreSQL's plan, with the properties used here. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly 'Total Cost': number
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
  /** In the plan of the coordinator of a cluster: what the nodes do. It has no costs of its own. */
  readonly 'Distributed Query'?: {
    readonly Job: { readonly Tasks?: readonly { readonly 'Remote Plan'?: readonly Explained[] }[] }
  }
}

type Explained = readonly [{ readonly Plan: PlanNode }]

/** The plan of the node that carries a statement out: all rows of an org are on one. */
function onNode(plan: PlanNode): PlanNode {
  const [remote] = plan['Distributed Query']?.Job.Tasks?.[0]?.['Remote Plan'] ?? []
  if (remote !== undefined) return remote[0].Plan
  return plan.Plans === undefined ? plan : { ...plan, Plans: plan.Plans.map(onNode) }
}

/** @param explain with `(format json)` */
export async function loadPlan(db: Db, explain: Sql): Promise<PlanNode> {
  const [row] = await db.rows(explain)
  return onNode((row![0] as unknown as Explained)[0].Plan)
}

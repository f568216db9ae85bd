import { asCaller } from '../../base/caller.sql.ts'
import type { Sql } from '../../base/sql.ts'
import type { Context } from '../../context.ts'
import { ddl, TRIED_INDEX } from '../../schema/change/ddl.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import { makeQueryContext } from '../analyze/query-context.ts'
import type { CompiledQuery } from '../compile/compile.ts'
import { loadPlan } from '../database-plan.ts'
import { makeStatement } from '../explain.ts'
import { explainSql } from '../sql/explain.sql.ts'
import { adviseSql } from './advise.sql.ts'

/** The planner's costs of a query without and with an index. */
export interface TriedIndex {
  readonly index: readonly string[]
  readonly costBefore: number
  readonly costAfter: number
}

/** Ends a transaction of which nothing is to stay. */
class Undo extends Error {}

async function undone<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const undo = new Undo('undone')
  let result: { readonly value: T } | undefined
  try {
    await db.transaction(async (tx) => {
      result = { value: await work(tx) }
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
  return result!.value
}

async function loadCost(tx: Db, statement: Sql): Promise<number> {
  const read = async (explain: Sql) => (await loadPlan(tx, explain))['Total Cost']
  // Such a statement is planned for its values always, and a node of a cluster gets no statement without them.
  if (statement.isReplanned || tx.isCluster) return read(explainSql.plan(statement))
  await tx.script([adviseSql.prepare(statement)])
  const cost = await read(adviseSql.explain(statement.values.length))
  await tx.script([adviseSql.deallocate])
  return cost
}

/**
 * Builds each index in a transaction that is rolled back and asks PostgreSQL what the query would cost with it. Meanwhile writes to
 * the object wait.
 * @returns the best one, better or not
 */
export async function tryIndexes(
  ctx: Context,
  query: CompiledQuery,
  indexes: readonly (readonly string[])[],
): Promise<TriedIndex> {
  const { org, principal } = ctx
  const [{ object }] = query.plan.sources
  const made = makeStatement(ctx, query, makeQueryContext(ctx, false))
  const statement = asCaller(made, org.schemaName, principal.userId)
  const tried: TriedIndex[] = []
  for (const index of indexes) {
    tried.push(
      await undone(ctx.db, async (tx) => {
        await tx.script(adviseSql.limits)
        await tx.script([ddl.tryIndex(org, object, index)])
        await tx.script([adviseSql.analyze(org.schemaName, object.table)])
        const costAfter = await loadCost(tx, statement)
        // Both costs are estimated from the same statistics.
        await tx.script([ddl.dropIndex(org, TRIED_INDEX)])
        return { index, costBefore: await loadCost(tx, statement), costAfter }
      }),
    )
  }
  return tried.reduce((best, one) => (one.costAfter < best.costAfter ? one : best))
}

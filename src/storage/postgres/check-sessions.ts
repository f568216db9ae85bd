import { transactionSql } from '../database/transaction.sql.ts'
import { backendSql } from './backends.sql.ts'
import type { HeldClient } from './held-client.ts'

async function findProcess(client: HeldClient): Promise<unknown> {
  const { rows } = await client.query({ text: backendSql.processId.text, values: [] })
  return (rows[0] as { processId: unknown }).processId
}

/** The processes of PostgreSQL that two connections lead to, while the first is in a transaction. */
async function findProcesses(first: HeldClient, second: HeldClient): Promise<readonly unknown[]> {
  await first.query({ text: transactionSql.begin })
  try {
    return [await findProcess(first), await findProcess(second)]
  } finally {
    await first.query({ text: transactionSql.rollback })
  }
}

/**
 * Checks that a connection keeps its session: prepared statements, limits and locks belong to it. A connection pooler in transaction or
 * statement mode gives one session to several connections in turn.
 * @throws Error with a message for the operator
 */
export async function checkSessions(first: HeldClient, second: HeldClient): Promise<void> {
  const alone = [await findProcess(first), await findProcess(second)]
  const together = alone[0] === alone[1] ? [] : await findProcesses(first, second)
  if (together[0] === alone[0] && together[1] === alone[1]) return
  throw new Error(
    'DATABASE_URL leads to a connection pooler that gives one session to several connections in turn, such as PgBouncer with pool_mode = transaction. Set pool_mode = session there, or connect to PostgreSQL itself: Objectry has a pool of its own (OBJECTRY_POOL_SIZE).',
  )
}

import { secondsText } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { type BatchName, importJournalSql, type PackedResults } from './import-journal.sql.ts'
import { type ImportResult, packResults, unpackResults } from './pack-results.ts'

/**
 * Writes a batch of an import exactly once: its records and its entry in the journal are one transaction. A client
 * that does not know whether a batch was written sends it again and gets the results of the first time.
 */
export function writeOnce(
  ctx: Context,
  batch: BatchName,
  write: (inside: Context) => Promise<ImportResult[]>,
): Promise<ImportResult[]> {
  const { org } = ctx
  const now = secondsText(ctx.clock())
  return ctx.db.transaction(async (db) => {
    const claimed = await db.query(importJournalSql.claim(org, batch, now))
    if (claimed.length === 0) {
      const [kept] = await db.query<PackedResults>(importJournalSql.find(org, batch))
      return unpackResults(kept!)
    }
    if (batch.number === 1) await db.query(importJournalSql.forgetOld(org, now))
    const results = await write({ ...ctx, db })
    await db.query(importJournalSql.keep(org, batch, packResults(results)))
    return results
  })
}

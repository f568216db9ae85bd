import { OutcomeUnknown } from './pg-error.ts'
import type { Connection } from './transaction.sql.ts'
import { throwIfOver, type Watch } from './watch.ts'

/** A connection whose statements are watched. Why one failed after the time was up is of no interest any more, unless it
 * may have written something. */
export function watched(connection: Connection, watch: Watch): Connection {
  const tell = async <T>(text: string, run: () => Promise<T>): Promise<T> => {
    throwIfOver(watch)
    const start = performance.now()
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throwIfOver(watch)
      throw error
    } finally {
      watch.told(text, performance.now() - start)
    }
  }
  return {
    query: (statement) => tell(statement.text, () => connection.query(statement)),
    rows: (statement) => tell(statement.text, () => connection.rows(statement)),
    script: (text) => tell(text, () => connection.script(text)),
  }
}

import { OutcomeUnknown } from './pg-error.ts'
import type { Connection } from './transaction.sql.ts'
import { throwIfOver, type Watch } from './watch.ts'

/** A connection whose statements are watched. After the time is up, the error of a failed statement does not matter, unless it
 * may have written something. */
export function watched(connection: Connection, watch: Watch): Connection {
  const report = async <T>(text: string, run: () => Promise<T>): Promise<T> => {
    throwIfOver(watch)
    const start = performance.now()
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throwIfOver(watch)
      throw error
    } finally {
      watch.reported(text, performance.now() - start)
    }
  }
  return {
    query: (statement) => report(statement.text, () => connection.query(statement)),
    rows: (statement) => report(statement.text, () => connection.rows(statement)),
    script: (text) => report(text, () => connection.script(text)),
  }
}

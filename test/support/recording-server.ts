import { systemClock } from '../../src/base/clock.ts'
import type { Sql } from '../../src/base/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { RunningCall } from '../../src/quota/running-calls.ts'
import { assemble } from '../../src/server/assemble.ts'
import type { Db, Engine } from '../../src/storage/database/db.ts'
import { sharedEngine } from './engine.ts'
import { makeAnswer, type TestOrg } from './org.ts'
import { SECRETS } from './secrets.ts'

/**
 * A server on the shared engine that writes down what calls ask of the database, and nothing of what a server asks
 * of itself from time to time, such as its quota and callers.
 */
export interface RecordingServer extends Pick<TestOrg, 'call'> {
  /** Returns the statements of calls since the last time, outside of transactions; the org's schema is called `org`. */
  statements(): readonly { readonly text: string; readonly values: readonly unknown[] }[]
  close(): Promise<void>
}

/** @param o the org whose token the calls carry */
export async function openRecordingServer(o: TestOrg): Promise<RecordingServer> {
  const engine = await sharedEngine()
  let sent: Sql[] = []
  const recorded = (db: Db): Db => {
    const own: Db = {
      ...db,
      query(statement) {
        sent.push(statement)
        return db.query(statement)
      },
      rows(statement) {
        sent.push(statement)
        return db.rows(statement)
      },
      // A shared statement is nobody's: each is sent alone.
      coalesce: async (work, item) => (await work.run(own, [item]))[0]!,
    }
    return own
  }
  const config = readConfig({}, { logLevel: 'silent' })
  const watched: Engine['watched'] = (watch) => {
    const db = engine.watched(watch)
    return watch instanceof RunningCall ? recorded(db) : db
  }
  const { server } = assemble({ ...engine, watched }, config, systemClock, SECRETS)
  return {
    async call(method, url, { body } = {}) {
      const headers = { authorization: `Bearer ${o.token}`, 'content-type': 'application/json' }
      const payload = body as object | undefined
      return makeAnswer(
        await server.inject({
          method: method as 'POST',
          url,
          headers,
          ...(payload !== undefined && { payload }),
        }),
      )
    },
    statements() {
      const recorded = sent.map(({ text, values }) => ({
        text: text.replaceAll(`"${o.org.schemaName}".`, '"org".'),
        values,
      }))
      sent = []
      return recorded
    },
    close: () => server.close(),
  }
}

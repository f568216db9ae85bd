import { sql } from '../base/sql.ts'

/** Cancels the statement that a connection of the server is at; without one it does nothing. */
export const cancelSql = (processId: number) => sql`select pg_cancel_backend(${processId})`

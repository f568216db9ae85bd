import { type Sql, sql } from './sql.ts'

/** A time, given in seconds since 1970. */
export const fromSeconds = (seconds: number | null): Sql => sql`to_timestamp(${seconds}::float8)`

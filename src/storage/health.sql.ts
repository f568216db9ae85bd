import { sql } from '../base/sql.ts'

export const healthSql = { ping: sql`select 1 as alive` }

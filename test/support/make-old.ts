import { sql } from '../../src/base/sql.ts'
import type { TestOrg } from './org.ts'

/** As an org that another version left: the next start brings it up to date. */
export const makeOld = ({ db, org }: Pick<TestOrg, 'db' | 'org'>) =>
  db.query(sql`update objectry.org set up_to_date_with = 'something else' where id = ${org.id}`)

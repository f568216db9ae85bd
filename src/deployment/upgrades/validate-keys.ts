import { ddl } from '../../schema/change/ddl.sql.ts'
import type { BuildStep } from './upgrade-step.ts'

/** Keys of new fields hold for every write since they are there; that the records from before keep them is checked here. */
export const VALIDATED_KEYS: BuildStep = {
  kind: 'build',
  name: 'keys',
  async run({ db }, org) {
    const keys = await db.query<{ table: string; name: string }>(ddl.unvalidatedKeys(org))
    const [next] = keys
    if (next === undefined) return { isDone: true, progress: 1 }
    await db.script([ddl.validateKey(org, next.table, next.name)])
    return { isDone: keys.length === 1, progress: 1 / keys.length }
  },
}

import { ddl } from '../../schema/change/ddl.sql.ts'
import type { BuildStep } from './upgrade-step.ts'

/** New foreign keys are created without validation and apply to new writes. This step validates older records. */
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

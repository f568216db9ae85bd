import { findAdministrator } from '../auth/users/users.ts'
import { secondsText } from '../base/clock.ts'
import type { SchemaChange } from '../schema/change/deploy.ts'
import { bumpAccess } from '../schema/snapshot/bump-access.ts'
import type { DefinitionFiles } from './formats/object-file.ts'
import type { HolderNames } from './permissions/load-holders.ts'
import type { Author } from './permissions/permissions.sql.ts'
import { planPermissions } from './permissions/plan-permissions.ts'
import { planSettings } from './settings/plan-settings.ts'

/**
 * Plans what files say of an org's records: permission sets, profiles and settings.
 * @param author who deploys; an administrator of the org when absent
 * @param removed names of permission sets and profiles that go
 */
export const planRecords =
  (
    files: DefinitionFiles,
    author?: Author,
    removed: HolderNames = { permissionSets: [], profiles: [] },
  ): NonNullable<SchemaChange['further']> =>
  async (tx, org, schema, planOnly) => {
    const permissions = await planPermissions(files, removed, tx, org, schema, planOnly)
    const settings = await planSettings(files, tx, org, planOnly)
    const changes = [permissions, settings].filter(({ steps }) => steps.length > 0)
    const carryOut = async () => {
      if (changes.length === 0) return
      const by = author ?? {
        userId: (await findAdministrator(tx, org))!.id,
        time: secondsText(new Date()),
      }
      for (const change of changes) await change.carryOut(by)
      // Every process knows callers by what they may do and by the settings of their org.
      await bumpAccess(tx, org)
    }
    return { steps: changes.flatMap(({ steps }) => steps), carryOut }
  }

import { listLeaves } from '../../records/formulas/formula-leaves.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DefinitionFiles } from '../definitions/object-file.ts'
import type { Granted } from './holder.ts'
import { loadHolders } from './load-holders.ts'
import { readPermissionFiles } from './permission-files.ts'

/** Most lines about formulas. */
const MAX_LINES = 50

interface FormulaField {
  /** `Job__c.Margin__c` */
  readonly path: string
  /** The fields that it shows something of and that are granted by themselves. */
  readonly shows: readonly string[]
}

/** The formula fields of a schema that read fields with permissions of their own. */
function listFormulaFields({ objects }: SchemaSnapshot): FormulaField[] {
  return objects.flatMap((object) =>
    object.fields.flatMap((field) => {
      const compiled = field.formula?.compiled
      if (compiled === undefined || !field.permissionable) return []
      const read = listLeaves([compiled]).filter(({ target }) => target.field.permissionable)
      const shows = [...new Set(read.map(({ target }) => `${target.object.name}.${target.field.name}`))]
      return shows.length === 0 ? [] : [{ path: `${object.name}.${field.name}`, shows }]
    }),
  )
}

const canRead = ({ system, objects, fields }: Granted, path: string) =>
  system.has('ModifyAllData') ||
  system.has('ViewAllData') ||
  fields.has(path) ||
  objects.get(path.slice(0, path.indexOf('.')))?.includes('viewAllFields') === true

const keyOf = ({ kind, name }: Granted) => `${kind} ${name.toLowerCase()}`

/**
 * Finds formula fields that a permission set or profile opens without the fields that they show: their values are computed for everybody
 * who may read the formula field.
 * @param files what is deployed, or would be
 * @returns a line for each
 */
export async function findRevealed(
  db: Db,
  org: Org,
  schema: SchemaSnapshot,
  files: DefinitionFiles,
): Promise<readonly string[]> {
  const formulas = listFormulaFields(schema)
  if (formulas.length === 0) return []
  const wanted = new Map(readPermissionFiles(files).map((granted) => [keyOf(granted), granted]))
  const others = (await loadHolders(db, org, schema)).filter((holder) => !wanted.has(keyOf(holder)))
  const lines: string[] = []
  for (const holder of [...others, ...wanted.values()]) {
    for (const { path, shows } of formulas) {
      if (!canRead(holder, path)) continue
      const hidden = shows.filter((shown) => !canRead(holder, shown))
      if (hidden.length === 0) continue
      if (lines.length === MAX_LINES) return [...lines, 'More formula fields show hidden fields.']
      const whose = holder.kind === 'profiles' ? 'profile' : 'permission set'
      lines.push(
        `${path} shows ${hidden.join(', ')}, which the ${whose} ${holder.name} hides. Take the right to read ${path} away if that is not meant.`,
      )
    }
  }
  return lines
}

import { runInSlices } from '../../base/run-in-slices.ts'
import { listLeaves } from '../../records/formulas/formula-leaves.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { type Granted, keyOf } from './holder.ts'
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
function* listFormulaFields({ objects }: SchemaSnapshot): Generator<void, FormulaField[]> {
  const found: FormulaField[] = []
  for (const object of objects) {
    for (const field of object.fields) {
      yield
      const compiled = field.formula?.compiled
      if (compiled === undefined || !field.permissionable) continue
      const read = listLeaves([compiled]).filter(({ target }) => target.field.permissionable)
      const shows = [...new Set(read.map(({ target }) => `${target.object.name}.${target.field.name}`))]
      if (shows.length > 0) found.push({ path: `${object.name}.${field.name}`, shows })
    }
  }
  return found
}

const canRead = ({ system, objects, fields }: Granted, path: string) =>
  system.has('ModifyAllData') ||
  system.has('ViewAllData') ||
  fields.has(path) ||
  objects.get(path.slice(0, path.indexOf('.')))?.includes('viewAllFields') === true

function* findLines(
  holders: readonly Granted[],
  formulas: readonly FormulaField[],
): Generator<void, string[]> {
  const lines: string[] = []
  for (const holder of holders) {
    for (const { path, shows } of formulas) {
      yield
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
  const formulas = await runInSlices(() => listFormulaFields(schema))
  if (formulas.length === 0) return []
  const wanted = new Map(readPermissionFiles(files).map((granted) => [keyOf(granted), granted]))
  const others = (await loadHolders(db, org, schema)).filter((holder) => !wanted.has(keyOf(holder)))
  return runInSlices(() => findLines([...others, ...wanted.values()], formulas))
}

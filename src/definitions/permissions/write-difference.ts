import { getOrInsert } from '../../base/get-or-insert.ts'
import { ownedSet } from '../../orgs/first-profiles.ts'
import { type FirstRecord, insertFirstRecords } from '../../orgs/first-records.sql.ts'
import { USER_LICENSE_ID } from '../../standard/views/user-license.sql.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { RecordIds } from '../../storage/orgs/record-ids.ts'
import { MAX_LABEL_LENGTH } from '../formats/permission-rights.ts'
import type { Difference } from './compare-granted.ts'
import { fieldColumns, type Granted, objectColumns, systemColumns } from './holder.ts'
import { type Author, permissionsSql } from './permissions.sql.ts'

/** Maximum number of records that a statement inserts. */
const RECORDS_AT_ONCE = 1000

export interface Writing {
  readonly db: Db
  readonly org: Org
  readonly ids: RecordIds
  readonly author: Author
}

async function insert({ db, org, author }: Writing, records: readonly FirstRecord[]): Promise<void> {
  for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
    const some = records.slice(at, at + RECORDS_AT_ONCE)
    for (const statement of insertFirstRecords(org, some, author.userId, author.time))
      await db.query(statement)
  }
}

/** Inserts the permission set of a profile. */
async function insertOwnedSet(writing: Writing, profileId: string, name: string): Promise<string> {
  const setId = await writing.ids.make('0PS', writing.db)
  await insert(writing, [ownedSet(setId, profileId, name.slice(0, MAX_LABEL_LENGTH))])
  return setId
}

/** Inserts the record of a new permission set or profile, and gives the permission set that its grants hang on. */
async function insertHolder(writing: Writing, wanted: Granted): Promise<string> {
  const { ids, db } = writing
  const { kind, name, label, description = null, system } = wanted
  const columns = { name, description, ...systemColumns(system) }
  if (kind === 'permissionSets') {
    const setId = await ids.make('0PS', db)
    const values = {
      id: setId,
      ...columns,
      label: label!,
      isownedbyprofile: false,
      iscustom: true,
      type: 'Regular',
    }
    await insert(writing, [{ table: 'permissionset', values }])
    return setId
  }
  const id = await ids.make('00e', db)
  const values = { id, ...columns, usertype: 'Standard', userlicenseid: USER_LICENSE_ID }
  await insert(writing, [{ table: 'profile', values }])
  return insertOwnedSet(writing, id, name)
}

async function updateHolder({ db, org, author }: Writing, { wanted, holder }: Difference): Promise<void> {
  const { label, description = null, system } = wanted
  const { id, setId } = holder!
  const values = { description, ...systemColumns(system) }
  if (wanted.kind === 'permissionSets') {
    await db.query(permissionsSql.update(org, 'permissionset', [id], { ...values, label: label! }, author))
    return
  }
  await db.query(permissionsSql.update(org, 'profile', [id], values, author))
  if (setId === undefined) return
  // Org-wide permissions of the profile's set are granted too.
  await db.query(permissionsSql.update(org, 'permissionset', [setId], systemColumns(new Set()), author))
}

interface Rights<Right> {
  readonly table: string
  readonly keyPrefix: string
  readonly rights: ReadonlyMap<string, Right | undefined>
  /** The records that there are. */
  readonly known: ReadonlyMap<string, readonly string[]> | undefined
  /** The columns that say what the record is about. */
  readonly about: (name: string) => Record<string, string>
  readonly columns: (right: Right) => Record<string, boolean | string>
}

/** Leaves one record for each right that is wanted, and none for others. */
async function writeRights<Right>(writing: Writing, setId: string, given: Rights<Right>): Promise<void> {
  const { db, org, ids, author } = writing
  const { table, rights, known, columns } = given
  const added: FirstRecord[] = []
  const removed: string[] = []
  const changed = new Map<string, { readonly right: Right; readonly ids: string[] }>()
  for (const [name, right] of rights) {
    const [id, ...more] = known?.get(name) ?? []
    if (right === undefined) removed.push(...(id === undefined ? [] : [id, ...more]))
    else if (id === undefined) {
      const values = { parentid: setId, ...given.about(name), ...columns(right) }
      added.push({ table, values: { id: await ids.make(given.keyPrefix, db), ...values } })
    } else {
      removed.push(...more)
      getOrInsert(changed, String(right), () => ({ right, ids: [] })).ids.push(id)
    }
  }
  if (removed.length > 0) await db.query(permissionsSql.remove(org, table, removed))
  for (const group of changed.values()) {
    await db.query(permissionsSql.update(org, table, group.ids, columns(group.right), author))
  }
  await insert(writing, added)
}

/** Writes the records that make a difference none. */
export async function writeDifference(writing: Writing, difference: Difference): Promise<void> {
  const { wanted, holder, hasOther, custom, objects, fields } = difference
  if (holder !== undefined && hasOther) await updateHolder(writing, difference)
  const make = () =>
    holder === undefined ? insertHolder(writing, wanted) : insertOwnedSet(writing, holder.id, holder.name)
  const setId = holder?.setId ?? (await make())
  await writeRights(writing, setId, {
    table: 'setupentityaccess',
    keyPrefix: '0J0',
    rights: custom,
    known: holder?.customIds,
    about: (name) => ({ permissionname: name }),
    columns: () => ({ setupentitytype: 'CustomPermission' }),
  })
  await writeRights(writing, setId, {
    table: 'objectpermissions',
    keyPrefix: '110',
    rights: objects,
    known: holder?.objectIds,
    about: (name) => ({ sobjecttype: name }),
    columns: objectColumns,
  })
  await writeRights(writing, setId, {
    table: 'fieldpermissions',
    keyPrefix: '01k',
    rights: fields,
    known: holder?.fieldIds,
    about: (name) => ({ sobjecttype: name.slice(0, name.indexOf('.')), field: name }),
    columns: fieldColumns,
  })
}

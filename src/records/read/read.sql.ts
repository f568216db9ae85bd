import { only } from '../../access/row-rules.sql.ts'
import { asCaller } from '../../base/caller.sql.ts'
import { type Sql, sql } from '../../base/sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { RecordFormat } from '../../schema/snapshot/record-format.sql.ts'
import { fromSeconds } from '../../storage/database/timestamp.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'

/**
 * The version of a row, which changes with every write and needs no column: when it was written, and the number of the transaction that did
 * it. These numbers begin again in another database and on another node of a cluster; the time goes with the row.
 */
export const tag = sql`concat_ws('-', to_hex((extract(epoch from systemmodstamp) * 1000)::bigint), xmin)`

const selectLiving = (org: Org, shape: RecordFormat, condition: Sql) =>
  sql`select ${sql.join(shape.columns)}, ${tag} from ${records(org, shape.object)}
      where ${condition} and not isdeleted`

/** One live record by id: the columns of the format, then the tag. */
export const selectById = (org: Org, shape: RecordFormat, id: string, rule: Sql | undefined) =>
  sql`${selectLiving(org, shape, sql`id = ${id}`)} ${only(rule)}`

/** The same without a rule, for one record or several. The texts are made once for each user. */
export function makeSelectTogether(
  org: Org,
  shape: RecordFormat,
  userId: string,
): (ids: readonly string[]) => Sql {
  const select = (condition: Sql) => asCaller(selectLiving(org, shape, condition), org.schemaName, userId)
  const one = select(sql`id = ${''}`)
  const several = select(sql`id = any(${[]}::text[])`)
  // The ids come last.
  return (ids) =>
    ids.length === 1 ? one.with(one.values.with(-1, ids[0])) : several.with(several.values.with(-1, ids))
}

/** The time of a live record's last change, and its tag. */
export function selectRevision(
  org: Org,
  object: ObjectType,
  id: string,
  lock: boolean,
  rule: Sql | undefined,
): Sql {
  return sql`select extract(epoch from lastmodifieddate)::float8 as "modifiedAt", ${tag} as tag
             from ${records(org, object)}
             where id = ${id} and not isdeleted ${only(rule)} ${sql.raw(lock ? 'for update' : '')}`
}

/** Which records to read, and whether to lock them until the transaction ends. */
export type Wanted = 'living' | 'living, locked' | 'deleted'

/** Records by id, in the order of ids. */
export function selectByIds(
  org: Org,
  shape: RecordFormat,
  ids: readonly string[],
  wanted: Wanted,
  rule?: Sql,
): Sql {
  const state = sql.raw(wanted === 'deleted' ? 'isdeleted' : 'not isdeleted')
  const lock = sql.raw(wanted === 'living, locked' ? ' for update' : '')
  return sql`select ${sql.join(shape.columns)} from ${records(org, shape.object)} where id = any(${ids}::text[]) and ${state} ${only(rule)} order by id${lock}`
}

type Rules = Readonly<Record<'read' | 'edit' | 'full', Sql | undefined>>

export const rowAccessSql = {
  /** Locks records until the transaction ends, in the order of their ids. */
  hold: (org: Org, object: ObjectType, ids: readonly string[], rule: Sql | undefined): Sql =>
    sql`select id from ${records(org, object)}
        where id = any(${ids}::text[]) and not isdeleted and ${rule ?? sql`true`} order by id for update`,

  /** The access levels of the records that exist; locks them until the transaction ends. */
  lock(org: Org, object: ObjectType, ids: readonly string[], rules: Rules): Sql {
    const owner = object.field('OwnerId') === undefined ? sql`null::text` : sql`ownerid`
    const levels = Object.entries(rules).map(([name, rule]) => sql`${rule ?? sql`true`} as ${sql.id(name)}`)
    return sql`select id, isdeleted as "isDeleted", ${owner} as owner, ${sql.join(levels)}
               from ${records(org, object)} where id = any(${ids}::text[]) order by id for update`
  },
}

/** Seconds since 1970; the end is excluded. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Reads along the index on the time of change and the id. */
export const changesSql = (
  org: Org,
  object: ObjectType,
  { start, end }: TimeRange,
  isDeleted: boolean,
  max: number,
  rule: Sql | undefined,
): Sql =>
  sql`select id, systemmodstamp from ${records(org, object)}
      where systemmodstamp >= ${fromSeconds(start)} and systemmodstamp < ${fromSeconds(end)}
        and ${sql.raw(isDeleted ? 'isdeleted' : 'not isdeleted')} ${only(rule)}
      order by systemmodstamp, id limit ${max}::integer`

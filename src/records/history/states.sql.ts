import { type Sql, sql } from '../../base/sql.ts'
import { type AuditFields, created } from '../../schema/objects/audit-fields.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { KeptStates } from '../../standard/kept-states.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { SYSTEM_COLUMNS } from './history.sql.ts'

const table = (org: Org, object: ObjectType) => sql.id(org.schemaName, object.table)
const column = (name: string) => sql.id(name.toLowerCase())
const of = (alias: string, name: string) => sql.id(alias, name.toLowerCase())

export const statesSql = {
  /** The first state of new records. */
  first(
    org: Org,
    object: ObjectType,
    states: ObjectType,
    { reference, when, more }: KeptStates,
    ids: readonly string[],
    records: readonly string[],
    audit: AuditFields,
  ): Sql {
    const copied = [...when, ...more]
    return sql`insert into ${table(org, states)} (${SYSTEM_COLUMNS}, ${sql.join([reference, ...copied].map(column))})
               select made.id, ${created(audit)}, record.id, ${sql.join(copied.map((name) => of('record', name)))}
               from unnest(${ids}::text[], ${records}::text[]) as made (id, record)
               join ${table(org, object)} record on record.id = made.record collate "C"`
  },

  /**
   * A state for each of the records that are not as in their last one.
   * @param ids as many as records
   */
  next(
    org: Org,
    object: ObjectType,
    states: ObjectType,
    { reference, when, more, previous }: KeptStates,
    ids: readonly string[],
    records: readonly string[],
    audit: AuditFields,
  ): Sql {
    const copied = [...when, ...more]
    const earlier = Object.entries(previous)
    const differs = when.map((name) => sql`${of('record', name)} is distinct from ${of('last', name)}`)
    return sql`insert into ${table(org, states)} (${SYSTEM_COLUMNS}, ${sql.join([reference, ...copied, ...earlier.map(([name]) => name)].map(column))})
               select made.id, ${created(audit)}, ${sql.join(['id', ...copied, ...earlier.map(([name]) => name)].map((name) => of('changed', name)))}
               from (select row_number() over (order by record.id) as number, record.id,
                            ${sql.join([
                              ...copied.map((name) => of('record', name)),
                              ...earlier.map(([name, field]) => sql`${of('last', field)} as ${column(name)}`),
                            ])}
                     from ${table(org, object)} record
                     left join lateral (
                       select ${sql.join(['id', ...when].map((name) => of('state', name)))} from ${table(org, states)} state
                       where ${of('state', reference)} = record.id and not state.isdeleted
                       order by state.createddate desc, state.id desc limit 1) last on true
                     where record.id = any(${records}::text[]) and (last.id is null or ${sql.join(differs, ' or ')})) changed
               join unnest(${ids}::text[]) with ordinality as made (id, number) on made.number = changed.number`
  },
}

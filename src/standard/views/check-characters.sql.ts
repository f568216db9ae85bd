import { derivedRecordId } from '../../base/record-id.ts'

/** SQL text of an id: 15 characters and the three that `base/record-id.ts` adds. */
export const withCheckCharacters = (id: string): string =>
  `(${id}) || (select string_agg(substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ012345', 1 + bits, 1), '' order by block)
    from (select (at - 1) / 5 as block,
                 sum(case when substr(${id}, at, 1) collate "C" between 'A' and 'Z' then 1 << ((at - 1) % 5) else 0 end)::integer as bits
          from generate_series(1, 15) as at group by 1) blocks)`

/** SQL text of the id of the only record that an object has. */
export const onlyId = (keyPrefix: string): string => `'${derivedRecordId(keyPrefix, keyPrefix)}'`

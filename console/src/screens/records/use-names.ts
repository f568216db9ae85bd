import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type Description, objectOfId } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { readNames } from '../../api/names.ts'
import { textOf } from '../../components/grid/CellText.tsx'
import type { Values } from './RecordForm.tsx'

/** The names of the records that a record refers to, by id. Each object is asked by itself: one that refuses spoils no other. */
export function useNames({ fields }: Description, values: Values): ReadonlyMap<string, string> {
  const client = useQueryClient()
  const byObject = new Map<string, Set<string>>()
  for (const field of fields) {
    const { name } = field
    const object = kindOf(field) === 'lookup' ? objectOfId(values[name]) : undefined
    if (object !== undefined)
      byObject.set(object, (byObject.get(object) ?? new Set()).add(textOf(values[name])))
  }
  return useQueries({
    queries: [...byObject].map(([object, ids]) => ({
      queryKey: ['names', object, [...ids].sort().join()],
      queryFn: () => readNames(client, object, [...ids]),
      retry: false,
      staleTime: 60_000,
    })),
    combine: (results) => new Map(results.flatMap(({ data: found }) => [...(found ?? [])])),
  })
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Field, objectOfId } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { readNames } from '../../api/names.ts'

/** The name of the record that a filter by reference is about; undefined where it has none, or none that the user sees. */
export function useFilterName(field: Field | undefined, [id]: readonly string[]): string | undefined {
  const client = useQueryClient()
  const object = field !== undefined && kindOf(field) === 'lookup' ? objectOfId(id) : undefined
  const { data: names } = useQuery({
    queryKey: ['names', object, id],
    queryFn: () => readNames(client, object!, [id!]),
    enabled: object !== undefined,
    retry: false,
    staleTime: 60_000,
  })
  return id === undefined ? undefined : names?.get(id)
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { objectOfId } from '../../api/describe.ts'
import { readNames } from '../../api/names.ts'

/** The name of the record with an id; undefined where it has none, or none that the user sees. */
export function useRecordName(id: string | undefined): string | undefined {
  const client = useQueryClient()
  const object = objectOfId(id)
  const { data: names } = useQuery({
    queryKey: ['names', object, id],
    queryFn: () => readNames(client, object!, [id!]),
    enabled: object !== undefined,
    retry: false,
    staleTime: 60_000,
  })
  return id === undefined ? undefined : names?.get(id)
}

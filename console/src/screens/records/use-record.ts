import { useQuery } from '@tanstack/react-query'
import { call, data } from '../../api/client.ts'
import type { Values } from './RecordForm.tsx'

export interface ReadRecord {
  readonly values: Values
  readonly etag: string | undefined
}

/** A record with all that its user sees of it. */
export function useRecord(object: string, id: string) {
  return useQuery({
    queryKey: ['record', object, id],
    queryFn: async ({ signal }): Promise<ReadRecord> => {
      const { body, headers } = await call<Values>(data(`/sobjects/${object}/${encodeURIComponent(id)}`), {
        signal,
      })
      return { values: body, etag: headers.get('etag') ?? undefined }
    },
    retry: false,
  })
}

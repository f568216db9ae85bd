import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ServerFacts } from '../../../src/admin/server-facts.ts'
import { get } from './client.ts'
import { unlessRefused } from './who.ts'

/** Facts about the server for administrators; null for other users. */
export const serverQuery = queryOptions({
  queryKey: ['server'],
  queryFn: async ({ signal }): Promise<ServerFacts | null> => {
    const org = await unlessRefused(get<{ server: ServerFacts }>('/setup/orgs/current', { signal }))
    return org?.server ?? null
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export const useServer = (): ServerFacts | null | undefined => useQuery(serverQuery).data

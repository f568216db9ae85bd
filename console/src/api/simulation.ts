import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from './client.ts'
import { serverQuery } from './server.ts'
import { unlessRefused } from './who.ts'

interface Simulation {
  readonly plans: readonly string[]
  readonly aheadSeconds: number
}

/** Fault plans that are active and a clock that was moved, for those who may read them. */
export function useSimulation(): Simulation | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['simulation'],
    queryFn: async (): Promise<Simulation> => {
      // Other users are refused the clock, and a server that allows no faults the question for them.
      const server = await client.ensureQueryData(serverQuery)
      if (server === null) return { plans: [], aheadSeconds: 0 }
      const [plans, clock] = await Promise.all([
        server.allowsFaults ? unlessRefused(get<readonly { name: string }[]>('/setup/faults')) : null,
        unlessRefused(get<{ aheadSeconds: number }>('/setup/orgs/current/clock')),
      ])
      return { plans: plans?.map(({ name }) => name) ?? [], aheadSeconds: clock?.aheadSeconds ?? 0 }
    },
    refetchInterval: 30_000,
    retry: false,
  })
  return data
}

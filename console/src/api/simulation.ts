import { useQuery } from '@tanstack/react-query'
import { get } from './client.ts'
import { unlessRefused } from './who.ts'

interface Simulation {
  readonly plans: readonly string[]
  readonly aheadSeconds: number
}

/** Fault plans that are active and a clock that was moved, for those who may read them. */
export function useSimulation(): Simulation | undefined {
  const { data } = useQuery({
    queryKey: ['simulation'],
    queryFn: async (): Promise<Simulation> => {
      const [plans, clock] = await Promise.all([
        unlessRefused(get<readonly { name: string }[]>('/setup/faults')),
        unlessRefused(get<{ aheadSeconds: number }>('/setup/orgs/current/clock')),
      ])
      return { plans: plans?.map(({ name }) => name) ?? [], aheadSeconds: clock?.aheadSeconds ?? 0 }
    },
    refetchInterval: 30_000,
    retry: false,
  })
  return data
}

import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Has what a write may have changed read again. A first reading that is still under way may have begun before the write: its answer
 * is not waited for.
 */
export async function refreshQueries(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}

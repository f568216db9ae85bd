import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { data, get, send } from './client.ts'
import { unlessRefused } from './who.ts'

/* What a user keeps in the server: saved queries and calls, by name. */

/** Something that a user keeps by a name. */
export interface Saved {
  readonly name: string
}

/** What preferences of one kind begin with. */
export type SavedKind = 'query' | 'call'

const KEY = ['preferences']

/** A name as a preference may have it. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'unnamed'

/** All preferences; null where the server keeps none. */
const usePreferences = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (
        await unlessRefused(
          get<{ preferences: Readonly<Record<string, unknown>> }>(data('/preferences'), { signal }),
        )
      )?.preferences ?? null,
  })

/** What the user has saved of a kind; undefined where the server keeps none. */
export function useSaved<T extends Saved>(kind: SavedKind): readonly (T & { key: string })[] | undefined {
  const { data: preferences } = usePreferences()
  if (preferences === null || preferences === undefined) return undefined
  return Object.entries(preferences)
    .filter(([key]) => key.startsWith(`${kind}.`))
    .map(([key, value]) => ({ ...(value as T), key }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

const pathOf = (key: string) => data(`/preferences/${encodeURIComponent(key)}`)

export function useSave<T extends Saved>(kind: SavedKind) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (saved: T) => get(pathOf(`${kind}.${slugOf(saved.name)}`), { method: 'PUT', body: saved }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

export function useForgetPreference() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => send(pathOf(key), { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { data, get, send } from './client.ts'
import { unlessRefused } from './who.ts'

/* What a user keeps in the server: saved queries and calls, by name. */

export interface SavedQuery {
  readonly name: string
  readonly language: 'soql' | 'sosl' | 'graphql'
  readonly text: string
  readonly object?: string | undefined
}

const KEY = ['preferences']

/** A name as a preference may have it. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'unnamed'

/** All preferences; undefined where the server keeps none. */
export const usePreferences = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (
        await unlessRefused(
          get<{ preferences: Readonly<Record<string, unknown>> }>(data('/preferences'), { signal }),
        )
      )?.preferences ?? null,
  })

export function useSavedQueries(): readonly (SavedQuery & { key: string })[] {
  const { data: preferences } = usePreferences()
  return Object.entries(preferences ?? {})
    .filter(([key]) => key.startsWith('query.'))
    .map(([key, value]) => ({ ...(value as SavedQuery), key }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

const pathOf = (key: string) => data(`/preferences/${encodeURIComponent(key)}`)

export function useSaveQuery() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (saved: SavedQuery) =>
      get(pathOf(`query.${slugOf(saved.name)}`), { method: 'PUT', body: saved }),
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

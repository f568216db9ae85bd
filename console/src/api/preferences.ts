import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { data, get, send } from './client.ts'
import { refreshQueries } from './refresh-queries.ts'
import { unlessRefused } from './who.ts'

/* What a user keeps in the server: saved queries and calls by name, and columns of lists by object. */

/** Something that a user keeps by a name. */
export interface Saved {
  readonly name: string
}

/** The beginning of the names of preferences of one kind. */
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

/** Everything of a kind that the user has saved; undefined where the server keeps none. */
export function useSaved<T extends Saved>(kind: SavedKind): readonly (T & { key: string })[] | undefined {
  const { data: preferences } = usePreferences()
  if (preferences === null || preferences === undefined) return undefined
  return Object.entries(preferences)
    .filter(([key]) => key.startsWith(`${kind}.`))
    .map(([key, value]) => ({ ...(value as T), key }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

const columnsKey = (object: string) => `columns.${slugOf(object)}`

const pathOf = (key: string) => data(`/preferences/${encodeURIComponent(key)}`)

export function useSave<T extends Saved>(kind: SavedKind) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (saved: T) => get(pathOf(`${kind}.${slugOf(saved.name)}`), { method: 'PUT', body: saved }),
    onSuccess: () => refreshQueries(queries, KEY),
  })
}

export function useForgetPreference() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => send(pathOf(key), { method: 'DELETE' }),
    onSuccess: () => refreshQueries(queries, KEY),
  })
}

interface ChosenColumns {
  /** Names of fields, in the order of the columns; undefined: those of the list view. */
  readonly fields: readonly string[] | undefined
  readonly isPending: boolean
  /** True if the server keeps a choice. */
  readonly canChoose: boolean
}

/** The columns that the user wants to see in lists of an object. */
export function useChosenColumns(object: string): ChosenColumns {
  const { data: preferences, isPending } = usePreferences()
  const kept = preferences?.[columnsKey(object)] as { fields?: unknown } | undefined
  const fields = Array.isArray(kept?.fields) ? kept.fields.filter((name) => typeof name === 'string') : []
  return {
    fields: fields.length > 0 ? fields : undefined,
    isPending,
    canChoose: preferences !== null && preferences !== undefined,
  }
}

/** Keeps the columns of an object; none: those of the list view again. */
export function useChooseColumns(object: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (fields: readonly string[]) => {
      const path = pathOf(columnsKey(object))
      if (fields.length > 0) await get(path, { method: 'PUT', body: { fields } })
      else await send(path, { method: 'DELETE' })
    },
    onSuccess: () => refreshQueries(queries, KEY),
  })
}

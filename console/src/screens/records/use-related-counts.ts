import { useQuery } from '@tanstack/react-query'
import { data, get } from '../../api/client.ts'
import { type Description, type ObjectSummary, useObjects } from '../../api/describe.ts'
import { type RelatedList, useLayout } from '../../api/layout.ts'
import { quote } from '../../api/soql.ts'

/** Operations of one batch. */
const MAX_STEPS = 25

interface Batch {
  readonly results: readonly {
    readonly statusCode: number
    readonly result: { readonly totalSize: number }
  }[]
}

/** A list of records that refer to one. */
export interface CountedList extends RelatedList {
  /** Undefined: the list cannot be counted. */
  readonly total: number | undefined
  /** True if the org itself has made the object or the field. */
  readonly isOwn: boolean
}

async function countLists(lists: readonly RelatedList[], id: string, signal: AbortSignal) {
  const totals: (number | undefined)[] = []
  for (let from = 0; from < lists.length; from += MAX_STEPS) {
    const batchRequests = lists.slice(from, from + MAX_STEPS).map(({ sobject, field }) => {
      const q = `SELECT COUNT() FROM ${sobject} WHERE ${field} = ${quote(id)}`
      return { method: 'GET', url: data(`/query?${new URLSearchParams({ q })}`) }
    })
    const { results } = await get<Batch>(data('/composite/batch'), {
      method: 'POST',
      body: { batchRequests },
      signal,
    })
    for (const { statusCode, result } of results) totals.push(statusCode < 400 ? result.totalSize : undefined)
  }
  return totals
}

/** Lists of the org's own objects that the layout leaves out: those whose way down has no name. */
function unnamedLists(
  { childRelationships }: Description,
  objects: readonly ObjectSummary[],
): readonly RelatedList[] {
  const own = new Map(objects.filter((one) => one.custom && one.queryable).map((one) => [one.name, one]))
  return childRelationships.flatMap(({ childSObject, field, relationshipName }) => {
    const child = own.get(childSObject)
    if (relationshipName !== null || child === undefined) return []
    return [{ name: '', label: child.labelPlural, sobject: childSObject, field, custom: true, columns: [] }]
  })
}

/** The lists of records that refer to one with their numbers, which one call reads for all of them. The org's own come first. */
export function useRelatedCounts(description: Description, id: string) {
  const { data: layouts, error: layoutError } = useLayout(description.name)
  const { data: objects, error: objectsError } = useObjects()
  const isKnown = layouts !== undefined && objects !== undefined
  const {
    data: lists,
    error,
    refetch,
  } = useQuery({
    queryKey: ['related', 'counts', description.name, id],
    queryFn: async ({ signal }) => {
      const all = [...unnamedLists(description, objects!), ...(layouts!.layouts[0]?.relatedLists ?? [])]
      const totals = await countLists(all, id, signal)
      const counted = all.map(
        (list, at): CountedList => ({
          ...list,
          total: totals[at],
          isOwn: list.custom || list.field.endsWith('__c'),
        }),
      )
      return counted.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.label.localeCompare(b.label))
    },
    enabled: isKnown,
    retry: false,
  })
  return { lists, error: layoutError ?? objectsError ?? error, retry: () => void refetch() }
}

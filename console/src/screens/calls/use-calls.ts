import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { LoggedCall, LoggedCalls } from '../../../../src/calllog/logged-call.ts'
import { get } from '../../api/client.ts'
import { unlessRefused } from '../../api/who.ts'

/** So many are kept on the screen: all that the log has. */
const KEPT = 10_000

/** The first answer comes soon; older calls come in larger ones. */
const FIRST = 200
const OLDER = 500

const LOG = '/setup/orgs/current/calls'

const NONE: readonly LoggedCall[] = []

/** The calls that the server finds by a filter, older ones when they are asked for, and new ones as they come. */
export function useCalls(filter: string, isLive: boolean) {
  const cursor = useRef<string>(undefined)
  const [newer, setNewer] = useState(NONE)
  /** Those that wait until they are shown, so that nothing moves under the pointer. */
  const [fresh, setFresh] = useState(NONE)

  const log = useInfiniteQuery({
    queryKey: ['calls', filter],
    queryFn: ({ pageParam, signal }) =>
      unlessRefused(
        get<LoggedCalls>(
          `${LOG}?${pageParam === '' ? `limit=${FIRST}` : `limit=${OLDER}&before=${pageParam}`}&${filter}`,
          { signal },
        ),
      ),
    initialPageParam: '',
    getNextPageParam: (page, pages) =>
      page !== null && page.calls.length === (pages.length === 1 ? FIRST : OLDER)
        ? page.calls.at(-1)!.id
        : undefined,
    gcTime: 0,
    retry: false,
  })
  const first = log.data?.pages[0]
  useEffect(() => {
    if (first === undefined || first === null) return
    cursor.current = first.next
    setNewer(NONE)
    setFresh(NONE)
  }, [first])

  const tail = useQuery({
    queryKey: ['calls', filter, 'tail'],
    queryFn: async ({ signal }) => {
      const page = await get<LoggedCalls>(`${LOG}?limit=500&after=${cursor.current}&${filter}`, { signal })
      cursor.current = page.next
      if (page.calls.length > 0) setFresh((before) => [...page.calls.toReversed(), ...before].slice(0, KEPT))
      return page.calls.length
    },
    enabled: isLive && first !== undefined && first !== null,
    refetchInterval: 1000,
    gcTime: 0,
    retry: false,
  })

  const pages = log.data?.pages
  const calls = useMemo(
    () => [...newer, ...(pages ?? []).flatMap((page) => page?.calls ?? [])].slice(0, KEPT),
    [newer, pages],
  )
  return {
    calls,
    isLoaded: log.isSuccess,
    /** True if the user may not read the log. */
    isRefused: first === null,
    error: log.isFetchNextPageError ? null : log.error,
    retry: () => void log.refetch(),
    hasOlder: log.hasNextPage && calls.length < KEPT,
    olderError: log.isFetchNextPageError ? log.error : null,
    isLoadingOlder: log.isFetchingNextPage,
    loadOlder: () => {
      if (log.hasNextPage && !log.isFetching) void log.fetchNextPage()
    },
    tailError: tail.error,
    retryTail: () => void tail.refetch(),
    fresh,
    showFresh: () => {
      setNewer((before) => [...fresh, ...before].slice(0, KEPT))
      setFresh(NONE)
    },
  }
}

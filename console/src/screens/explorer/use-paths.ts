import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { data, get } from '../../api/client.ts'
import { useObjects } from '../../api/describe.ts'

/** Addresses that have what is typed: resources, and those of the objects. */
export function usePaths(typed: string): string[] {
  const { data: objects } = useObjects()
  const { data: resources } = useQuery({
    queryKey: ['resources'],
    queryFn: ({ signal }) => get<Readonly<Record<string, string>>>(data('/'), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const all = [
      ...Object.values(resources ?? {}).filter((path) => path.startsWith('/')),
      ...[
        '/composite/batch',
        '/composite/graph',
        '/composite/sobjects',
        '/limits/recordCount',
        '/queryAll',
      ].map(data),
      ...(objects ?? []).flatMap(({ name }) =>
        ['', '/describe', '/describe/layouts', '/listviews'].map((rest) => data(`/sobjects/${name}${rest}`)),
      ),
      '/services/oauth2/userinfo',
      '/setup/orgs/current',
      '/setup/orgs/current/apps',
      '/setup/orgs/current/users',
      '/setup/orgs/current/versions',
    ]
    return [...new Set(all)].filter((path) => path.toLowerCase().includes(typed.toLowerCase())).slice(0, 40)
  }, [objects, resources, typed])
}

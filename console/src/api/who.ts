import { queryOptions, useQuery } from '@tanstack/react-query'
import { CallError, data, get } from './client.ts'

/* Who is signed in, and where. */

export interface Who {
  readonly userId: string
  readonly userName: string
  readonly username: string
  readonly orgId: string
  readonly orgName: string
}

interface UserInfo {
  readonly user_id: string
  readonly organization_id: string
  readonly preferred_username: string
  readonly name: string
}

interface Names {
  readonly records: readonly { readonly Name: string }[]
}

export const whoQuery = queryOptions({
  queryKey: ['who'],
  queryFn: async (): Promise<Who> => {
    const [info, names] = await Promise.all([
      get<UserInfo>('/services/oauth2/userinfo'),
      get<Names>(data('/query?q=SELECT+Name+FROM+Organization')).catch(() => ({ records: [] })),
    ])
    return {
      userId: info.user_id,
      userName: info.name,
      username: info.preferred_username,
      orgId: info.organization_id,
      orgName: names.records[0]?.Name ?? info.organization_id,
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who is signed in; loaded before the first screen is drawn. */
export function useWho(): Who {
  const { data: who } = useQuery(whoQuery)
  if (who === undefined) throw new Error('nobody is signed in')
  return who
}

/** Facts that only some callers may read: undefined for the others. */
export async function unlessRefused<T>(value: Promise<T>): Promise<T | null> {
  try {
    return await value
  } catch (error) {
    if (error instanceof CallError && (error.status === 403 || error.status === 404)) return null
    throw error
  }
}

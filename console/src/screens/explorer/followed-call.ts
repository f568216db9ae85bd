import type { Call } from './templates.ts'

/** Addresses hold bodies up to this length, in characters: servers refuse addresses that are much longer. */
const MAX_BODY = 2000

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The body of a call that is too long for the address. */
    body?: string
  }
}

/** The search and state of a link that opens a call in the explorer. */
export const followCall = ({ method, path, body }: Call) => ({
  search: {
    method: method === 'GET' ? undefined : method,
    path,
    body: body.length < MAX_BODY ? body || undefined : undefined,
  },
  state: body.length < MAX_BODY ? {} : { body },
})

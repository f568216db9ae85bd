import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'

/** All ways to a token by their `grant_type`. A new one is a file and a line here. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([['client_credentials', clientCredentials]])

import type { Route } from '../../calls/route.ts'
import { importRoutes } from './imports.ts'
import { orgRoutes } from './orgs.ts'
import type { Platform } from './platform.ts'

/** Every resource of the set-up door, below `/setup`. */
export const setupRoutes = (_platform: Platform): readonly Route[] => [...orgRoutes, ...importRoutes]

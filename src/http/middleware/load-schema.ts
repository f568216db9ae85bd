import type { InOrg, WithSchema } from '../pipeline/http-context.ts'
import type { Middleware } from '../pipeline/pipeline.ts'

/** The org's schema as it is now; the request keeps it to its end. */
export const loadSchema: Middleware<InOrg, WithSchema> = ({ runtime }) => {
  const current = runtime.snapshots.current()
  return current instanceof Promise ? current.then((schema) => ({ schema })) : { schema: current }
}

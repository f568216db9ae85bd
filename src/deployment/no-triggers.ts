import type { Triggers } from '../context.ts'

/** The triggers of a server without a deployment. */
export const NO_TRIGGERS: Triggers = { listens: () => false, run: async () => {} }

import { ApiError } from '../../base/api-error.ts'
import { parseDataPath } from '../../calls/data-path.ts'
import type { Dispatch } from '../../calls/route.ts'
import type { Context } from '../../context.ts'
import type { CallFaults } from '../../faults/call-faults.ts'
import type { StepUrl } from './step-url.ts'

/** The faults of the steps of a call; undefined: none is injected. */
export type StepFaults = ReadonlyMap<Requested, CallFaults> | undefined

export interface Requested {
  readonly method: string
  readonly url: StepUrl
}

/** A path without a version has no route, so no fault is injected into it. */
function parseTarget(ctx: Context, path: string) {
  try {
    return parseDataPath(path, ctx.settings, ctx.clock())
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/**
 * Finds the injected faults of the steps before the first of them is carried out, outside of their transaction: faults
 * that were counted stay counted, however the steps end.
 */
export async function meetSteps(
  ctx: Context,
  { findPattern }: Dispatch,
  steps: readonly Requested[],
): Promise<StepFaults> {
  const ofStep = ctx.faults?.ofStep
  if (ofStep === undefined) return undefined
  const faults = new Map<Requested, CallFaults>()
  for (const [number, step] of steps.entries()) {
    const { method, url } = step
    const target = parseTarget(ctx, url.path)
    if (target === undefined) continue
    const { path, version } = target
    const met = await ofStep({
      route: findPattern(path) ?? path,
      method,
      version: version.major,
      step: number + 1,
    })
    if (met !== undefined) faults.set(step, met)
  }
  return faults
}

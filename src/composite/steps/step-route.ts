import type { Dispatch, Match } from '../../calls/route.ts'
import type { StepUrl } from './step-url.ts'

/** The route of a step as it was sent, with references where its path has them; undefined: there is none. */
export const findStepRoute = (
  dispatch: Dispatch,
  { method, url }: { readonly method: string; readonly url: StepUrl },
): Match | undefined => dispatch.find(method, `/${url.path.split('/').slice(4).join('/')}`)

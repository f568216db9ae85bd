import { withoutSuffix } from '../../calls/data-path.ts'
import type { Dispatch, Match } from '../../calls/route.ts'
import { hasReference } from './reference-text.ts'
import type { StepUrl } from './step-url.ts'

/** A step whose route is known. */
interface Routed {
  /** The route of the step as it was sent, with references where its path has them; undefined: there is none. */
  readonly match: Match | undefined
}

export const findStepRoute = ({ find }: Dispatch, method: string, { path }: StepUrl): Match | undefined =>
  find(method, withoutSuffix(`/${path.split('/').slice(4).join('/')}`))

export const isCollection = ({ match }: Routed): boolean => match?.route.kind === 'collection'

export const isQuery = ({ match }: Routed): boolean => match?.route.kind === 'query'

/** The object whose records a step is about; undefined: its address names none. */
export function objectIn({ match }: Routed): string | undefined {
  const { object } = (match?.params ?? {}) as { readonly object?: string }
  return object === undefined || hasReference(object) ? undefined : object
}

/** True if its body, when it has one, is a record that is one row. */
export const isOfRecords = ({ match }: Routed): boolean =>
  match?.params.object !== undefined && match.route.kind !== 'collection'

import { ApiError } from '../base/api-error.ts'
import { makeApiVersion } from '../base/api-version.ts'
import { callOf, contextOf } from './data-stages.ts'
import type { Stage } from './visit.ts'

/** The set-up door has no versions: it speaks as the newest one. */
export const setupTarget: Stage = (visit) => {
  const version = makeApiVersion(visit.house.config.versions.at(-1)!)
  visit.target = { version, path: visit.path.slice('/setup'.length) }
  return undefined
}

/** Who sets up an org can make himself anything in it, so it takes everything that makes an administrator. */
export const administratorOnly: Stage = ({ caller }) => {
  const { access } = caller!
  if (!access.has('CustomizeApplication') || !access.has('ManageUsers')) {
    throw new ApiError('INSUFFICIENT_ACCESS', 'Only an administrator may set up an org')
  }
  return undefined
}

export const dispatchSetup: Stage = (visit) => visit.house.dispatchSetup(contextOf(visit), callOf(visit))

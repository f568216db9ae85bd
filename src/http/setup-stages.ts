import { ApiError } from '../base/api-error.ts'
import { callOf, contextOf } from './data-stages.ts'
import { newestTarget } from './newest-target.ts'
import type { Stage } from './visit.ts'

export const setupTarget: Stage = (visit) => {
  visit.target = newestTarget(visit, '/setup')
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

export const dispatchSetup: Stage = async (visit) =>
  visit.house.dispatchSetup(contextOf(visit), await callOf(visit))

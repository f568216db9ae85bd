import { ApiError } from '../../base/api-error.ts'
import { malformedQuery } from '../parse/query-error.ts'
import { findNamed, isRootField } from './find-named.ts'
import type { Plan, PlanBase } from './plan.ts'

const MAX_RECORDS = 200

/** True if a query may select the field of `UserRecordAccess`. */
export const isAccessField = (name: string): boolean => /^(RecordId|Has\w+Access|MaxAccessLevel)$/.test(name)

export const notAccessError = (): ApiError =>
  new ApiError('INVALID_FIELD', 'Can select only RecordId, a Has*Access field, and MaxAccessLevel')

/** The user and the records that a query of `UserRecordAccess` names. */
export interface NamedRecords {
  readonly userId: string
  readonly recordIds: readonly string[]
}

/** @throws ApiError MALFORMED_QUERY if it does not name one user and some records */
export function findNamedRecords(plan: Pick<PlanBase, 'sources' | 'filter'>): NamedRecords {
  const users = new Set(findNamed(plan.filter, isRootField(plan, 'UserId'))?.map(String))
  const recordIds = new Set(findNamed(plan.filter, isRootField(plan, 'RecordId'))?.map(String))
  const [userId] = users
  if (users.size !== 1 || recordIds.size === 0 || recordIds.size > MAX_RECORDS) {
    throw malformedQuery(
      `UserRecordAccess: a filter on a single UserId is required, and one on RecordId, with = or with IN and ${MAX_RECORDS} ids at most`,
    )
  }
  return { userId: userId!, recordIds: [...recordIds] }
}

/** @throws ApiError INVALID_FIELD if a query of `UserRecordAccess` selects something else than access */
export function checkSelectedAccess(plan: Plan): void {
  const selected = plan.kind === 'records' ? plan.selection.members : undefined
  if (selected?.every((member) => !('kind' in member) && isAccessField(member.name))) return
  throw notAccessError()
}

import type { Context } from '../../context.ts'
import type { RecordValues } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { hasValidations } from '../formulas/check-validations.ts'
import { keepsChanges } from '../history/keep-history.ts'
import { changesState } from '../history/keep-states.ts'
import { derivesFrom } from './derive-values.ts'
import { mayBeFollowed } from './follow-changes.ts'
import { mayAffectParents } from './plan-effects.ts'
import { hasTrigger } from './triggers.ts'

/** Whether something else follows from a write of these fields. */
export const isMoreThanWritten = (object: ObjectType, values: RecordValues): boolean =>
  derivesFrom(object, values) ||
  hasValidations(object) ||
  mayAffectParents(object, values) ||
  keepsChanges(object, values) ||
  changesState(object, values) ||
  mayBeFollowed(object, values)

export const hasTriggers = (ctx: Context, object: ObjectType) =>
  hasTrigger(ctx, object, 'beforeUpdate') || hasTrigger(ctx, object, 'afterUpdate')

import { ApiError } from '../../base/api-error.ts'
import type { TriggerTime } from '../../context.ts'
import { locationIn } from '../../scripting/threads/location-in.ts'
import type { TriggerModule } from '../modules/trigger-module.ts'

/** Makes the error that clients get when a trigger throws. (docs/reference/api/records.md#error-codes) */
export function makeTriggerError({ name, file }: TriggerModule, time: TriggerTime, error: unknown): ApiError {
  // The error of a nested trigger already has its location.
  if (error instanceof ApiError && error.code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY') return error
  const event = time[0]!.toUpperCase() + time.slice(1)
  const cause =
    error instanceof ApiError
      ? error.items.map(({ errorCode, message }) => `${errorCode}, ${message}`).join('; ')
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error)
  const location = locationIn(error instanceof Error ? error.stack : undefined, file)
  return new ApiError(
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    `${name}: execution of ${event}\n\ncaused by: ${cause}\n\nTrigger.${name}${location}`,
    { cause: error },
  )
}

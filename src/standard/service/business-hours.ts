import type { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import {
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import { TIME_ZONE_VALUES } from '../values/time-zone-values.ts'
import { businessHoursSql, type StoredHours, WEEKDAYS } from './business-hours.sql.ts'

export const BUSINESS_HOURS: ObjectDefinition = {
  name: 'BusinessHours',
  label: 'Business Hours',
  labelPlural: 'Business Hours',
  keyPrefix: '01m',
  ownerless: true,
  deletable: false,
  searchable: false,
  fields: [
    {
      name: 'Name',
      label: 'Business Hours Name',
      type: 'string',
      length: 80,
      required: true,
      nameField: true,
    },
    { name: 'IsActive', label: 'Active', type: 'boolean' },
    { name: 'IsDefault', label: 'Default Business Hours', type: 'boolean' },
    ...WEEKDAYS.flatMap((day) => [
      { name: `${day}StartTime`, label: `${day} Start`, type: 'time' as const },
      { name: `${day}EndTime`, label: `${day} End`, type: 'time' as const },
    ]),
    {
      name: 'TimeZoneSidKey',
      label: 'Time Zone',
      type: 'picklist',
      length: 40,
      required: true,
      values: TIME_ZONE_VALUES,
      restricted: true,
      orgDefault: 'timeZone',
    },
  ],
}

const MIDNIGHT = '00:00:00.000'

/** A time of day to the millisecond, as a text that sorts. */
const toTime = (value: unknown): string | null =>
  typeof value === 'string' ? `${value.slice(0, 8)}.${value.slice(9).padEnd(3, '0')}` : null

/** The value that a record will have. */
function valueAfter(
  { object }: Write,
  { values }: WrittenRecord,
  before: StoredHours | undefined,
  name: string,
): unknown {
  const written = values.get(object.field(name)!)
  return written === undefined ? before?.[name.toLowerCase()] : written
}

/** The error of a day that has no end, or ends before it starts. Midnight as an end is that of the day. */
function findTimeProblem(
  write: Write,
  record: WrittenRecord,
  before: StoredHours | undefined,
): ApiError | undefined {
  for (const day of WEEKDAYS) {
    const names = [`${day}StartTime`, `${day}EndTime`] as const
    const [start, end] = names.map((name) => toTime(valueAfter(write, record, before, name)))
    if (start === null && end === null) continue
    if (start === null || end === null)
      return integrityError(`${day} has a start and an end, or neither: without both it is closed`, ...names)
    if (end! <= start! && end !== MIDNIGHT) return integrityError(`${day} ends before it starts`, ...names)
  }
  return undefined
}

/** Refuses times that contradict each other, and whatever would leave the org without active default hours. */
async function findRefused<R extends WrittenRecord>(
  write: Write,
  records: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const stored = await write.db.query<StoredHours>(businessHoursSql.lock(write.org))
  const known = new Map(stored.map((one) => [one.id, one]))
  const isChosen = write.object.field('IsDefault')!
  const hasChosen = records.some(({ values }) => values.get(isChosen) === true)
  const refused = new Map<R, ApiError>()
  for (const record of records) {
    const before = known.get(record.id)
    const chosen = record.values.get(isChosen)
    const wasDefault = before?.isdefault === true
    const stays = wasDefault && !hasChosen
    const isActive = valueAfter(write, record, before, 'IsActive') === true
    const problem =
      findTimeProblem(write, record, before) ??
      (stays && chosen !== undefined
        ? integrityError(
            'One of the business hours is always the default: make others the default instead',
            'IsDefault',
          )
        : undefined) ??
      ((stays || chosen === true) && !isActive
        ? integrityError('The default business hours are active', 'IsActive', 'IsDefault')
        : undefined)
    if (problem !== undefined) refused.set(record, problem)
  }
  return refused
}

const keepOneDefault = async ({ db, org, audit }: Write, ids: readonly string[]): Promise<void> => {
  await db.query(businessHoursSql.keepOneDefault(org, ids, audit))
}

/** (docs/reference/api/standard-objects.md#business-hours) */
export const BUSINESS_HOURS_BEHAVIOUR: ObjectBehaviour = {
  refuseInsert: findRefused,
  refuseChange: findRefused,
  afterInsert: (write, records) =>
    keepOneDefault(
      write,
      records.map(({ id }) => id),
    ),
  afterChange: keepOneDefault,
}

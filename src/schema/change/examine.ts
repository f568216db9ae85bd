import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Field } from '../fields/field.ts'
import { WrongKind } from '../fields/field-type.ts'
import { examineSql } from './examine.sql.ts'
import type { NarrowedField, Obstacle, Step } from './step.ts'

/** The data that a step would lose, and the records that prevent it. */
export interface Finding {
  readonly loses: number
  readonly obstacles: readonly Obstacle[]
}

/** Values per page. */
const PAGE_SIZE = 5000
/** Maximum number of records that a finding names. */
const MAX_NAMED = 5

type Value = string | number | boolean

/** A stored value as a client reads it. */
const shown = (value: Value, field: Field) => field.type.read?.(value, '', field) ?? value

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A date becomes the start of its day. */
function taken(value: unknown, field: Field): unknown {
  if (field.type.literal === 'dateTime' && DAY.test(String(value))) return taken(`${value}T00:00:00Z`, field)
  return field.type.coerce(field.type.parameter === 'text' ? String(value) : value, field)
}

/** True if converting a value back gives the original. */
function isReversible(value: unknown, converted: Value, { before, after }: NarrowedField): boolean {
  try {
    const back = taken(shown(converted, after), before)
    return String(back).toLowerCase() === String(taken(value, before)).toLowerCase()
  } catch (error) {
    if (error instanceof WrongKind) return false
    throw error
  }
}

/** Why the field would refuse the value; undefined when it accepts it. */
function findRefusal(value: unknown, narrowed: NarrowedField): string | 'loses' | undefined {
  const { after } = narrowed
  try {
    const converted = taken(value, after) as Value | null
    if (converted === null) return 'loses'
    after.type.validate?.(converted, after)
    return isReversible(value, converted, narrowed) ? undefined : 'loses'
  } catch (error) {
    if (error instanceof WrongKind) return `${JSON.stringify(value)} is not a valid ${error.kind}`
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Of encrypted values only the number of bytes can be checked: each character has at least one. */
async function examineEncrypted(
  db: Db,
  org: Org,
  { object, before, after }: NarrowedField,
): Promise<Finding> {
  const max = after.definition.length!
  type Found = { readonly rows: number; readonly ids: string[] | null }
  const [found] = await db.query<Found>(examineSql.longerThan(org, object, before, max))
  const { rows, ids } = found!
  const message = `with an encrypted value of more than ${max} bytes`
  return { loses: 0, obstacles: rows === 0 ? [] : [{ rows, ids: ids ?? [], message }] }
}

/** Checks every value of a field by the rules of the write path. */
async function examineValues(db: Db, org: Org, field: NarrowedField): Promise<Finding> {
  const { object, before } = field
  if (field.before.type.encrypted !== undefined) return examineEncrypted(db, org, field)
  // An inactive value may stay.
  const picklist = field.after.picklist.map((entry) => ({ ...entry, inactive: false }))
  const after = { ...field.after, picklist }
  const narrowed = { object, before, after }
  let [loses, rows, reason] = [0, 0, '']
  const ids: string[] = []
  for (let last = '', size = PAGE_SIZE; size === PAGE_SIZE; ) {
    type Row = { readonly id: string; readonly value: Value }
    const page = await db.query<Row>(examineSql.values(org, object, before, last, PAGE_SIZE))
    for (const { id, value } of page) {
      const refused = findRefusal(shown(value, before), narrowed)
      if (refused === undefined) continue
      if (refused === 'loses') {
        loses++
        continue
      }
      rows++
      if (ids.length < MAX_NAMED) ids.push(id)
      if (reason === '') reason = refused
    }
    size = page.length
    last = page.at(-1)?.id ?? last
  }
  const message = `with a value that ${after.name} would not take: ${reason}`
  return { loses, obstacles: rows === 0 ? [] : [{ rows, ids, message }] }
}

/** Examines the records that a step affects. */
export async function examineStep(db: Db, org: Org, step: Step): Promise<Finding> {
  let loses = 0
  const obstacles: Obstacle[] = []
  for (const { sql, message } of step.examinations) {
    const [found] = await db.query<{ rows: number; ids: string[] | null }>(sql)
    if (message === undefined) loses += found!.rows
    else if (found!.rows > 0) obstacles.push({ rows: found!.rows, ids: found!.ids ?? [], message })
  }
  if (step.values !== undefined && obstacles.length === 0) {
    const values = await examineValues(db, org, step.values)
    loses += values.loses
    obstacles.push(...values.obstacles)
  }
  return { loses, obstacles }
}

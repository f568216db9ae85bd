import { ApiError } from '../../base/api-error.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { Field } from '../fields/field.ts'
import { WrongKind } from '../fields/field-type.ts'
import { examineSql } from './examine.sql.ts'
import type { NarrowedField, Obstacle, Step } from './step.ts'

/** What a step would lose, and what stands in its way. */
export interface Finding {
  readonly loses: number
  readonly obstacles: readonly Obstacle[]
}

/** Values are looked at in pages of so many. */
const PAGE = 5000
/** How many records are named. */
const NAMED = 5

type Value = string | number | boolean

/** A stored value as a client reads it. */
const shown = (value: Value, field: Field) => field.type.read?.(value, '', field) ?? value

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A day as a moment is its first one. */
function taken(value: unknown, field: Field): unknown {
  if (field.type.literal === 'dateTime' && DAY.test(String(value))) return taken(`${value}T00:00:00Z`, field)
  return field.type.coerce(field.type.parameter === 'text' ? String(value) : value, field)
}

/** Whether what a value becomes would become it again. */
function comesBack(value: unknown, converted: Value, { before, after }: NarrowedField): boolean {
  try {
    const back = taken(shown(converted, after), before)
    return String(back).toLowerCase() === String(taken(value, before)).toLowerCase()
  } catch (error) {
    if (error instanceof WrongKind) return false
    throw error
  }
}

/** Why the field would not take the value; undefined: it would. */
function refusal(value: unknown, narrowed: NarrowedField): string | 'loses' | undefined {
  const { after } = narrowed
  try {
    const converted = taken(value, after) as Value | null
    if (converted === null) return 'loses'
    after.type.validate?.(converted, after)
    return comesBack(value, converted, narrowed) ? undefined : 'loses'
  } catch (error) {
    if (error instanceof WrongKind) return `${JSON.stringify(value)} is no ${error.kind}`
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Encrypted values tell no more than how many bytes they have at most: each character has one or more. */
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

/** Looks at every value of a field: the rules are those of the write path. */
async function examineValues(db: Db, org: Org, field: NarrowedField): Promise<Finding> {
  const { object, before } = field
  if (field.before.type.encrypted !== undefined) return examineEncrypted(db, org, field)
  // A value that is no longer offered may stay where it is.
  const picklist = field.after.picklist.map((entry) => ({ ...entry, inactive: false }))
  const after = { ...field.after, picklist }
  const narrowed = { object, before, after }
  let [loses, rows, reason] = [0, 0, '']
  const ids: string[] = []
  for (let last = '', size = PAGE; size === PAGE; ) {
    type Row = { readonly id: string; readonly value: Value }
    const page = await db.query<Row>(examineSql.values(org, object, before, last, PAGE))
    for (const { id, value } of page) {
      const refused = refusal(shown(value, before), narrowed)
      if (refused === undefined) continue
      if (refused === 'loses') {
        loses++
        continue
      }
      rows++
      if (ids.length < NAMED) ids.push(id)
      if (reason === '') reason = refused
    }
    size = page.length
    last = page.at(-1)?.id ?? last
  }
  const message = `with a value that ${after.name} would not take: ${reason}`
  return { loses, obstacles: rows === 0 ? [] : [{ rows, ids, message }] }
}

/** Looks at the records that a step is about. */
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

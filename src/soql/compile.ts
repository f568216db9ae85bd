import { getOrInsert } from '../base/get-or-insert.ts'
import { ApiError } from '../base/api-error.ts'
import type { Field } from '../schema/field.ts'
import { type ParentShape, RecordShape } from '../schema/record-shape.sql.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import { analyzeQuery } from './analyze.ts'
import { parseQuery } from './parser.ts'
import type { Plan, Selection } from './plan.ts'

/** A query that is ready to run, and how its rows become records (absent for a count). */
export interface CompiledQuery {
  readonly plan: Plan
  readonly shape: RecordShape | undefined
}

function shapeOf({ source, members }: Selection): RecordShape {
  const shapes = members.map((member): Field | ParentShape =>
    'selection' in member ? { name: member.name, shape: shapeOf(member.selection) } : member,
  )
  return new RecordShape(source.object, shapes, source.alias)
}

/** PostgreSQL takes 1,664 columns and sort keys in one statement. */
const MOST_COLUMNS = 1600

function checkSize(plan: Plan, shape: RecordShape | undefined): void {
  if (plan.kind !== 'records' || shape!.columns.length + plan.orderings.length <= MOST_COLUMNS) return
  throw new ApiError(
    'QUERY_TOO_COMPLICATED',
    'Query is either selecting too many fields or the filter conditions are too complicated.',
  )
}

/** How many texts are remembered for one snapshot. */
const MOST_REMEMBERED = 1000

const remembered = new WeakMap<SchemaSnapshot, Map<string, CompiledQuery>>()

/**
 * Text, tree, plan, shape. Remembered under the text for as long as the snapshot lives.
 * @throws ApiError
 */
export function compileQuery(text: string, schema: SchemaSnapshot): CompiledQuery {
  const known = getOrInsert(remembered, schema, () => new Map<string, CompiledQuery>())
  let compiled = known.get(text)
  if (compiled === undefined) {
    const plan = analyzeQuery(parseQuery(text), schema)
    const shape = plan.kind === 'records' ? shapeOf(plan.selection) : undefined
    checkSize(plan, shape)
    compiled = { plan, shape }
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!)
    known.set(text, compiled)
  }
  return compiled
}

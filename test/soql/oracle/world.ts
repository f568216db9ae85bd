import type { FiscalYear } from '../../../src/base/fiscal-year.ts'
import type { Field } from '../../../src/schema/fields/field.ts'
import type { ObjectType } from '../../../src/schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../../src/schema/snapshot/snapshot.ts'
import type { Source } from '../../../src/soql/plan/plan.ts'

/*
 * The oracle answers queries from arrays of records, slowly and as plainly as the contract says it. It shares the
 * meaning of names (plans and the schema) with the engine, and nothing that compares, sorts, groups or shows values.
 */

export type Value = string | number | boolean | null

/** A record by the names of its fields: numbers and booleans as they are, dates, datetimes and times as ISO texts. */
export type Row = Readonly<Record<string, Value>>

/** Who asks, when and where. */
export interface Asker {
  readonly userId: string
  readonly now: Date
  readonly timeZone: string
  readonly fiscalYear: FiscalYear
  /** 0 (Sunday) to 6. */
  readonly weekStart: number
  readonly deletedToo: boolean
  readonly pageSize: number
}

/** All records there are. */
export class World {
  readonly schema: SchemaSnapshot
  readonly #rows: ReadonlyMap<string, readonly Row[]>
  readonly #byId = new Map<string, Row>()

  constructor(schema: SchemaSnapshot, rows: ReadonlyMap<string, readonly Row[]>) {
    this.schema = schema
    this.#rows = rows
    for (const row of [...rows.values()].flat()) this.#byId.set(row.Id as string, row)
  }

  /** The records of an object that the asker may see. */
  records(object: ObjectType, asker: Asker): readonly Row[] {
    const all = this.#rows.get(object.name) ?? []
    return asker.deletedToo ? all : all.filter((row) => row.IsDeleted === false)
  }

  /** Ids of an object's records. */
  ids(object: string): readonly string[] {
    return (this.#rows.get(object) ?? []).map((row) => String(row.Id))
  }

  /** The record that a source means when the queried one is `root`; undefined where a reference leads nowhere. */
  reach(source: Source, root: Row): Row | undefined {
    const { via, object, targets } = source
    if (via === undefined) return root
    const id = this.reach(via.source, root)?.[via.field.name] as string | null | undefined
    const found = id == null ? undefined : this.#byId.get(id)
    if (found === undefined) return undefined
    const actual = this.schema.objectOfId(found.Id as string)!
    if (targets !== undefined) return asName(object, actual, found)
    return actual === object ? found : undefined
  }
}

/** A record seen as a Name: its own fields of those names; the others are null, or false. (docs/reference/api/queries.md#conditions, docs/reference/api/queries.md#values) */
function asName(name: ObjectType, actual: ObjectType, row: Row): Row {
  const named = actual.nameField!.name
  const value = (field: Field): Value => {
    if (field.name === 'Type') return actual.name
    if (field.name === 'Name') return row[named]!
    if (field.name === 'NameOrAlias') return row.Alias ?? row[named]!
    return row[field.name] ?? (field.type.name === 'boolean' ? false : null)
  }
  return Object.fromEntries(name.fields.map((field) => [field.name, value(field)]))
}

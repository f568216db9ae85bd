import type { Org } from '../../storage/orgs/org.ts'
import { type Field, isRequired } from '../fields/field.ts'
import type { ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'
import { alterColumn, clearReferences, constant, ownByCreator } from './alter.sql.ts'
import { findConversion } from './conversions.sql.ts'
import { ddl } from './ddl.sql.ts'
import { differences } from './differences.ts'
import { examineSql } from './examine.sql.ts'
import { during, type Examination, type Step } from './step.ts'

/** An object before and after a change, with both schemas. */
export interface Pair {
  readonly org: Org
  readonly before: ObjectType
  readonly after: ObjectType
  readonly schemaBefore: SchemaSnapshot
  readonly schemaAfter: SchemaSnapshot
}

/** The value that existing records get for a new field. */
function makeFillValue(field: Field): string | undefined {
  const fillsItself = field.nillable || field.type.alwaysFilled === true
  if (fillsItself || field.default === undefined) return undefined
  // Stored as the write path does: a leading blank would mark the value as encrypted.
  const isEncrypted = field.type.encrypted !== undefined
  return constant(isEncrypted ? String(field.default).trim() : field.default)
}

/** Adds a field to an existing object. */
export function addField(org: Org, after: ObjectType, field: Field): Step {
  const isBare = isRequired(field) && field.default === undefined
  const filled = makeFillValue(field)
  const statements = during('create', ddl.addColumn(org, after, field, filled))
  if (field.name === 'OwnerId') {
    statements.push({ phase: 'fill', sql: ownByCreator(org, after) })
  }
  return {
    kind: 'add',
    object: after.name,
    field: field.name,
    what: `new ${field.type.name}`,
    statements,
    examinations: isBare
      ? [
          {
            sql: examineSql.living(org, after),
            message: `without a value for ${field.name}, which is required: give it a default, or deploy it without required and fill it first`,
          },
        ]
      : [],
  }
}

/** Removes a field with its values. */
export function dropField({ org, before }: Pair, field: Field): Step {
  return {
    kind: 'destroy',
    object: before.name,
    field: field.name,
    what: 'goes with its values',
    statements: during('drop', ddl.dropColumn(org, before, field)),
    examinations: [{ sql: examineSql.holding(org, before, field), message: undefined }],
  }
}

/** Properties that decide which values a field takes. */
const BOUNDS = ['type', 'length', 'precision', 'scale', 'restricted', 'values']

/** True if the changed field may refuse values that it accepted before, or store them in another form. */
function isNarrowed(before: Field, after: Field): boolean {
  const changed = differences(before.definition, after.definition).map(({ property }) => property)
  if (!changed.some((property) => BOUNDS.includes(property))) return false
  if (before.type !== after.type) return true
  const [old, now] = [before.definition, after.definition]
  const isShorter = (now.length ?? 0) < (old.length ?? 0)
  const digits = (precision = 18, scale = 0) => precision - scale
  const hasFewerDigits =
    (now.scale ?? 0) < (old.scale ?? 0) || digits(now.precision, now.scale) < digits(old.precision, old.scale)
  return isShorter || hasFewerDigits || now.restricted === true
}

function becomesRequired({ org, before: object }: Pair, before: Field, after: Field): Examination[] {
  if (after.nillable || !before.nillable || after.type.alwaysFilled === true) return []
  return [{ sql: examineSql.empty(org, object, before), message: `without a value for ${after.name}` }]
}

function becomesUnique({ org, before: object }: Pair, before: Field, after: Field): Examination[] {
  const isStricter =
    after.definition.unique === true &&
    (before.definition.unique !== true ||
      before.type !== after.type ||
      (before.definition.caseSensitive === true && after.definition.caseSensitive !== true))
  if (!isStricter) return []
  const value = findConversion(before, after)!
  return [
    {
      sql: examineSql.alike(org, object, after, value),
      message: `with a value of ${after.name} that another record has too`,
    },
  ]
}

/** The effect of a change of the objects that a field refers to. */
function planTargetChange(
  pair: Pair,
  before: Field,
  after: Field,
): Pick<Step, 'examinations' | 'statements' | 'kind'> {
  const { org, before: object, schemaBefore, schemaAfter } = pair
  const nothing = { kind: 'change' as const, examinations: [], statements: [] }
  if (after.referenceTo.length === 0) return nothing
  if (before.referenceTo.length === 0) {
    const target = schemaBefore.object(after.referenceTo[0]!)
    // A new object has no ids yet.
    if (target === undefined) {
      const message = `with a value that is the id of no ${after.referenceTo[0]}`
      return { ...nothing, examinations: [{ sql: examineSql.holding(org, object, before), message }] }
    }
    return {
      ...nothing,
      examinations: [
        {
          sql: examineSql.dangling(org, object, before, target),
          message: `with a value that is the id of no ${target.name}`,
        },
      ],
    }
  }
  // A custom object that goes takes care of what may belong to any of them itself.
  const gone = before.referenceTo.filter(
    (name) =>
      !after.referenceTo.includes(name) &&
      (after.definition.toCustom === undefined || schemaAfter.object(name) !== undefined),
  )
  const prefixes = gone.flatMap((name) => schemaBefore.object(name)?.keyPrefix ?? [])
  if (prefixes.length === 0) return nothing
  const pointing = examineSql.pointing(org, object, before, prefixes)
  // References to a removed object are cleared with it.
  const isForced = !after.nillable || gone.some((name) => schemaAfter.object(name) !== undefined)
  if (isForced) {
    return { ...nothing, examinations: [{ sql: pointing, message: `that point to ${gone.join(', ')}` }] }
  }
  return {
    kind: 'destroy',
    examinations: [{ sql: pointing, message: undefined }],
    statements: during('fill', [clearReferences(org, object, after, prefixes)]),
  }
}

/** The steps that change an existing field. */
export function changeField(pair: Pair, before: Field, after: Field): Step[] {
  const { org } = pair
  const found = differences(before.definition, after.definition).map(({ what }) => what)
  // Targets that follow from other objects are in no definition.
  const gone = before.referenceTo.filter(
    (name) => !after.referenceTo.includes(name) && pair.schemaAfter.object(name) !== undefined,
  )
  if (found.length === 0 && gone.length > 0) found.push(`no longer points to ${gone.join(', ')}`)
  if (found.length === 0) return []
  const named = { object: pair.after.name, field: after.name, what: found.join(', ') }
  if (findConversion(before, after) === undefined) {
    const [gone, added] = [dropField(pair, before), addField(org, pair.after, after)]
    const what = `${named.what}: values of a ${before.type.name} cannot become those of a ${after.type.name}, so they go`
    // The old column is dropped before the new one is added.
    return [
      {
        ...named,
        kind: 'destroy',
        what,
        statements: [...gone.statements, ...added.statements],
        examinations: [...gone.examinations, ...added.examinations],
      },
    ]
  }
  const pointing = planTargetChange(pair, before, after)
  return [
    {
      ...named,
      kind: pointing.kind,
      statements: [
        ...pointing.statements,
        ...alterColumn(org, { object: pair.before, field: before }, { object: pair.after, field: after }),
      ],
      examinations: [
        ...pointing.examinations,
        ...becomesRequired(pair, before, after),
        ...becomesUnique(pair, before, after),
      ],
      values: isNarrowed(before, after) ? { object: pair.before, before, after } : undefined,
    },
  ]
}

/** True if the fields that an object had and has are in the same order. */
export function hasSameOrder({ before, after }: Pick<Pair, 'before' | 'after'>): boolean {
  const names = (object: ObjectType) => object.definition.fields.map(({ name }) => name.toLowerCase())
  const [old, now] = [names(before), names(after)]
  const kept = old.filter((name) => now.includes(name))
  return kept.join() === now.filter((name) => old.includes(name)).join()
}

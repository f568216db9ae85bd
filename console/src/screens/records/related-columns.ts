import { type Description, type Field, nameFieldOf } from '../../api/describe.ts'
import { type FieldKind, kindOf } from '../../api/field-kind.ts'
import type { RelatedList } from '../../api/layout.ts'

/** Columns besides the name. */
const BESIDE = 3

/** Fields of standard objects that tell their records apart, the most telling first. */
const TELLING = [
  'Subject',
  'Title',
  'StageName',
  'Status',
  'Priority',
  'Email',
  'Phone',
  'Amount',
  'TotalAmount',
  'CloseDate',
  'ActivityDate',
  'StartDateTime',
  'EffectiveDate',
  'StartDate',
  'Role',
]

/** Kinds whose values are too long for a column, or say little there. */
const NO_COLUMNS: readonly FieldKind[] = ['compound', 'bytes', 'lines', 'document', 'lookup']

/** What a related list shows of a record: its name, then fields of the org's own, those that tell most, and those of the layout. */
export function relatedColumns(list: RelatedList, description: Description): readonly Field[] {
  const fields = new Map(description.fields.map((field) => [field.name, field]))
  const isColumn = (field: Field | undefined): field is Field =>
    field !== undefined && !field.nameField && !NO_COLUMNS.includes(kindOf(field))
  const beside = [
    ...description.fields.filter(({ custom }) => custom),
    ...[...TELLING, ...list.columns.map(({ name }) => name)].map((name) => fields.get(name)),
  ].filter(isColumn)
  const first = fields.get(nameFieldOf(description) ?? 'Id')!
  return [first, ...[...new Set(beside)].slice(0, BESIDE)]
}

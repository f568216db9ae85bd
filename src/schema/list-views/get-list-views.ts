import { derivedRecordId } from '../../base/record-id.ts'
import type { ListView } from '../definitions/definition.ts'
import { findSummaryFields } from '../describe/compact-layout.ts'
import { isQueryable } from '../describe/describe-object.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** A deployed list view of an object. */
export interface OwnListView extends ListView {
  readonly id: string
  readonly columns: readonly string[]
}

/** `AllAccounts` for `All Accounts`. Uses the object's name if the plural label has no ASCII letters or digits. */
function developerName(word: string, { definition, name }: ObjectType): string {
  const plural = definition.labelPlural.replaceAll(/[^A-Za-z0-9]/g, '')
  return `${word}${plural === '' ? name.replaceAll('_', '') : plural}`
}

/** The list views of every object with a name field that queries read without a filter. They are not stored: their ids derive from the key prefix. */
function standardViews(object: ObjectType): ListView[] {
  const { definition, keyPrefix, nameField } = object
  if (nameField === undefined || !isQueryable(object)) return []
  const view = (word: string, at: number) => ({
    name: developerName(word, object),
    label: `${word} ${definition.labelPlural}`,
    id: derivedRecordId('00B', keyPrefix, at),
  })
  const own = object.field('OwnerId') === undefined ? [] : [{ ...view('My', 2), scope: 'mine' as const }]
  return [view('All', 1), ...own]
}

/** The list views of an object: the standard ones, unless the definition reuses their names, and those of the definition. */
export function getListViews(object: ObjectType): readonly OwnListView[] {
  const written = object.definition.listViews ?? []
  const isTaken = ({ name }: ListView) =>
    written.some((other) => other.name.toLowerCase() === name.toLowerCase())
  return [...standardViews(object).filter((view) => !isTaken(view)), ...written].map((view) => ({
    ...view,
    id: view.id!,
    columns: view.columns ?? findSummaryFields(object).map(({ name }) => name),
  }))
}

import { derivedRecordId } from '../../base/record-id.ts'
import type { ListView } from '../definitions/definition.ts'
import { tellingFields } from '../describe/compact-layout.ts'
import type { ObjectType } from '../objects/object-type.ts'

/** A list view of an object that is there. */
export interface OwnListView extends ListView {
  readonly id: string
  readonly columns: readonly string[]
}

/** `All Accounts` is AllAccounts; a plural without letters that may stand in a name gives way to the object's name. */
function developerName(word: string, { definition, name }: ObjectType): string {
  const plural = definition.labelPlural.replaceAll(/[^A-Za-z0-9]/g, '')
  return `${word}${plural === '' ? name.replaceAll('_', '') : plural}`
}

/** What every object has whose records have names. They are stored nowhere: their ids follow from the object's. */
function standardViews(object: ObjectType): ListView[] {
  const { definition, keyPrefix, nameField } = object
  if (nameField === undefined) return []
  const view = (word: string, at: number) => ({
    name: developerName(word, object),
    label: `${word} ${definition.labelPlural}`,
    id: derivedRecordId('00B', keyPrefix, at),
  })
  const own = object.field('OwnerId') === undefined ? [] : [{ ...view('My', 2), scope: 'mine' as const }]
  return [view('All', 1), ...own]
}

/** The list views of an object: the standing ones, unless a definition takes their name, and those of its definition. */
export function listViewsOf(object: ObjectType): readonly OwnListView[] {
  const written = object.definition.listViews ?? []
  const isTaken = ({ name }: ListView) =>
    written.some((other) => other.name.toLowerCase() === name.toLowerCase())
  return [...standardViews(object).filter((view) => !isTaken(view)), ...written].map((view) => ({
    ...view,
    id: view.id!,
    columns: view.columns ?? tellingFields(object).map(({ name }) => name),
  }))
}

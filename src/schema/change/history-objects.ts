import type { ObjectDefinition } from '../definitions/definition.ts'
import { notWritable } from '../objects/expand-definition.ts'
import { isOwn, makeParentField } from './parent-field.ts'

/** `OpportunityHistory` is another object: the stages of an opportunity. */
export function historyObjectName(object: string): string {
  if (isOwn(object)) return `${object.slice(0, -'__c'.length)}__History`
  return object === 'Opportunity' ? 'OpportunityFieldHistory' : `${object}History`
}

/** `AccountHistory` of Account, `Project__History` of Project__c. (docs/reference/api/history.md) */
function historyObject({ name, label }: ObjectDefinition): ObjectDefinition {
  return {
    name: historyObjectName(name),
    label: `${label} History`,
    labelPlural: `${label} History`,
    keyPrefix: '',
    historyOf: name,
    ownerless: true,
    createable: false,
    updateable: false,
    deletable: false,
    searchable: false,
    fields: [
      { ...makeParentField({ name, label }, 'Histories'), ...notWritable },
      {
        name: 'Field',
        label: 'Changed Field',
        type: 'picklist',
        length: 255,
        values: [],
        required: true,
        ...notWritable,
      },
      { name: 'DataType', label: 'Datatype', type: 'picklist', length: 40, values: [], ...notWritable },
      { name: 'OldValue', label: 'Old Value', type: 'anytype', ...notWritable },
      { name: 'NewValue', label: 'New Value', type: 'anytype', ...notWritable },
    ],
  }
}

/** The object that keeps the changes of another, and not one of the standard objects. */
const isMade = ({ name, historyOf }: ObjectDefinition) =>
  historyOf !== undefined && name === historyObjectName(historyOf)

/**
 * Adds a history object for each definition that keeps its changes. What was kept stays when an object does so no more, as long
 * as the object is there.
 */
export function withHistories(
  definitions: readonly ObjectDefinition[],
  known: readonly ObjectDefinition[],
): ObjectDefinition[] {
  const own = definitions.filter((definition) => !isMade(definition))
  const existing = new Map(
    [...known, ...definitions].filter(isMade).map((definition) => [definition.historyOf, definition]),
  )
  const histories = own.flatMap((definition) => {
    const made = existing.get(definition.name)
    if (made !== undefined) return [made]
    return definition.trackHistory === true ? [historyObject(definition)] : []
  })
  return [...own, ...histories]
}

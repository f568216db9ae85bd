import type { ObjectDefinition } from '../definitions/definition.ts'
import { isOwn, makeParentField } from './parent-field.ts'

const LEVELS = ['Read', 'Edit', 'All']

/** Records can be shared individually when not every user may edit them. */
const isShared = ({ sharing, ownerless }: ObjectDefinition) =>
  (sharing === 'private' || sharing === 'read') && ownerless !== true

/** `AccountShare` of Account, `Project__Share` of Project__c. */
function shareObject({ name, label }: ObjectDefinition): ObjectDefinition {
  const custom = isOwn(name)
  const parent = makeParentField({ name, label }, 'Shares')
  return {
    name: custom ? `${name.slice(0, -'__c'.length)}__Share` : `${name}Share`,
    label: `${label} Share`,
    labelPlural: `${label} Shares`,
    keyPrefix: '',
    shareOf: name,
    ownerless: true,
    searchable: false,
    fields: [
      parent,
      {
        name: 'UserOrGroupId',
        label: 'User/Group ID',
        type: 'reference',
        to: ['Group', 'User'],
        relationship: 'UserOrGroup',
        onDelete: 'cascade',
        required: true,
        updateable: false,
      },
      {
        name: custom ? 'AccessLevel' : `${name}AccessLevel`,
        label: `${label} Access`,
        type: 'picklist',
        length: 40,
        values: LEVELS,
        restricted: true,
        required: true,
      },
      {
        name: 'RowCause',
        label: 'Row Cause',
        type: 'picklist',
        length: 40,
        values: [{ value: 'Manual', label: 'Manual Sharing', default: true }],
        restricted: true,
        createable: false,
        updateable: false,
      },
    ],
  }
}

/**
 * Adds a share object for each definition that needs one, and removes those that are no longer needed. Existing ones
 * stay unchanged.
 */
export function withShares(
  definitions: readonly ObjectDefinition[],
  known: readonly ObjectDefinition[],
): ObjectDefinition[] {
  const own = definitions.filter(({ shareOf }) => shareOf === undefined)
  const existing = new Map([...known, ...definitions].map((definition) => [definition.name, definition]))
  const shares = own.filter(isShared).map((definition) => {
    const made = shareObject(definition)
    return existing.get(made.name) ?? made
  })
  return [...own, ...shares]
}

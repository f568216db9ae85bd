import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import type { FieldDefinition } from '../../src/schema/fields/field-definition.ts'

const lookup = (name: string, to: string, rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name: `${name}__c`,
  label: name,
  type: 'reference',
  to: [to],
  relationship: `${name}__r`,
  ...rest,
})

const object = (name: string, fields: readonly FieldDefinition[], ownerless = false): ObjectDefinition => ({
  name: `${name}__c`,
  label: name,
  labelPlural: `${name}s`,
  keyPrefix: '',
  ownerless,
  fields: [{ name: 'Name', label: `${name} Name`, type: 'string', length: 80, nameField: true }, ...fields],
})

/** Objects that hang on each other in every way that a deletion has to know. */
export const HIERARCHY_SCHEMA: readonly ObjectDefinition[] = [
  object('House', [
    { name: 'Plate__c', label: 'Plate', type: 'string', length: 20, externalId: true },
    lookup('Annex', 'House__c', { children: 'Annexes__r' }),
  ]),
  /** A detail that stays with its master. */
  object(
    'Room',
    [
      lookup('House', 'House__c', { children: 'Rooms__r', masterDetail: 0 }),
      { name: 'Door__c', label: 'Door', type: 'string', length: 20, externalId: true, unique: true },
      { name: 'Mark__c', label: 'Mark', type: 'string', length: 20, externalId: true },
    ],
    true,
  ),
  /** A detail of a detail that may move. */
  object(
    'Chair',
    [lookup('Room', 'Room__c', { children: 'Chairs__r', masterDetail: 0, reparentable: true })],
    true,
  ),
  /** Points to one house three times: cleared, cleared, deleted with it. */
  object('Letter', [
    lookup('Sender', 'House__c', { children: 'Sent__r' }),
    lookup('Receiver', 'House__c', { children: 'Received__r' }),
    lookup('Archive', 'House__c', { children: 'Archived__r', onDelete: 'cascade' }),
  ]),
  /** Forbids that its house goes, unless it goes too. */
  object('Lease', [
    lookup('House', 'House__c', { children: 'Leases__r', onDelete: 'restrict' }),
    lookup('Owner_House', 'House__c', { children: 'Owned_Leases__r', onDelete: 'cascade' }),
  ]),
]

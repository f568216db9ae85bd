import type { FieldDefinition } from '../fields/field-definition.ts'

/**
 * Definitions of objects as plain data; those of their fields are in `schema/fields/field-definition.ts`. The standard objects are written in this form, an org's own
 * objects are stored in it, and a deployment changes it. It can be turned to JSON and back without loss.
 *
 * The system fields (Id, IsDeleted, CreatedDate, CreatedById, LastModifiedDate, LastModifiedById,
 * SystemModstamp) are never written in a definition: every object has them.
 */

export interface RecordType {
  /** Its developer name, unique in the object. */
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly inactive?: boolean
  /** Default for new records that name none. One per object. */
  readonly default?: boolean
  /** By field the values that are offered; all of them for a field that is not here. */
  readonly picklists?: Readonly<Record<string, readonly string[]>>
  /** Id of its `RecordType` record; given when it is deployed. */
  readonly id?: string
}

/** A condition that no record may meet when it is written. */
export interface ValidationRule {
  /** Unique in the object. */
  readonly name: string
  /** The text of a formula: true refuses the record. */
  readonly condition: string
  readonly message: string
  /** The field that the error is at; of the record as a whole when absent. */
  readonly field?: string
  /** False: it is not evaluated. */
  readonly active?: boolean
  readonly description?: string
}

/** A query that people keep: which records, in which order, and what is shown of them. */
export interface ListView {
  /** Its developer name, unique in the object. */
  readonly name: string
  readonly label: string
  /** Fields, also those of parents: `Account.Name`. Absent: the ones by which people know a record. */
  readonly columns?: readonly string[]
  /** Only the caller's own records. */
  readonly scope?: 'everything' | 'mine'
  /** A condition and an order as they stand in a query. */
  readonly where?: string
  readonly orderBy?: string
  /** Id of its `ListView` record; given when it is deployed. */
  readonly id?: string
}

/** A record of a metadata type. It exists as long as the definition has it. */
export interface MetadataRecord {
  /** Its developer name, unique in the type; with the prefix of a package if it has one. */
  readonly name: string
  readonly label: string
  /** By field; of a reference the name of the record. Null is empty, and what is absent has the field's default. */
  readonly values: Readonly<Record<string, string | number | boolean | null>>
  /** Given when it is deployed. */
  readonly id?: string
}

/** How the records of a custom setting are found: by the organization, profile or user they are for, or by name. */
type SettingKind = 'hierarchy' | 'list'

/** When what is published in a transaction is in the log: with its commit, or whatever becomes of it. */
type Publishing = 'afterCommit' | 'immediately'

/** Who sees and edits records that are others'. */
export type Sharing = 'readWrite' | 'read' | 'private' | 'controlledByParent'

/** The rows of an object that are made of what is stored elsewhere: statements that read it contain this text. */
export interface ViewDefinition {
  /** SQL text of its FROM and WHERE; the schema of the org is written `"$org"`. */
  readonly from: string
  /** SQL text of values by the lower-case name of the field. Fields that are not here have no value, booleans are false. */
  readonly columns: Readonly<Record<string, string>>
  /** The rows depend on the caller: queries make them, and this view has none. Its records have no addresses. */
  readonly perCaller?: true
  /** Queries make rows only for what their filter names, and refuse to do without one. */
  readonly needsFilter?: true
  /** Queries read its records as children of others only. */
  readonly childOnly?: true
}

/** Of an object that has no records, as platform events. */
export const NO_ROWS: ViewDefinition = { from: '(values (0)) none where false', columns: {} }

export interface ObjectDefinition {
  /** API name in its canonical spelling. */
  readonly name: string
  readonly label: string
  readonly labelPlural: string
  /** First three characters of the ids of this object's records. */
  readonly keyPrefix: string
  /** In describe order; `Id` and the other system fields are added. */
  readonly fields: readonly FieldDefinition[]
  /** The object has no OwnerId; true for details of a master, for users and for set-up objects. */
  readonly ownerless?: boolean
  /** OwnerId may also point to a Group (a queue). */
  readonly queueable?: boolean
  /** Operations that clients may perform on its records. All default to true. */
  readonly createable?: boolean
  readonly updateable?: boolean
  readonly deletable?: boolean
  /** `undeletable` in describes; as `deletable` when absent. */
  readonly undeletable?: false
  /** `indexed`: it has a search index from the start. With true, the default, the first search that names it makes one. */
  readonly searchable?: boolean | 'indexed'
  /** Tasks and events may be about its records. The standard objects say so in `Task.WhatId` themselves. */
  readonly activities?: boolean
  readonly description?: string
  /** A custom setting: values that code and clients are configured by. */
  readonly setting?: SettingKind
  readonly recordTypes?: readonly RecordType[]
  readonly listViews?: readonly ListView[]
  readonly validations?: readonly ValidationRule[]
  /** The records of a metadata type. */
  readonly records?: readonly MetadataRecord[]
  /** Default `readWrite`; `controlledByParent` for the details of a master. */
  readonly sharing?: Sharing
  /** Creations, and changes of the fields that say so, are kept in an object of their own: `AccountHistory` of Account. */
  readonly trackHistory?: boolean
  /** Whoever follows the object is told of its changes. */
  readonly changeEvents?: boolean
  /**
   * Channels beside those of its own, `Partner__chn` for one, and for each the fields that its events always have; `ChangeEvents` stands for
   * the channels of its own. Those of a platform event have no such fields.
   */
  readonly channels?: Readonly<Record<string, readonly string[]>>
  /** The object whose history its records are. The platform makes them. */
  readonly historyOf?: string
  /** The object whose records these ones share with others: `AccountShare` of Account. The platform makes them. */
  readonly shareOf?: string
  /** Of a platform event; default afterCommit. */
  readonly publish?: Publishing
  /** A view stands in place of its table, so nobody writes its records. Standard objects, and platform events, which have none. */
  readonly view?: ViewDefinition
  /** Names under which clients ask for layouts of their own; each is the layout of the object. */
  readonly namedLayouts?: readonly string[]
  /** Indexes beside those that the interface promises: the API names of the fields of each. */
  readonly indexes?: readonly (readonly string[])[]
}

/**
 * The metadata type whose records are the labels of an org, its field with their texts, and those with what is kept for the files that they
 * came from. (docs/reference/formulas.md#the-language)
 */
export const LABELS = {
  type: 'Label__mdt',
  field: 'Text__c',
  categories: 'Categories__c',
  language: 'Language__c',
  protected: 'Protected__c',
} as const

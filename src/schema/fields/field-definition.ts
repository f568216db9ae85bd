import type { OrgDefaults } from '../../storage/orgs/org.ts'
import type { FieldTypeName } from './registry.ts'

/** Meaning of a status for the platform, named as in the files of other platforms' projects. */
export interface StatusProperties {
  /** The record is closed: an opportunity, a case, a task. */
  readonly closed?: boolean
  /** The opportunity is won. */
  readonly won?: boolean
  /** Of an opportunity, 0 to 100. */
  readonly probability?: number
  /** Of an opportunity: a value of `Opportunity.ForecastCategory`. */
  readonly forecastCategory?: string
  /** The lead is converted. */
  readonly converted?: boolean
  /** Of a task. */
  readonly highPriority?: boolean
  /** The state that the platform knows a contract or an order by: `Draft`, `Activated`, `InApproval`. */
  readonly statusCode?: string
}

export interface PicklistValue extends StatusProperties {
  readonly value: string
  /** Label; the value itself when absent. */
  readonly label?: string
  readonly default?: boolean
  /** A value that is no longer offered; a restricted picklist refuses it. */
  readonly inactive?: boolean
  /** Values of the controlling field for which it is offered; all of them when absent. */
  readonly validFor?: readonly string[]
}

export interface FieldDefinition {
  /** API name in its canonical spelling, for example `AnnualRevenue` or `Tier__c`. */
  readonly name: string
  readonly label: string
  readonly type: FieldTypeName
  /** Most characters of a text. */
  readonly length?: number
  /** Digits in all, and digits after the point, of a number. */
  readonly precision?: number
  readonly scale?: number
  /** A value is needed on create, and null is refused on update. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly externalId?: boolean
  /** A required field may be left out by records in which this boolean field is true: the platform gives it a value. */
  readonly requiredUnless?: string
  /** Unique text only: compare with case. */
  readonly caseSensitive?: boolean
  /** The field may stand in `/sobjects/X/{field}/{value}`; external ids and name fields may without saying so, unless this is false. */
  readonly idLookup?: boolean
  /** Further information on its type in describes. */
  readonly extraTypeInfo?: 'imageurl' | 'personname' | 'switchablepersonname'
  /** Deletion rule in describes, where it differs from `onDelete`: records that follow others go with them, and an order restricts. */
  readonly describedDelete?: 'cascade' | 'cascade and restrict'
  /** The name of a way up that only describes have, of a field that is no reference. */
  readonly describedRelationship?: string
  /** The value when a create gives none. */
  readonly default?: string | number | boolean
  /** The choice of the org that is the value when a create gives none, before `default`. */
  readonly orgDefault?: keyof OrgDefaults
  /** Values of a picklist, multipicklist or combobox; a bare string is a value that is its own label. */
  readonly values?: readonly (string | PicklistValue)[] | undefined
  /** Name of the global value set that the values come from. */
  readonly valueSet?: string
  /** Label and description of that set: they are not in records or describes, but exports write them again. */
  readonly valueSetTexts?: { readonly label?: string; readonly description?: string }
  /** The picklist or boolean that decides which values are offered: `validFor` of the values says for what. */
  readonly controller?: string
  /** Only the listed picklist values are accepted. */
  readonly restricted?: boolean
  /** API names of the objects that a reference may point to. */
  readonly to?: readonly string[]
  /** The text field of the target whose values the reference holds; the id when absent. Of objects with a view only. */
  readonly toBy?: string
  /** It may also point to custom objects: to all of them, or to those that allow activities. */
  readonly toCustom?: 'all' | 'activities'
  /** Name of the way up: `Account` of AccountId, `Project__r` of Project__c. */
  readonly relationship?: string
  /** Name of the way down on each target: `Contacts`; absent when the way down has no name. */
  readonly children?: string
  /** Targets that have the way down by another field. */
  readonly noChildrenOn?: readonly string[]
  /** Effect of deleting the target on this record. Default `clear`; `cascade` deletes it, `restrict` refuses. */
  readonly onDelete?: 'clear' | 'cascade' | 'restrict'
  /** A master-detail reference: 0 for the first, 1 for the second. Implies required and cascade. */
  readonly masterDetail?: 0 | 1
  /** A master-detail reference that may be pointed to another parent later. */
  readonly reparentable?: boolean
  /** Display format of an autonumber, for example `A-{0000}`. */
  readonly format?: string
  /** The compound field that this one is a part of. */
  readonly compound?: string
  /** The field whose text names a record: Name, Subject, CaseNumber. One per object. */
  readonly nameField?: boolean
  /** False: set by the platform, never by a client. Default true. */
  readonly createable?: boolean
  readonly updateable?: boolean
  /** When the caller last viewed or referenced the record. It cannot be written, and each user has their own. */
  readonly recent?: 'viewed' | 'referenced'
  /** The field with bytes whose address it shows. It cannot be written. */
  readonly addressOf?: string
  /**
   * Fields of other records that it shows, as they are now: the first that is not empty. It has no value of its own, and cannot
   * be written.
   */
  readonly copyOf?: readonly CopiedField[]
  /**
   * The fields that its value follows from, of its object or as `Object.Field`: only those who may read them all see it. What the members
   * around this one name need not be listed.
   */
  readonly derivedFrom?: readonly string[]
  /** Permissions grant it by itself although nobody can write it. */
  readonly grantable?: true
  /**
   * Computed from the current state of other records. Booleans: a task or event about the record is open, a task is overdue, or an attachment or a file
   * belongs to it. A day: that of its last event or closed task. It has no value of its own, and cannot be written.
   */
  readonly shows?: 'openActivity' | 'overdueTask' | 'lastActivity' | 'attachment'
  /** False: queries neither filter nor sort by it. */
  readonly comparable?: boolean
  /** It shows the last of the records that keep what this one was in which a field is another one than before. It cannot be written. */
  readonly lastChange?: { readonly object: string; readonly reference: string; readonly field: string }
  /** It refers to record types of this object, not of its own. */
  readonly recordTypesOf?: string
  /** Changes of it are kept, if the object keeps them. */
  readonly trackHistory?: boolean
  /**
   * True if that field of the record that references lead to names this record. A boolean without a value of its own, which cannot
   * be written.
   */
  readonly namedBy?: CopiedField
  /**
   * A field that is added up over the record and all that are below it by a reference of their object, as they are now. A number without a
   * value of its own, which cannot be written.
   */
  readonly sumBelow?: { readonly object: string; readonly reference: string; readonly field: string }
  /**
   * Where the record is in the hierarchy of its object by a reference, as it is now: the record at the top, or how many levels there are
   * down to this one, from 1. It has no value of its own, and cannot be written.
   */
  readonly placeBy?: { readonly object: string; readonly reference: string; readonly shows: 'top' | 'level' }
  /**
   * The text of the formula that computes it. It has no value of its own, and cannot be written.
   */
  readonly formula?: string
  /** How the formula sees blank numbers. Default `zero`. */
  readonly blanks?: 'zero' | 'blank'
  /** The text of the formula whose value a new record gets that gives none. */
  readonly defaultFormula?: string
  /** Details that it sums up. It is stored, kept true by every write of them, and cannot be written. */
  readonly rollUp?: RollUpDefinition
  /** The deployment computes it whenever a record is written; nobody else writes it. */
  readonly computed?: boolean
  /** Help text that people see beside the field. */
  readonly help?: string
  /** Purpose, for maintainers. */
  readonly description?: string
}

/** How a field sums up the details of its record. (docs/reference/definition-files.md#roll-ups) */
export interface RollUpDefinition {
  /** API name of the details' object, and of the master-detail field by which they refer to the record. */
  readonly object: string
  readonly reference: string
  readonly function: 'count' | 'sum' | 'min' | 'max'
  /** API name of the details' field; absent for `count`. */
  readonly field?: string
  /** The text of a formula of the detail: only those for which it is true count. */
  readonly filter?: string
}

/** A field of a record that references lead to, one after the other. */
export interface CopiedField {
  /** Each with the object that it points to. API names. */
  readonly references: readonly { readonly name: string; readonly to: string }[]
  readonly field: string
}

/** Kinds of notes about what an import dropped or changed: the title in the report, and what to do. */
export const NOTE_KINDS = {
  formula: {
    title: 'Formulas that cannot be compiled: stored fields now',
    todo: 'Correct the formula at the position, or compute the field in the rules of its object.',
  },
  rollUp: {
    title: 'Roll-ups that cannot be computed: stored fields now',
    todo: 'Correct the roll-up, or declare another one in the definition file of its object.',
  },
  validation: {
    title: 'Validation rules that are not imported',
    todo: 'Correct the condition at the position, or write the rule in TypeScript.',
  },
  default: {
    title: 'Defaults that are not imported',
    todo: 'Correct the formula at the position, or write a defaultFormula into the definition file.',
  },
  reference: {
    title: 'References to objects that are not here',
    todo: 'Import those objects together with these, and import again.',
  },
  required: {
    title: 'Required references: a target that is referred to cannot be deleted',
    todo: 'Write onDelete: cascade where the record should go with its target.',
  },
  filter: {
    title: 'Lookup filters are not imported',
    todo: 'Write the condition as a validation rule: fields of the target are read through the reference.',
  },
  type: {
    title: 'Fields whose type is another one here',
    todo: 'See whether the values fit.',
  },
  autonumber: {
    title: 'Autonumbers that count otherwise',
    todo: 'Write the format that you want.',
  },
  picklist: {
    title: 'Picklists that lost something',
    todo: 'Write what is missing into the values.',
  },
  recordType: {
    title: 'Record types that lost something',
    todo: 'Write default: true at the type that a new record gets, and picklists for what a type offers.',
  },
  listView: {
    title: 'List views that are not the same here',
    todo: 'Write what is missing into listViews, with a condition as in a query.',
  },
  channel: {
    title: 'Channels of events that are not the same here',
    todo: 'See whether those who follow them need something in their place.',
  },
  access: {
    title: 'Sharing and access',
    todo: 'See who should read and write these records.',
  },
  permission: {
    title: 'Permissions on what is not here',
    todo: 'See whether users need something in their place.',
  },
  name: {
    title: 'Names that had to be changed',
    todo: 'Clients must use the new names.',
  },
  object: {
    title: 'Objects that are not imported',
    todo: 'Write an object of your own where clients need one.',
  },
  standardField: {
    title: 'Standard fields that Objectry does not have',
    todo: 'Write a field of your own where clients need one.',
  },
  component: {
    title: 'Parts of objects that mean nothing here',
    todo: 'They are about screens and processes.',
  },
  display: {
    title: 'Settings that mean nothing here',
    todo: 'They are about screens, history and reports.',
  },
  settings: {
    title: 'Settings of the org that are not imported',
    todo: 'See whether users need something in their place.',
  },
  duplicate: {
    title: 'Components that two files have with different content',
    todo: 'Leave one of them, and import again.',
  },
  ignored: {
    title: 'Files that the project leaves out',
    todo: 'Take the rule out of the file that has it, and import again.',
  },
  file: {
    title: 'Files that say nothing about objects, permissions and fiscal years',
    todo: 'They were not read.',
  },
  unsaid: {
    title: 'What the source does not say',
    todo: 'Write it into the object files.',
  },
  difference: {
    title: 'What a describe will say otherwise',
    todo: 'See whether a client depends on it.',
  },
  column: {
    title: 'Columns',
    todo: 'Change what was understood wrongly in the object file.',
  },
  constraint: {
    title: 'Constraints of the database that are not imported',
    todo: 'Write it as a validation rule in the object file.',
  },
  refused: {
    title: 'What a definition may not say was left out',
    todo: 'Change it at the source, or write it into the object file in another way.',
  },
} as const satisfies Record<string, { readonly title: string; readonly todo: string }>

export type NoteKind = keyof typeof NOTE_KINDS

/** Something that an import dropped or changed. */
export interface Note {
  readonly kind: NoteKind
  /** `Project__c.Budget__c`, or a file. */
  readonly location: string
  readonly what: string
}

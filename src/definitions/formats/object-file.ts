import { z } from 'zod'
import { FIELD_FILES, type FieldFile, PICKLIST_VALUE, STANDARD_FIELD } from './field-file.ts'
import type { PermissionSetFile, ProfileFile } from './permission-file.ts'
import type { CompanyFile, SettingsName } from './settings-file.ts'

const flag = z.boolean()
const text = z.string()

const RECORD_TYPE = z.strictObject({
  label: text.optional(),
  description: text.optional(),
  inactive: flag.optional(),
  default: flag.optional().meta({ description: 'What a new record gets that names none.' }),
  picklists: z.record(text, z.array(text)).optional().meta({
    description: 'By field the values that are offered; all of them for a field that is not here.',
  }),
})

const LIST_VIEW = z.strictObject({
  label: text.optional(),
  columns: z.array(text).min(1).optional().meta({
    description:
      'Fields, also those of parents: Account__r.Name. Absent: the name and the first ones that tell something.',
  }),
  scope: z
    .enum(['everything', 'mine'])
    .optional()
    .meta({ description: "mine: only the caller's own records." }),
  where: text.optional().meta({ description: "A condition as in a query: Stage__c = 'Open'" }),
  orderBy: text.optional().meta({ description: 'An order as in a query: Name DESC NULLS LAST' }),
})

const VALIDATION = z.strictObject({
  condition: text.meta({ description: 'A formula: true refuses the record.' }),
  message: text.min(1).max(255).meta({ description: 'What the client is told.' }),
  field: text.optional().meta({ description: 'The field that the error is at; none when absent.' }),
  active: flag.optional().meta({ description: 'False: it is not evaluated.' }),
  description: text.max(255).optional(),
})

export const RECORD_FILE = z.strictObject({
  label: text.optional().meta({ description: 'What people see; made from the name when absent.' }),
  values: z
    .record(text, z.union([text, z.number(), flag, z.null()]))
    .optional()
    .meta({
      description:
        'By field; of a reference the name of the record. Fields without a value have their default.',
    }),
})

/** Properties of an object file other than its fields and records. */
const properties = {
  label: text.optional().meta({ description: 'What people see; made from the name when absent.' }),
  labelPlural: text.optional(),
  description: text.optional(),
  setting: z.enum(['hierarchy', 'list']).optional().meta({
    description:
      'A custom setting: its records are for the organization, a profile or a user, or have a name each.',
  }),
  sharing: z.enum(['readWrite', 'read', 'private', 'controlledByParent']).optional().meta({
    description: "Who sees and edits others' records; default readWrite.",
  }),
  ownerless: flag.optional().meta({ description: 'Its records have no owner.' }),
  queueable: flag.optional().meta({ description: 'Queues may own its records.' }),
  createable: flag.optional(),
  updateable: flag.optional(),
  deletable: flag.optional(),
  searchable: z
    .union([flag, z.literal('indexed')])
    .optional()
    .meta({
      description: 'False: the search does not look at it. indexed: it has a search index from the start.',
    }),
  publish: z.enum(['afterCommit', 'immediately']).optional().meta({
    description:
      'Of a platform event: with the transaction that publishes it, or whatever becomes of that; default afterCommit.',
  }),
  keyPrefix: z
    .string()
    .regex(
      /^[aem][0-9A-Za-z]{2}$/,
      'is three characters, the first one an a, an m for a metadata type, or an e for a platform event: a07',
    )
    .optional()
    .meta({ description: 'Start of the ids of its records; the next free one when absent.' }),
  activities: flag.optional().meta({ description: 'Tasks and events may be about its records.' }),
  trackHistory: flag.optional().meta({
    description: 'Creations, and changes of fields with trackHistory, are kept: AccountHistory of Account.',
  }),
  changeEvents: flag.optional().meta({
    description: 'Changes of its records are told to those who follow /data/AccountChangeEvent of Account.',
  }),
  channels: z.record(text, z.array(text)).optional().meta({
    description:
      'Channels of events beside its own, and the fields that their events always have: { Partner__chn: [Industry] }. ChangeEvents stands for its own.',
  }),
  indexes: z.array(z.array(text).min(1)).optional().meta({ description: 'The fields of each index.' }),
  recordTypes: z.record(text, RECORD_TYPE.nullable()).optional(),
  listViews: z
    .record(text, LIST_VIEW.nullable())
    .optional()
    .meta({ description: 'Queries that people keep.' }),
  validations: z
    .record(text, VALIDATION)
    .optional()
    .meta({ description: 'Conditions that no record may meet when it is written.' }),
}

/** An object file with unchecked fields and records: the schema of a field depends on its type. */
export const OBJECT_FILE = z.strictObject({
  ...properties,
  records: z.record(text, z.unknown()).optional(),
  fields: z.record(text, z.looseObject({}).nullable()).optional(),
})

/** An object file with its fields, for the JSON schema that editors use. */
export const OBJECT_FILE_IN_FULL = z.strictObject({
  ...properties,
  fields: z.record(text, z.union([...FIELD_FILES.values(), STANDARD_FIELD])).optional(),
  records: z
    .record(text, RECORD_FILE.nullable())
    .optional()
    .meta({ description: 'The records of a metadata type. There are no others.' }),
})

export const VALUE_SET_FILE = z.strictObject({
  label: text.optional(),
  description: text.optional(),
  values: z.array(PICKLIST_VALUE),
})

export type RecordFile = z.infer<typeof RECORD_FILE>
export type RecordTypeFile = z.infer<typeof RECORD_TYPE>
export type ValidationFile = z.infer<typeof VALIDATION>
export type ListViewFile = z.infer<typeof LIST_VIEW>
export type ValueSetFile = z.infer<typeof VALUE_SET_FILE>

/** A file in `objects`. The file name is the object name. */
export type ObjectFile = Readonly<
  Omit<z.infer<typeof OBJECT_FILE>, 'fields' | 'recordTypes' | 'listViews' | 'records'>
> & {
  readonly fields?: Readonly<Record<string, FieldFile | null>> | undefined
  readonly recordTypes?: Readonly<Record<string, RecordTypeFile | null>> | undefined
  readonly listViews?: Readonly<Record<string, ListViewFile | null>> | undefined
  readonly records?: Readonly<Record<string, RecordFile | null>> | undefined
}

/** The definition files of a deployment by name. Null is an empty file. */
export interface DefinitionFiles {
  readonly objects: Readonly<Record<string, ObjectFile | null>>
  readonly valueSets: Readonly<Record<string, ValueSetFile>>
  readonly permissionSets?: Readonly<Record<string, PermissionSetFile | null>>
  readonly profiles?: Readonly<Record<string, ProfileFile | null>>
  readonly settings?: Readonly<Partial<Record<SettingsName, CompanyFile | null>>>
}

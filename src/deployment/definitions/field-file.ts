import { z } from 'zod'
import type { FieldTypeName, RollUpDefinition } from '../../schema/definitions/definition.ts'
import type { CHANGEABLE_PROPERTIES } from '../../standard/changeable-properties.ts'
import { FORECAST_CATEGORIES } from '../../standard/values/short-picklists.ts'

/**
 * The schema of a field in a definition file: the properties of a `FieldDefinition`, without the defaults of its
 * type. Each type allows only the properties that apply to it.
 */

const flag = z.boolean()
const text = z.string()

/** Meanings of status values for the platform. */
const STATUS = {
  closed: flag.optional().meta({ description: 'Opportunities, cases and tasks of this status are closed.' }),
  won: flag.optional().meta({ description: 'Opportunities of this stage are won.' }),
  probability: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: 'Percent that opportunities of this stage get.' }),
  forecastCategory: z
    .enum([...FORECAST_CATEGORIES.keys()])
    .optional()
    .meta({ description: 'Forecast category that opportunities of this stage get.' }),
  converted: flag.optional().meta({ description: 'Leads of this status are converted.' }),
  highPriority: flag.optional().meta({ description: 'Tasks of this priority have high priority.' }),
  statusCode: z
    .enum(['Draft', 'InApproval', 'Activated'])
    .optional()
    .meta({ description: 'The state that the platform knows contracts and orders of this status by.' }),
}

export const PICKLIST_VALUE = z.union([
  text,
  z.strictObject({
    value: text,
    label: text.optional(),
    default: flag.optional(),
    inactive: flag.optional(),
    validFor: z
      .array(text)
      .optional()
      .meta({ description: 'Values of the controlling field for which it is offered.' }),
    ...STATUS,
  }),
])

/** Properties of every field. */
const common = {
  label: text.optional().meta({ description: 'What people see; made from the name when absent.' }),
  help: text.optional().meta({ description: 'Help text beside the field.' }),
  description: text.optional().meta({ description: 'What it is for, for those who maintain it.' }),
  createable: flag.optional().meta({ description: 'False: clients may not set it on create.' }),
  updateable: flag.optional().meta({ description: 'False: clients may not change it.' }),
}

const tracked = {
  trackHistory: flag
    .optional()
    .meta({ description: 'Changes of it are kept, if its object has trackHistory.' }),
}

const required = { required: flag.optional().meta({ description: 'A value is needed.' }) }

const computed = {
  computed: flag
    .optional()
    .meta({ description: 'Computed by the .ts file beside this one; nobody else writes it.' }),
}

const formula = {
  formula: text.optional().meta({ description: 'The formula that computes it; nobody writes it.' }),
  blanks: z
    .enum(['zero', 'blank'])
    .optional()
    .meta({ description: 'How the formula sees blank numbers; default zero.' }),
}

const rollUp = {
  rollUp: z
    .strictObject({
      object: text.meta({ description: 'The object of the details.' }),
      reference: text.meta({ description: 'Their master-detail field.' }),
      function: z.enum(['count', 'sum', 'min', 'max']),
      field: text.optional().meta({ description: 'What the sum, min or max is of.' }),
      filter: text
        .optional()
        .meta({ description: 'A formula of the detail: only those for which it is true count.' }),
    })
    .optional()
    .meta({ description: 'How it sums up the details of its record; nobody writes it.' }),
}

const defaultFormula = {
  defaultFormula: text
    .optional()
    .meta({ description: 'The formula whose value a new record gets that gives none: TODAY()' }),
}

const key = {
  unique: flag.optional().meta({ description: 'No two records have the same value.' }),
  externalId: flag.optional().meta({ description: 'Upserts may name records by it.' }),
  idLookup: flag
    .optional()
    .meta({ description: 'It may stand in the path of a record, as external ids do.' }),
}

const length = (max: number) => ({
  length: z.int().min(1).max(max).optional().meta({ description: 'Most characters.' }),
})

const shortText = (max: number) => ({
  ...common,
  ...tracked,
  ...required,
  ...computed,
  ...key,
  ...length(max),
  ...defaultFormula,
  caseSensitive: flag.optional().meta({ description: 'Unique texts only: Ada and ADA are two values.' }),
  default: text.optional(),
})

const longText = {
  ...common,
  ...tracked,
  ...required,
  ...computed,
  ...length(131_072),
  ...defaultFormula,
  default: text.optional(),
}

const decimal = {
  ...common,
  ...formula,
  ...rollUp,
  ...defaultFormula,
  ...tracked,
  ...required,
  ...computed,
  ...key,
  precision: z.int().min(1).max(18).optional().meta({ description: 'Digits in all; default 18.' }),
  scale: z.int().min(0).max(18).optional().meta({ description: 'Digits after the point; default 0.' }),
  default: z.number().optional(),
}

const timestamp = {
  ...common,
  ...formula,
  ...rollUp,
  ...defaultFormula,
  ...tracked,
  ...required,
  ...computed,
  default: text.optional(),
}

const list = {
  ...common,
  ...defaultFormula,
  ...tracked,
  ...required,
  ...computed,
  values: z
    .array(PICKLIST_VALUE)
    .optional()
    .meta({ description: 'A bare text is a value that is its own label.' }),
  valueSet: text.optional().meta({ description: 'Name of a file of value-sets, instead of values.' }),
  controller: text.optional().meta({ description: 'The field that decides which values are offered.' }),
  restricted: flag.optional().meta({ description: 'Only the listed values are accepted.' }),
  default: text.optional(),
}

/** The properties of each type. Definition files cannot use `id` and `personname`. */
const PROPERTIES = {
  string: { ...shortText(255), ...formula },
  textarea: { ...longText, ...length(255) },
  longtextarea: longText,
  richtextarea: longText,
  encryptedstring: { ...longText, ...length(175) },
  email: shortText(255),
  phone: shortText(255),
  url: shortText(255),
  boolean: { ...common, ...formula, ...defaultFormula, ...tracked, ...computed, default: flag.optional() },
  int: {
    ...common,
    ...defaultFormula,
    ...tracked,
    ...required,
    ...computed,
    ...key,
    default: z.int().optional(),
  },
  double: decimal,
  currency: decimal,
  percent: decimal,
  date: timestamp,
  datetime: timestamp,
  time: timestamp,
  picklist: {
    ...list,
    ...length(255),
    unique: key.unique,
    externalId: key.externalId,
    idLookup: key.idLookup,
  },
  combobox: { ...list, ...length(255) },
  multipicklist: {
    ...list,
    ...length(4099),
    precision: z
      .int()
      .min(3)
      .max(10)
      .optional()
      .meta({ description: 'Rows that people see at once; default 4.' }),
  },
  reference: {
    ...common,
    ...tracked,
    ...required,
    to: z
      .union([text, z.array(text).min(1)])
      .meta({ description: 'The object that it points to, or several.' }),
    relationship: text
      .optional()
      .meta({ description: 'Name of the way up: Account__r of Account__c when absent.' }),
    children: text.optional().meta({ description: 'Name of the way down: Projects__r; none when absent.' }),
    onDelete: z.enum(['clear', 'cascade', 'restrict']).optional().meta({
      description: 'What deleting the target does to this record; default clear.',
    }),
    masterDetail: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .meta({
        description: 'This record is a detail of its target: 0 for the first master, 1 for the second.',
      }),
    reparentable: flag.optional().meta({ description: 'A detail may be given to another master.' }),
    default: text.optional(),
  },
  autonumber: {
    ...common,
    ...key,
    format: text.optional().meta({ description: 'Display format: A-{0000}. Default {0}.' }),
  },
  address: { ...common, ...tracked },
  location: { ...common, ...tracked },
  base64: { ...common, ...required },
} as const satisfies Partial<Record<FieldTypeName, object>>

export type FileFieldType = keyof typeof PROPERTIES

export const FILE_FIELD_TYPES = Object.keys(PROPERTIES) as readonly FileFieldType[]

/** True if changes of fields of the type can be kept. */
export const mayTrackType = (type: FileFieldType | undefined): boolean =>
  type !== undefined && 'trackHistory' in PROPERTIES[type]

export const isFileFieldType = (name: unknown): name is FileFieldType =>
  typeof name === 'string' && Object.hasOwn(PROPERTIES, name)

const makeFieldSchema = (type: FileFieldType) =>
  z.strictObject({ type: z.literal(type), ...PROPERTIES[type] })

export const FIELD_FILES = Object.fromEntries(
  FILE_FIELD_TYPES.map((type) => [type, makeFieldSchema(type)]),
) as Record<FileFieldType, ReturnType<typeof makeFieldSchema>>

/** The properties of a standard field that a file may change. */
export const STANDARD_FIELD = z.strictObject({
  label: common.label,
  help: common.help,
  description: common.description,
  required: required.required,
  values: list.values,
  valueSet: list.valueSet,
  controller: list.controller,
  restricted: list.restricted,
  trackHistory: tracked.trackHistory,
  default: z.union([text, z.number(), flag]).optional(),
  defaultFormula: defaultFormula.defaultFormula,
} satisfies Record<(typeof CHANGEABLE_PROPERTIES)[number], z.ZodType>)

/** A field in a definition file. Properties that do not apply to its type are absent. */
export interface FieldFile {
  readonly type?: FileFieldType | undefined
  readonly label?: string | undefined
  readonly help?: string | undefined
  readonly description?: string | undefined
  readonly formula?: string | undefined
  readonly blanks?: 'zero' | 'blank' | undefined
  readonly rollUp?: RollUpDefinition | undefined
  readonly defaultFormula?: string | undefined
  readonly createable?: boolean | undefined
  readonly updateable?: boolean | undefined
  readonly trackHistory?: boolean | undefined
  readonly required?: boolean | undefined
  readonly computed?: boolean | undefined
  readonly unique?: boolean | undefined
  readonly externalId?: boolean | undefined
  readonly idLookup?: boolean | undefined
  readonly caseSensitive?: boolean | undefined
  readonly length?: number | undefined
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  readonly default?: string | number | boolean | undefined
  readonly values?: readonly z.infer<typeof PICKLIST_VALUE>[] | undefined
  readonly valueSet?: string | undefined
  readonly controller?: string | undefined
  readonly restricted?: boolean | undefined
  readonly to?: string | readonly string[] | undefined
  readonly relationship?: string | undefined
  readonly children?: string | undefined
  readonly onDelete?: 'clear' | 'cascade' | 'restrict' | undefined
  readonly masterDetail?: 0 | 1 | undefined
  readonly reparentable?: boolean | undefined
  readonly format?: string | undefined
}

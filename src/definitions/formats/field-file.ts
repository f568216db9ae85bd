import { z } from 'zod'
import type { RollUpDefinition } from '../../schema/fields/field-definition.ts'
import { FIELD_TYPE_NAMES, FIELD_TYPES, type FieldTypeName } from '../../schema/fields/registry.ts'
import type { FileProperty, TypeInFiles } from '../../schema/fields/type-in-files.ts'
import type { CHANGEABLE_PROPERTIES } from '../../standard/changeable-properties.ts'
import { FORECAST_CATEGORIES } from '../../standard/values/short-picklists.ts'

/** The names of the types that fields in definition files may have. */
export const FILE_FIELD_TYPES = FIELD_TYPE_NAMES.filter((name) => FIELD_TYPES[name].file !== undefined)

export const isFileFieldType = (name: unknown): name is FieldTypeName =>
  (FILE_FIELD_TYPES as readonly unknown[]).includes(name)

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

const VALUES = z
  .array(PICKLIST_VALUE)
  .optional()
  .meta({ description: 'A bare text is a value that is its own label.' })

/** Properties of the types that have them, where they are the same in all. */
const PROPERTIES = {
  trackHistory: flag
    .optional()
    .meta({ description: 'Changes of it are kept, if its object has trackHistory.' }),
  required: flag.optional().meta({ description: 'A value is needed.' }),
  computed: flag
    .optional()
    .meta({ description: 'Computed by the .ts file beside this one; nobody else writes it.' }),
  formula: text.optional().meta({ description: 'The formula that computes it; nobody writes it.' }),
  blanks: z
    .enum(['zero', 'blank'])
    .optional()
    .meta({ description: 'How the formula sees blank numbers; default zero.' }),
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
  defaultFormula: text
    .optional()
    .meta({ description: 'The formula whose value a new record gets that gives none: TODAY()' }),
  unique: flag.optional().meta({ description: 'No two records have the same value.' }),
  externalId: flag.optional().meta({ description: 'Upserts may name records by it.' }),
  idLookup: flag
    .optional()
    .meta({ description: 'It may stand in the path of a record, as external ids do.' }),
  caseSensitive: flag.optional().meta({ description: 'Unique texts only: Ada and ADA are two values.' }),
  precision: z.int().min(1).max(18).optional().meta({ description: 'Digits in all; default 18.' }),
  scale: z.int().min(0).max(18).optional().meta({ description: 'Digits after the point; default 0.' }),
  values: VALUES,
  valueSet: text.optional().meta({ description: 'Name of a file of value-sets, instead of values.' }),
  controller: text.optional().meta({ description: 'The field that decides which values are offered.' }),
  restricted: flag.optional().meta({ description: 'Only the listed values are accepted.' }),
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
  format: text.optional().meta({ description: 'Display format: A-{0000}. Default {0}.' }),
} as const satisfies Record<FileProperty, z.ZodType>

const ROWS = z
  .int()
  .min(3)
  .max(10)
  .optional()
  .meta({ description: 'Rows that people see at once; default 4.' })

const DEFAULTS = { text, flag, number: z.number(), int: z.int() } as const satisfies Record<
  NonNullable<TypeInFiles['default']>,
  z.ZodType
>

const makeFieldSchema = (
  name: FieldTypeName,
  { properties, maxLength, hasRows, default: defaultValue }: TypeInFiles,
) =>
  z.strictObject({
    type: z.literal(name),
    ...common,
    ...Object.fromEntries(properties.map((property) => [property, PROPERTIES[property]])),
    ...(hasRows === true && { precision: ROWS }),
    ...(maxLength !== undefined && {
      length: z.int().min(1).max(maxLength).optional().meta({ description: 'Most characters.' }),
    }),
    ...(defaultValue !== undefined && { default: DEFAULTS[defaultValue].optional() }),
  })

/** The schemas of fields by the names of their types. */
export const FIELD_FILES: ReadonlyMap<string, z.ZodObject> = new Map(
  FILE_FIELD_TYPES.map((name) => [name, makeFieldSchema(name, FIELD_TYPES[name].file!)]),
)

/** The properties of a standard field that a file may change. */
export const STANDARD_FIELD = z.strictObject({
  label: common.label,
  help: common.help,
  description: common.description,
  required: PROPERTIES.required,
  values: VALUES,
  valueSet: PROPERTIES.valueSet,
  controller: PROPERTIES.controller,
  restricted: PROPERTIES.restricted,
  trackHistory: PROPERTIES.trackHistory,
  default: z.union([text, z.number(), flag]).optional(),
  defaultFormula: PROPERTIES.defaultFormula,
} satisfies Record<(typeof CHANGEABLE_PROPERTIES)[number], z.ZodType>)

/** A field in a definition file. Properties that do not apply to its type are absent. */
export interface FieldFile {
  readonly type?: FieldTypeName | undefined
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

/** A picklist value in a definition file that has more properties than its text. */
export type FileValue = Exclude<NonNullable<FieldFile['values']>[number], string>

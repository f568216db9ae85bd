import { z } from 'zod'

/** The parts of a describe that an import reads. Older API versions omit some of them. */

const text = z.string()
const flag = z.boolean().default(false)
const optionalText = text.nullable().default(null)
const count = z.number().default(0)

const PICKLIST_VALUE = z.object({
  active: z.boolean().default(true),
  defaultValue: flag,
  label: optionalText,
  validFor: optionalText,
  value: text,
})

const FIELD = z.object({
  autoNumber: flag,
  calculated: flag,
  calculatedFormula: optionalText,
  cascadeDelete: flag,
  caseSensitive: flag,
  compoundFieldName: optionalText,
  controllerName: optionalText,
  createable: z.boolean().default(true),
  defaultValue: z.union([text, z.number(), z.boolean()]).nullable().default(null),
  defaultValueFormula: optionalText,
  externalId: flag,
  extraTypeInfo: optionalText,
  filterable: z.boolean().default(true),
  htmlFormatted: flag,
  idLookup: flag,
  inlineHelpText: optionalText,
  label: text,
  length: count,
  name: text,
  nameField: flag,
  nillable: z.boolean().default(true),
  picklistValues: z.array(PICKLIST_VALUE).nullable().default([]),
  precision: count,
  referenceTo: z.array(text).nullable().default([]),
  relationshipName: optionalText,
  relationshipOrder: z.number().nullable().default(null),
  restrictedDelete: flag,
  restrictedPicklist: flag,
  scale: count,
  type: text,
  unique: flag,
  updateable: z.boolean().default(true),
})

const CHILD = z.object({ childSObject: text, field: text, relationshipName: optionalText })

const RECORD_TYPE = z.object({
  active: z.boolean().default(true),
  defaultRecordTypeMapping: flag,
  developerName: optionalText,
  master: flag,
  name: text,
})

const OBJECT = z.object({
  childRelationships: z.array(CHILD).default([]),
  createable: z.boolean().default(true),
  custom: flag,
  customSetting: flag,
  deletable: z.boolean().default(true),
  keyPrefix: optionalText,
  fields: z.array(FIELD),
  label: text,
  labelPlural: optionalText,
  name: text,
  recordTypeInfos: z.array(RECORD_TYPE).default([]),
  searchable: z.boolean().default(true),
  updateable: z.boolean().default(true),
})

export type DescribedField = z.infer<typeof FIELD>

/** A describe, including the parts that an import does not read. */
export type DescribedObject = z.infer<typeof OBJECT> & {
  readonly whole: Readonly<Record<string, unknown>> & { readonly fields: readonly Record<string, unknown>[] }
}

/** Finds the describes in a JSON value: one, a list, or the output of the sf command. */
function bodiesIn(json: unknown): Record<string, unknown>[] {
  const candidates = Array.isArray(json) ? json : [json]
  return candidates.flatMap((entry) => {
    const body = entry?.fields === undefined ? entry?.result : entry
    return Array.isArray(body?.fields) && body.name !== undefined ? [body] : []
  })
}

/**
 * Parses the describes in a file.
 * @throws Error that says what is wrong with the file
 */
export function readDescribes(path: string, text: string): DescribedObject[] {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`)
  }
  return bodiesIn(json).map((body) => {
    const read = OBJECT.safeParse(body)
    if (read.success) return { ...read.data, whole: body as DescribedObject['whole'] }
    const [issue] = read.error.issues
    throw new Error(`${path} is not a describe: ${issue!.path.join('.')}: ${issue!.message}`)
  })
}

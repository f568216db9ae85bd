import { queryOptions, useQuery } from '@tanstack/react-query'
import { readMetadata } from './metadata.ts'

/* What there is, as the caller may see it. Objects are listed once; one is described when it is needed. */

export interface ObjectSummary {
  readonly name: string
  readonly label: string
  readonly labelPlural: string
  readonly keyPrefix: string | null
  readonly custom: boolean
  readonly createable: boolean
  readonly updateable: boolean
  readonly deletable: boolean
  readonly undeletable: boolean
  readonly queryable: boolean
  readonly retrieveable: boolean
  readonly searchable: boolean
  readonly layoutable: boolean
}

export interface PicklistValue {
  readonly value: string
  readonly label: string
  readonly active: boolean
  readonly defaultValue: boolean
  readonly validFor: string | null
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly extraTypeInfo: string | null
  readonly inlineHelpText: string | null
  readonly length: number
  readonly precision: number
  readonly scale: number
  readonly createable: boolean
  readonly updateable: boolean
  readonly nillable: boolean
  readonly defaultedOnCreate: boolean
  readonly filterable: boolean
  readonly sortable: boolean
  readonly calculated: boolean
  readonly custom: boolean
  readonly unique: boolean
  readonly externalId: boolean
  readonly nameField: boolean
  readonly autoNumber: boolean
  readonly compoundFieldName: string | null
  readonly referenceTo: readonly string[]
  readonly relationshipName: string | null
  readonly picklistValues: readonly PicklistValue[]
  readonly restrictedPicklist: boolean
  readonly dependentPicklist: boolean
  readonly controllerName: string | null
  readonly encrypted: boolean
}

interface ChildRelationship {
  readonly childSObject: string
  readonly field: string
  readonly relationshipName: string | null
  readonly cascadeDelete: boolean
}

interface RecordType {
  readonly name: string
  readonly developerName: string
  readonly recordTypeId: string
  readonly active: boolean
  readonly available: boolean
  readonly master: boolean
  readonly defaultRecordTypeMapping: boolean
}

export interface Description extends ObjectSummary {
  readonly fields: readonly Field[]
  readonly childRelationships: readonly ChildRelationship[]
  readonly recordTypeInfos: readonly RecordType[]
}

const FIVE_MINUTES = 5 * 60 * 1000

/** Names of objects by the beginning of their ids; empty until the objects are listed. */
const namesByPrefix = new Map<string, string>()

const objectsQuery = queryOptions({
  queryKey: ['objects'],
  queryFn: async () => {
    const { sobjects } = await readMetadata<{ sobjects: readonly ObjectSummary[] }>('/sobjects')
    for (const { keyPrefix, name } of sobjects) if (keyPrefix !== null) namesByPrefix.set(keyPrefix, name)
    return sobjects
  },
  staleTime: FIVE_MINUTES,
})

export const describeQuery = (object: string) =>
  queryOptions({
    queryKey: ['describe', object],
    queryFn: () => readMetadata<Description>(`/sobjects/${encodeURIComponent(object)}/describe`),
    staleTime: FIVE_MINUTES,
  })

export const useObjects = () => useQuery(objectsQuery)
export const useDescribe = (object: string | undefined) =>
  useQuery({ ...describeQuery(object ?? ''), enabled: object !== undefined && object !== '' })

export const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-zA-Z0-9]{15}([A-Z0-5]{3})?$/.test(text) && /\d/.test(text)

/** The object whose ids begin like this one; undefined when the text is no id, or one of no object that the caller sees. */
export const objectOfId = (id: unknown): string | undefined =>
  isId(id) ? namesByPrefix.get(id.slice(0, 3)) : undefined

/** A field by which people know a record: its name, or what stands for it. */
export const nameFieldOf = (description: Description | undefined): string | undefined =>
  description?.fields.find(({ nameField }) => nameField)?.name

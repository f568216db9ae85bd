import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Field, PicklistValue } from './describe.ts'
import { kindOf } from './field-kind.ts'
import { readMetadata } from './metadata.ts'

/* How a page of an object is laid out, as the server derives it. */

interface LayoutItem {
  readonly label: string
  readonly layoutComponents: readonly { readonly type: string; readonly value: string }[]
  readonly required: boolean
}

export interface LayoutSection {
  readonly heading: string
  readonly layoutSectionId: string
  readonly layoutRows: readonly { readonly layoutItems: readonly LayoutItem[] }[]
}

export interface RelatedList {
  readonly custom: boolean
  readonly name: string
  readonly label: string
  readonly sobject: string
  readonly field: string
  readonly columns: readonly { readonly name: string; readonly label: string }[]
}

interface RecordTypeMapping {
  readonly recordTypeId: string
  readonly picklistsForRecordType:
    | readonly { readonly picklistName: string; readonly picklistValues: readonly PicklistValue[] }[]
    | null
}

interface Layouts {
  readonly layouts: readonly {
    readonly detailLayoutSections: readonly LayoutSection[]
    readonly editLayoutSections: readonly LayoutSection[]
    readonly relatedLists: readonly RelatedList[]
  }[]
  readonly recordTypeMappings: readonly RecordTypeMapping[]
}

const layoutQuery = (object: string) =>
  queryOptions({
    queryKey: ['layout', object],
    queryFn: () => readMetadata<Layouts>(`/sobjects/${encodeURIComponent(object)}/describe/layouts`),
    staleTime: 5 * 60 * 1000,
  })

export const useLayout = (object: string) => useQuery(layoutQuery(object))

/** The fields of a section, in its order. */
export const fieldsOf = ({ layoutRows }: LayoutSection): string[] =>
  layoutRows.flatMap(({ layoutItems }) =>
    layoutItems.flatMap(({ layoutComponents }) =>
      layoutComponents.filter(({ type }) => type === 'Field').map(({ value }) => value),
    ),
  )

/** Which values a picklist offers records of a type. */
export function valuesFor(
  layouts: Layouts | undefined,
  recordTypeId: unknown,
  field: string,
): readonly PicklistValue[] | undefined {
  const mapping = layouts?.recordTypeMappings.find((one) => one.recordTypeId === recordTypeId)
  return mapping?.picklistsForRecordType?.find(({ picklistName }) => picklistName === field)?.picklistValues
}

/** True if the controller's value with this index allows a value, as its `validFor` bits say. */
function isValidFor(validFor: string | null, index: number): boolean {
  if (validFor === null) return true
  const bytes = atob(validFor)
  const byte = bytes.charCodeAt(index >> 3)
  return Number.isNaN(byte) ? false : (byte & (0x80 >> (index & 7))) !== 0
}

/** The active ones of a picklist's values; with a controller those that its value allows. */
export function allowedValues(
  values: readonly PicklistValue[],
  controller: Field | undefined,
  controllerValue: unknown,
): readonly PicklistValue[] {
  const active = values.filter((one) => one.active)
  if (controller === undefined) return active
  const index =
    kindOf(controller) === 'checkbox'
      ? Number(controllerValue === true)
      : controller.picklistValues.findIndex(({ value }) => value === controllerValue)
  return index < 0 ? [] : active.filter(({ validFor }) => isValidFor(validFor, index))
}

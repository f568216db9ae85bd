import { useQuery } from '@tanstack/react-query'
import { data, get } from '../../api/client.ts'
import { nameFieldOf, useDescribe } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { useChosenColumns } from '../../api/preferences.ts'
import { quoteContaining } from '../../api/soql.ts'
import type { GridColumn } from '../../components/grid/Grid.tsx'
import { parseFilters, writeFilter } from './filters.ts'
import { makeQuery, selectColumns } from './list-query.ts'

export interface ListView {
  readonly developerName: string
  readonly label: string
}

interface ViewDescription {
  readonly columns: readonly {
    readonly fieldNameOrPath: string
    readonly label: string
    readonly hidden: boolean
    readonly sortable: boolean
    readonly type: string
  }[]
  readonly query: string
}

/** The address of a list. */
interface ListSearch {
  readonly view?: string | undefined
  readonly name?: string | undefined
  readonly where?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
}

interface ListColumn extends GridColumn {
  readonly isName: boolean
}

interface ColumnFacts {
  readonly label: string
  readonly sortable: boolean
  readonly type: string
}

const column = (key: string, { label, sortable, type }: ColumnFacts, isName: boolean): ListColumn => ({
  key,
  label,
  isSortable: sortable,
  isNumber: kindOf({ type }) === 'number',
  isName,
})

/** The columns and the query of a list: those of its view, with what the user chose and what the address adds. */
export function useList(object: string, search: ListSearch) {
  const { data: description, error } = useDescribe(object)
  const nameField = nameFieldOf(description)
  const { data: views } = useQuery({
    queryKey: ['views', object],
    queryFn: async ({ signal }) =>
      (await get<{ listviews: readonly ListView[] }>(data(`/sobjects/${object}/listviews`), { signal }))
        .listviews,
    staleTime: 300_000,
    retry: false,
  })
  const view = search.view ?? views?.[0]?.developerName
  const viewDescription = useQuery({
    queryKey: ['view', object, view],
    queryFn: ({ signal }) =>
      get<ViewDescription>(data(`/sobjects/${object}/listviews/${view}/describe`), { signal }),
    enabled: view !== undefined,
    staleTime: 300_000,
  })
  // Objects without views have their names.
  const isPlain = views?.length === 0
  const fields = new Map(description?.fields.map((field) => [field.name, field]))
  const chosen = useChosenColumns(object)
  // A field may have gone, or may no longer be seen.
  const chosenFields = chosen.fields?.flatMap((name) => fields.get(name) ?? []) ?? []
  const viewColumns = isPlain
    ? ['Id', ...(nameField === undefined ? [] : [nameField]), 'CreatedDate'].flatMap((name) => {
        const field = fields.get(name)
        return field === undefined ? [] : column(name, { ...field, label: name }, name === nameField)
      })
    : (viewDescription.data?.columns ?? [])
        .filter(({ hidden }) => !hidden)
        .map((one) => column(one.fieldNameOrPath, one, one.fieldNameOrPath === nameField))
  const viewBase = isPlain
    ? description && `SELECT ${viewColumns.map(({ key }) => key).join(', ')} FROM ${object}`
    : viewDescription.data?.query
  const columns =
    chosenFields.length === 0
      ? viewColumns
      : chosenFields.map((field) => column(field.name, field, field.nameField))
  const base =
    viewBase === undefined || columns === viewColumns
      ? viewBase
      : selectColumns(
          viewBase,
          columns.map(({ key }) => key),
        )
  const filters = parseFilters(search.filter)
  const added = [
    ...(search.name === undefined || nameField === undefined
      ? []
      : [`${nameField} LIKE ${quoteContaining(search.name)}`]),
    ...filters.map((filter) => writeFilter(filter, fields.get(filter.field))),
    ...(search.where === undefined ? [] : [search.where]),
  ]
  // How a value is written is known when its field is.
  const needsFields = filters.length > 0 || search.name !== undefined
  const isKnown = !chosen.isPending && (!needsFields || description !== undefined)
  const soql = base === undefined || !isKnown ? undefined : makeQuery(base, added, search.sort)
  return {
    description,
    error,
    viewError: viewDescription.error,
    nameField,
    views,
    view,
    fields,
    filters,
    columns,
    chosen,
    isNarrowed: added.length > 0,
    base,
    soql,
  }
}

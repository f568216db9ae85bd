import { Button, Group, Select, Skeleton, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTerminal2 } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { data, get } from '../../api/client.ts'
import { nameFieldOf, useDescribe } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { useChooseColumns, useChosenColumns } from '../../api/preferences.ts'
import { quoteContaining } from '../../api/soql.ts'
import { CopyAs } from '../../components/CopyAs.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { CellText, textOf } from '../../components/grid/CellText.tsx'
import { Grid, type GridColumn } from '../../components/grid/Grid.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import type { Inserted } from '../../components/schema/inserted.ts'
import { BesideSchema, SchemaButton } from '../../components/schema/SchemaPane.tsx'
import { useSchemaOpen } from '../../components/schema/schema-open.ts'
import { count, timeOfDay } from '../../components/words.ts'
import { ColumnChoice } from './ColumnChoice.tsx'
import { DeleteSelected } from './DeleteSelected.tsx'
import { makeQuery, selectColumns } from './list-query.ts'
import styles from './Records.module.css'

interface ListView {
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

interface Page {
  readonly totalSize: number
  readonly nextRecordsUrl?: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

const valueAt = (row: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, row)

/** The records of an object, by one of its list views. */
export function RecordList() {
  const { object } = useParams({ from: '/records/$object' })
  const search = useSearch({ from: '/records/$object' })
  const navigate = useNavigate({ from: '/records/$object' })
  const { data: description, error: describeError } = useDescribe(object)
  const nameField = nameFieldOf(description)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())

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
  const choose = useChooseColumns(object)
  const schema = useSchemaOpen()
  // A field may have gone, or may no longer be seen.
  const chosenFields = chosen.fields?.flatMap((name) => fields.get(name) ?? [])
  const viewColumns: (GridColumn & { isName: boolean })[] = isPlain
    ? ['Id', ...(nameField === undefined ? [] : [nameField]), 'CreatedDate']
        .filter((name) => description?.fields.some((field) => field.name === name))
        .map((key) => ({ key, label: key, isName: key === nameField }))
    : (viewDescription.data?.columns ?? [])
        .filter(({ hidden }) => !hidden)
        .map(({ fieldNameOrPath, label, sortable, type }) => ({
          key: fieldNameOrPath,
          label,
          isSortable: sortable,
          isNumber: kindOf({ type }) === 'number',
          isName: fieldNameOrPath === nameField,
          ...(fieldNameOrPath === nameField && { width: 260 }),
        }))
  const viewBase = isPlain
    ? description && `SELECT ${viewColumns.map(({ key }) => key).join(', ')} FROM ${object}`
    : viewDescription.data?.query
  const columns =
    chosenFields === undefined || chosenFields.length === 0
      ? viewColumns
      : chosenFields.map(({ name, label, sortable, type, nameField: isName }) => ({
          key: name,
          label,
          isSortable: sortable,
          isNumber: kindOf({ type }) === 'number',
          isName,
          ...(isName && { width: 260 }),
        }))
  const base =
    viewBase === undefined || columns === viewColumns
      ? viewBase
      : selectColumns(
          viewBase,
          columns.map(({ key }) => key),
        )
  const added = [
    ...(search.name === undefined || nameField === undefined
      ? []
      : [`${nameField} LIKE ${quoteContaining(search.name)}`]),
    ...(search.where === undefined ? [] : [search.where]),
  ]
  const soql = base === undefined || chosen.isPending ? undefined : makeQuery(base, added, search.sort)
  const {
    data: pages,
    error,
    isFetching,
    hasNextPage,
    fetchNextPage,
    refetch,
    dataUpdatedAt,
  } = useInfiniteQuery({
    queryKey: ['records', object, soql],
    queryFn: ({ pageParam, signal }) =>
      get<Page>(pageParam === '' ? data(`/query?${new URLSearchParams({ q: soql! })}`) : pageParam, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextRecordsUrl }) => nextRecordsUrl,
    enabled: soql !== undefined,
    retry: false,
  })
  const rows = pages?.pages.flatMap(({ records }) => records) ?? []
  const total = pages?.pages[0]?.totalSize
  const change = useDebouncedCallback((changed: Partial<typeof search>) => {
    setSelected(new Set())
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  }, 350)

  if (describeError !== null)
    return (
      <div style={{ padding: 20 }}>
        <ErrorNotice error={describeError} />
      </div>
    )
  /** A field of the schema becomes one more column. */
  const show = ({ kind, text }: Inserted) => {
    const shown = columns.map(({ key }) => key)
    if (kind !== 'field' || shown.includes(text)) return
    if (chosen.canChoose && fields.has(text)) choose.mutate([...shown.filter((key) => fields.has(key)), text])
    else notifications.show({ message: `Columns are fields of ${object} itself. A query can show ${text}.` })
  }
  return (
    <BesideSchema schema={schema} object={object} verb="Show" onInsert={show}>
      <div className={styles.screen}>
        <div className={styles.bar}>
          <div style={{ marginRight: 'auto' }}>
            <Text size="xs" c="dimmed">
              <Link to="/records" className="console-link">
                Records
              </Link>{' '}
              / {object}
            </Text>
            <Title order={1} size="h3">
              {description?.labelPlural ?? object}
            </Title>
          </div>
          {views !== undefined && views.length > 0 && (
            <Select
              label="View"
              size="xs"
              w={210}
              data={views.map(({ developerName, label }) => ({ value: developerName, label }))}
              value={view ?? null}
              allowDeselect={false}
              onChange={(value) => change({ view: value ?? undefined, sort: undefined })}
            />
          )}
          {nameField !== undefined && (
            <TextInput
              label="Name"
              placeholder="contains"
              size="xs"
              w={160}
              defaultValue={search.name ?? ''}
              onChange={({ currentTarget }) => change({ name: currentTarget.value || undefined })}
            />
          )}
          <TextInput
            label="Condition, as in a query"
            placeholder="CreatedDate = TODAY"
            size="xs"
            w={250}
            defaultValue={search.where ?? ''}
            onChange={({ currentTarget }) => change({ where: currentTarget.value.trim() || undefined })}
          />
          {description?.createable === true && (
            <Button component={Link} to={`/records/${object}/new`} leftSection={<IconPlus size={15} />}>
              New
            </Button>
          )}
        </div>
        <Group px={20} pb={8} gap="xs" mih={38}>
          <Text size="sm" c="dimmed" role="status">
            {total === undefined
              ? ' '
              : `${count(total)} ${total === 1 ? 'record' : 'records'}, read at ${timeOfDay(dataUpdatedAt)}`}
          </Text>
          {selected.size > 0 && (
            <DeleteSelected
              object={object}
              label={description?.label ?? object}
              ids={[...selected].map((row) => String(rows[row]?.Id))}
              onDone={() => {
                setSelected(new Set())
                void refetch()
              }}
            />
          )}
          {soql !== undefined && (
            <Group gap={2} ml="auto">
              {chosen.canChoose && description !== undefined && (
                <ColumnChoice
                  object={object}
                  fields={description.fields}
                  shown={columns.map(({ key }) => key)}
                  isChosen={chosen.fields !== undefined}
                />
              )}
              <SchemaButton schema={schema} />
              <Button
                component={Link}
                to={`/query?${new URLSearchParams({ q: soql })}`}
                variant="subtle"
                color="gray"
                leftSection={<IconTerminal2 size={15} />}
              >
                Open as a query
              </Button>
              <CopyAs
                call={{ method: 'GET', path: data(`/query?${new URLSearchParams({ q: soql })}`), soql }}
              />
            </Group>
          )}
        </Group>
        <div className={styles.grid}>
          {error !== null ? (
            <div style={{ padding: 20 }}>
              <ErrorNotice error={error} onRetry={() => void refetch()} />
            </div>
          ) : pages === undefined ? (
            <Skeleton h={240} radius={0} />
          ) : rows.length === 0 ? (
            <EmptyState
              title="No records"
              text={
                added.length > 0
                  ? 'None meets the conditions.'
                  : 'There are none that you may see in this view.'
              }
            />
          ) : (
            <Grid
              key={soql}
              label={description?.labelPlural ?? object}
              columns={columns}
              rowCount={rows.length}
              widthsKey={`list.${object}`}
              sorted={
                search.sort === undefined
                  ? undefined
                  : { key: search.sort.replace(/^-/, ''), isDescending: search.sort.startsWith('-') }
              }
              onSort={(sorted) =>
                change({ sort: sorted && `${sorted.isDescending ? '-' : ''}${sorted.key}` })
              }
              selected={selected}
              onSelect={description?.deletable === true ? setSelected : undefined}
              onOpen={(row) =>
                void navigate({ to: '/records/$object/$id', params: { object, id: String(rows[row]!.Id) } })
              }
              onEnd={() => {
                if (hasNextPage && !isFetching) void fetchNextPage()
              }}
              cell={(row, column) => {
                const value = valueAt(rows[row], column.key)
                return {
                  text: textOf(value),
                  shown:
                    (column as (typeof columns)[number]).isName && value !== null ? (
                      <RecordLink object={object} id={String(rows[row]!.Id)} isSkipped>
                        <bdi>{textOf(value).slice(0, 256)}</bdi>
                      </RecordLink>
                    ) : (
                      <CellText value={value} />
                    ),
                }
              }}
            />
          )}
        </div>
      </div>
    </BesideSchema>
  )
}

import { Button, Group, Select, Skeleton, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { data, get } from '../../api/client.ts'
import { useChooseColumns } from '../../api/preferences.ts'
import besides from '../../components/beside/Beside.module.css'
import { useBeside } from '../../components/beside/use-beside.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { CellText, textOf } from '../../components/grid/CellText.tsx'
import { Grid } from '../../components/grid/Grid.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import type { Inserted } from '../../components/schema/inserted.ts'
import { BesideSchema, SchemaButton } from '../../components/schema/SchemaPane.tsx'
import { useSchemaOpen } from '../../components/schema/schema-open.ts'
import { count, timeOfDay } from '../../components/words.ts'
import { AddressInput } from './AddressInput.tsx'
import { ColumnChoice } from './ColumnChoice.tsx'
import { DeleteSelected } from './DeleteSelected.tsx'
import { FilterPills } from './FilterPills.tsx'
import { formatFilters } from './filters.ts'
import { OpenRecord } from './OpenRecord.tsx'
import styles from './Records.module.css'
import { SaveView } from './SaveView.tsx'
import { SetField } from './SetField.tsx'
import { ShowQuery } from './ShowQuery.tsx'
import { useList } from './use-list.ts'

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
  const {
    description,
    error: describeError,
    viewError,
    nameField,
    views,
    view,
    fields,
    filters,
    columns,
    chosen,
    isNarrowed,
    base,
    soql,
  } = useList(object, search)
  const choose = useChooseColumns(object)
  const schema = useSchemaOpen()
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const {
    data: pages,
    error,
    isFetching,
    hasNextPage,
    fetchNextPage,
    refetch,
    dataUpdatedAt,
    isPlaceholderData,
  } = useInfiniteQuery({
    queryKey: ['records', object, base, soql],
    queryFn: ({ pageParam, signal }) =>
      get<Page>(pageParam === '' ? data(`/query?${new URLSearchParams({ q: soql! })}`) : pageParam, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextRecordsUrl }) => nextRecordsUrl,
    enabled: soql !== undefined,
    retry: false,
    // Rows of the same columns stay until those of another filter or order come.
    placeholderData: (earlier, query) => (query?.queryKey[2] === base ? earlier : undefined),
  })
  const refusal = viewError ?? error
  const rows = useMemo(() => pages?.pages.flatMap(({ records }) => records) ?? [], [pages])
  const ids = useMemo(() => rows.map(({ Id }) => String(Id)), [rows])
  const total = pages?.pages[0]?.totalSize
  const selected = new Set(ids.flatMap((id, row) => (selectedIds.has(id) ? [row] : [])))
  const selectedNow = [...selected].map((row) => ids[row]!)
  const beside = useBeside({
    ids,
    openId: search.record,
    onChange: (record, replace) => void navigate({ search: (before) => ({ ...before, record }), replace }),
  })
  const { isOver, openId, open } = beside
  const change = (changed: Partial<typeof search>, replace = false) => {
    setSelectedIds(new Set())
    void navigate({ search: (before) => ({ ...before, ...changed }), replace })
  }

  if (describeError !== null)
    return (
      <div style={{ padding: 20 }}>
        <ErrorNotice error={describeError} />
      </div>
    )
  const sortKey = search.sort?.replace(/^-/, '')
  const sorted =
    sortKey === undefined
      ? undefined
      : {
          key: sortKey,
          isDescending: search.sort!.startsWith('-'),
          label: columns.find(({ key }) => key === sortKey)?.label ?? sortKey,
        }
  const select = (chosenRows: ReadonlySet<number>) =>
    setSelectedIds(new Set([...chosenRows].map((row) => ids[row]!)))
  /** A field of the schema becomes one more column. */
  const show = ({ kind, text }: Inserted) => {
    const shown = columns.map(({ key }) => key)
    if (kind !== 'field' || shown.includes(text)) return
    if (chosen.canChoose && fields.has(text)) choose.mutate([...shown.filter((key) => fields.has(key)), text])
    else notifications.show({ message: `Columns are fields of ${object} itself. A query can show ${text}.` })
  }
  const canWrite = description !== undefined && (description.updateable || description.deletable)
  const opened = openId !== undefined && description !== undefined && (
    <OpenRecord description={description} id={openId} beside={beside} />
  )
  return (
    <BesideSchema schema={schema} object={object} verb="Show" onInsert={show}>
      <div className={besides.screen}>
        <div className={besides.page} inert={isOver && openId !== undefined}>
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
              <AddressInput
                label="Name"
                placeholder="contains"
                w={160}
                value={search.name}
                onChange={(name) => change({ name }, true)}
              />
            )}
            <AddressInput
              label="Condition, as in a query"
              placeholder="CreatedDate = TODAY"
              w={250}
              value={search.where}
              onChange={(where) => change({ where }, true)}
            />
            {description?.createable === true && (
              <Button component={Link} to={`/records/${object}/new`} leftSection={<IconPlus size={15} />}>
                New
              </Button>
            )}
          </div>
          <FilterPills
            filters={filters}
            fields={description?.fields ?? []}
            onChange={(changed) => change({ filter: formatFilters(changed) })}
            sorted={sorted}
            onUnsort={() => change({ sort: undefined })}
          />
          <Group px={20} pb={8} gap="xs" mih={38}>
            <Text size="sm" c="dimmed" role="status">
              {isPlaceholderData
                ? 'Reading…'
                : total === undefined
                  ? ' '
                  : `${count(total)} ${total === 1 ? 'record' : 'records'}, read at ${timeOfDay(dataUpdatedAt)}`}
            </Text>
            {selected.size > 0 && description?.updateable === true && (
              <SetField
                description={description}
                ids={selectedNow}
                onDone={(refused) => {
                  setSelectedIds(new Set(refused))
                  void refetch()
                }}
              />
            )}
            {selected.size > 0 && description?.deletable === true && (
              <DeleteSelected
                object={object}
                label={description.label}
                ids={selectedNow}
                onDone={() => {
                  setSelectedIds(new Set())
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
                {views !== undefined && views.length > 0 && (
                  <SaveView
                    object={object}
                    views={views}
                    soql={soql}
                    columns={columns.map(({ key }) => key)}
                    onSaved={(saved) =>
                      change({
                        view: saved,
                        name: undefined,
                        where: undefined,
                        filter: undefined,
                        sort: undefined,
                      })
                    }
                  />
                )}
                <ShowQuery soql={soql} />
                <CopyAs call={{ method: 'GET', path: data(`/query?${new URLSearchParams({ q: soql })}`) }} />
              </Group>
            )}
          </Group>
          <div className={besides.panes}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape in the grid inside */}
            <div
              ref={beside.list}
              className={`${besides.list} ${styles.rows}`}
              aria-busy={isPlaceholderData}
              data-old={isPlaceholderData || undefined}
              onKeyDown={beside.closeByKey}
            >
              {refusal !== null ? (
                <div style={{ padding: 20 }}>
                  <ErrorNotice error={refusal} onRetry={() => void refetch()} />
                </div>
              ) : pages === undefined ? (
                <Skeleton h={240} radius={0} />
              ) : rows.length === 0 ? (
                <EmptyState
                  title="No records"
                  text={
                    isNarrowed
                      ? 'None meets the conditions.'
                      : 'There are none that you may see in this view.'
                  }
                />
              ) : (
                <Grid
                  key={base}
                  label={description?.labelPlural ?? object}
                  columns={columns}
                  rowCount={rows.length}
                  widthsKey={`list.${object}`}
                  sorted={sorted}
                  onSort={(to) => change({ sort: to && `${to.isDescending ? '-' : ''}${to.key}` })}
                  selected={selected}
                  onSelect={canWrite ? select : undefined}
                  ref={beside.grid}
                  openRow={beside.openRow}
                  onOpen={(row) => open(row)}
                  onActive={(row, isClick) => (isClick || openId !== undefined) && open(row, true)}
                  onEnd={() => {
                    if (hasNextPage && !isFetching) void fetchNextPage()
                  }}
                  cell={(row, column) => {
                    const value = valueAt(rows[row], column.key)
                    return {
                      text: textOf(value),
                      shown:
                        (column as (typeof columns)[number]).isName && value !== null ? (
                          <RecordLink object={object} id={ids[row]!} isSkipped>
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
            {!isOver && opened}
          </div>
        </div>
        {isOver && opened}
      </div>
    </BesideSchema>
  )
}

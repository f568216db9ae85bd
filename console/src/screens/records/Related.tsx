import { Accordion, Anchor, Badge, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { data, get } from '../../api/client.ts'
import { type Description, useDescribe, useObjects } from '../../api/describe.ts'
import { quote } from '../../api/soql.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { textOf } from '../../components/grid/CellText.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import { count } from '../../components/words.ts'
import { FieldValue } from './FieldValue.tsx'
import { formatFilters } from './filters.ts'
import styles from './Records.module.css'
import { relatedColumns } from './related-columns.ts'
import { type CountedList, useRelatedCounts } from './use-related-counts.ts'

const SHOWN = 5

function OpenList({ list, id }: { list: CountedList; id: string }) {
  const { data: description, error: describeError } = useDescribe(list.sobject)
  const columns = description && relatedColumns(list, description)
  const names = [...new Set(['Id', ...(columns ?? []).map(({ name }) => name)])]
  const soql = `SELECT ${names.join(', ')} FROM ${list.sobject} WHERE ${list.field} = ${quote(id)} ORDER BY CreatedDate DESC`
  const { data: records, error } = useQuery({
    queryKey: ['related', soql],
    queryFn: async ({ signal }) =>
      (
        await get<{ records: readonly Readonly<Record<string, unknown>>[] }>(
          data(`/query?${new URLSearchParams({ q: `${soql} LIMIT ${SHOWN + 1}` })}`),
          { signal },
        )
      ).records,
    enabled: columns !== undefined,
    retry: false,
  })
  if ((describeError ?? error) !== null) return <ErrorNotice error={describeError ?? error} />
  if (records === undefined || columns === undefined) return <Skeleton h={80} />
  if (records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    )
  return (
    <>
      <Table.ScrollContainer minWidth={columns.length * 130} type="native">
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, label }) => (
                <Table.Th key={name}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.slice(0, SHOWN).map((record) => (
              <Table.Tr key={String(record.Id)}>
                {columns.map((field, at) => (
                  <Table.Td key={field.name} style={{ overflowWrap: 'anywhere' }}>
                    {at === 0 ? (
                      <RecordLink object={list.sobject} id={String(record.Id)}>
                        <bdi>{(textOf(record[field.name]) || String(record.Id)).slice(0, 256)}</bdi>
                      </RecordLink>
                    ) : (
                      <FieldValue field={field} value={record[field.name]} />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {records.length > SHOWN && (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/records/$object"
              params={{ object: list.sobject }}
              search={{ filter: formatFilters([{ field: list.field, operator: 'is', values: [id] }]) }}
              {...props}
            />
          )}
          size="sm"
        >
          All {list.total === undefined ? 'of them' : count(list.total)}
        </Anchor>
      )}
    </>
  )
}

/** Leads to the form of a new record that refers to this one. */
function NewChild({ list, id, onGo }: { list: CountedList; id: string; onGo: () => void }) {
  const { data: objects } = useObjects()
  const child = objects?.find(({ name }) => name === list.sobject)
  if (child?.createable !== true) return null
  return (
    <Button
      renderRoot={(props) => (
        <Link
          to="/records/$object/new"
          params={{ object: child.name }}
          search={{ field: list.field, parent: id }}
          {...props}
        />
      )}
      variant="subtle"
      flex="none"
      leftSection={<IconPlus size={14} />}
      onClick={onGo}
    >
      New <span className={styles.child}>{child.label}</span>
    </Button>
  )
}

/** The lists of records that refer to this one, whose name is given. Their numbers are read at once, each list when it is opened. */
export function Related({ description, id, name }: { description: Description; id: string; name: string }) {
  const { lists, error, retry } = useRelatedCounts(description, id)
  const queries = useQueryClient()
  const [opened, setOpened] = useState<string[]>([])
  const [areEmptyShown, setEmptyShown] = useLocalStorage({
    key: 'objectry.related.empty',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (error !== null) return <ErrorNotice error={error} onRetry={retry} />
  if (lists === undefined) return <Skeleton h={160} />
  if (lists.length === 0) return <EmptyState title="Nothing refers to records of this object" />
  // One that is made with this one as its parent shows the parent's name, without asking for it.
  const rememberName = () => queries.setQueryData(['names', description.name, id], new Map([[id, name]]))
  const labels = Map.groupBy(lists, ({ label }) => label)
  // Those of the org's own objects stay: among the platform's nobody would look for them.
  const empty = lists.filter(({ total, isOwn }) => total === 0 && !isOwn)
  const shown = [...lists.filter((list) => !empty.includes(list)), ...(areEmptyShown ? empty : [])]
  return (
    <>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          No record refers to this one.
        </Text>
      )}
      <Accordion
        multiple
        value={opened}
        onChange={setOpened}
        variant="separated"
        radius="md"
        chevronPosition="left"
        // A list grows when its records come: one that was still opening would move under the pointer.
        transitionDuration={0}
      >
        {shown.map((list) => {
          const { sobject, field, label, total } = list
          const key = `${sobject}.${field}`
          return (
            <Accordion.Item key={key} value={key}>
              <div className={styles.related}>
                <Accordion.Control>
                  <Group gap="xs" wrap="nowrap">
                    <Text size="sm" fw={550} span>
                      {label}
                      {labels.get(label)!.length > 1 && (
                        <Text size="xs" c="dimmed" span ml="xs">
                          by {field}
                        </Text>
                      )}
                    </Text>
                    {total !== undefined && (
                      <Badge
                        flex="none"
                        variant="light"
                        color={total === 0 ? 'gray' : undefined}
                        circle={total < 10}
                      >
                        {count(total)}
                      </Badge>
                    )}
                  </Group>
                </Accordion.Control>
                <NewChild list={list} id={id} onGo={rememberName} />
              </div>
              <Accordion.Panel>{opened.includes(key) && <OpenList list={list} id={id} />}</Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
      {empty.length > 0 && (
        <Button variant="subtle" color="gray" mt="sm" onClick={() => setEmptyShown(!areEmptyShown)}>
          {areEmptyShown ? 'Hide empty' : `Show empty (${count(empty.length)})`}
        </Button>
      )}
    </>
  )
}

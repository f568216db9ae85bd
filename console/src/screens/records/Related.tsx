import { Accordion, Anchor, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { data, get } from '../../api/client.ts'
import { type RelatedList, useLayout } from '../../api/layout.ts'
import { quote } from '../../api/soql.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { CellText } from '../../components/grid/CellText.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'

const SHOWN = 5

function OpenList({ list, id }: { list: RelatedList; id: string }) {
  const names = [...new Set(['Id', ...list.columns.map(({ name }) => name)])]
  const soql = `SELECT ${names.join(', ')} FROM ${list.sobject} WHERE ${list.field} = ${quote(id)} ORDER BY CreatedDate DESC`
  const { data: records, error } = useQuery({
    queryKey: ['related', soql],
    queryFn: async ({ signal }) =>
      (
        await get<{ records: readonly Record<string, unknown>[] }>(
          data(`/query?${new URLSearchParams({ q: `${soql} LIMIT ${SHOWN + 1}` })}`),
          { signal },
        )
      ).records,
    retry: false,
  })
  if (error !== null) return <ErrorNotice error={error} />
  if (records === undefined) return <Skeleton h={80} />
  if (records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    )
  const at = (record: Record<string, unknown>, path: string) =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name] ?? null, record)
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Id</Table.Th>
            {list.columns.map(({ name, label }) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.slice(0, SHOWN).map((record) => (
            <Table.Tr key={String(record.Id)}>
              <Table.Td>
                <RecordLink object={list.sobject} id={String(record.Id)} />
              </Table.Td>
              {list.columns.map(({ name }) => (
                <Table.Td key={name} style={{ overflowWrap: 'anywhere' }}>
                  <CellText value={at(record, name)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {records.length > SHOWN && (
        <Anchor component={Link} to={`/query?${new URLSearchParams({ q: soql })}`} size="sm">
          There are more: open all as a query
        </Anchor>
      )}
    </>
  )
}

/** The lists of records that refer to this one. Each is read when it is opened. */
export function Related({ object, id }: { object: string; id: string }) {
  const { data: layouts, error } = useLayout(object)
  const [opened, setOpened] = useState<string[]>([])
  if (error !== null) return <ErrorNotice error={error} />
  const lists = layouts?.layouts[0]?.relatedLists ?? []
  if (lists.length === 0) return <EmptyState title="Nothing refers to records of this object" />
  return (
    <Accordion multiple value={opened} onChange={setOpened} variant="separated" radius="md">
      {lists.map((list) => (
        <Accordion.Item key={`${list.sobject}.${list.field}`} value={`${list.sobject}.${list.field}`}>
          <Accordion.Control>
            <Text size="sm" fw={550} span>
              {list.label}
            </Text>
            <Text size="xs" c="dimmed" ff="monospace" span ml="sm">
              {list.sobject}.{list.field}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            {opened.includes(`${list.sobject}.${list.field}`) && <OpenList list={list} id={id} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

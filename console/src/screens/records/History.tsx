import { Skeleton, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { data, get } from '../../api/client.ts'
import type { Description } from '../../api/describe.ts'
import { quote } from '../../api/soql.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { CellText } from '../../components/grid/CellText.tsx'
import { dayAndTime } from '../../components/words.ts'

interface Change {
  readonly Id: string
  readonly Field: string
  readonly OldValue: unknown
  readonly NewValue: unknown
  readonly CreatedDate: string
  readonly CreatedBy: { readonly Name: string } | null
}

/** Who changed which tracked field of a record. */
export function History({ description, id }: { description: Description; id: string }) {
  const way = description.childRelationships.find(({ relationshipName }) => relationshipName === 'Histories')
  const { data: changes, error } = useQuery({
    queryKey: ['history', id],
    queryFn: async ({ signal }) => {
      const soql = `SELECT Id, Field, OldValue, NewValue, CreatedDate, CreatedBy.Name FROM ${way!.childSObject} WHERE ${way!.field} = ${quote(id)} ORDER BY CreatedDate DESC, Id DESC LIMIT 200`
      return (
        await get<{ records: readonly Change[] }>(data(`/query?${new URLSearchParams({ q: soql })}`), {
          signal,
        })
      ).records
    },
    enabled: way !== undefined,
    retry: false,
  })
  if (way === undefined)
    return (
      <EmptyState
        title="No history is kept"
        text={`The definition of ${description.label} tracks no field.`}
      />
    )
  if (error !== null) return <ErrorNotice error={error} />
  if (changes === undefined) return <Skeleton h={80} />
  if (changes.length === 0)
    return <EmptyState title="Nothing has changed" text="Changes of tracked fields are listed here." />
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Who</Table.Th>
          <Table.Th>Field</Table.Th>
          <Table.Th>From</Table.Th>
          <Table.Th>To</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.Id}>
            <Table.Td>{dayAndTime(change.CreatedDate)}</Table.Td>
            <Table.Td>{change.CreatedBy?.Name}</Table.Td>
            <Table.Td>{change.Field}</Table.Td>
            <Table.Td>
              <CellText value={change.OldValue} />
            </Table.Td>
            <Table.Td>
              <CellText value={change.NewValue} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

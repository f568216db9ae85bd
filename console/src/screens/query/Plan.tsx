import { Badge, Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { data, get } from '../../api/client.ts'
import { unlessRefused } from '../../api/who.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { count } from '../../components/words.ts'
import { type PostgresPlan, planRows } from './plan-rows.ts'

interface QueryPlan {
  readonly cardinality: number
  readonly fields: readonly string[]
  readonly leadingOperationType: string
  readonly notes: readonly { readonly description: string; readonly fields: readonly string[] }[]
  readonly relativeCost: number
  readonly sobjectCardinality: number
  readonly sobjectType: string
}

const OPERATIONS: Readonly<Record<string, string>> = {
  Index: 'by an index',
  TableScan: 'reads the whole table',
  Sharing: 'by what the caller may see',
  Other: 'otherwise',
}

function PlanTree({ plan }: { plan: PostgresPlan }) {
  const rows = planRows(plan)
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        PostgreSQL's plan
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        Estimates of the planner: the query was not run. The step that costs most by itself is marked.
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th ta="right">Own cost</Table.Th>
            <Table.Th ta="right">Total cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(
            ({ key, depth, title, condition, rows: found, ownCost, totalCost, isSlowest, isNever }) => (
              <Table.Tr key={key} bg={isSlowest ? 'var(--mantine-color-orange-light)' : undefined}>
                <Table.Td style={{ paddingLeft: 12 + depth * 22 }}>
                  <Group gap={8}>
                    <Text size="sm" fw={550}>
                      {title}
                    </Text>
                    {isSlowest && (
                      <Badge size="sm" color="orange" tt="none" autoContrast>
                        costs most
                      </Badge>
                    )}
                    {isNever && (
                      <Badge size="sm" color="red" tt="none">
                        finds nothing
                      </Badge>
                    )}
                  </Group>
                  {condition !== '' && (
                    <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                      {condition}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right">{count(found)}</Table.Td>
                <Table.Td ta="right">{count(Math.round(ownCost))}</Table.Td>
                <Table.Td ta="right">{count(Math.round(totalCost))}</Table.Td>
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** How a query would be run: the plans of the interface, the SQL, and for administrators what PostgreSQL makes of it. */
export function Plan({ soql }: { soql: string }) {
  const plans = useQuery({
    queryKey: ['plan', soql],
    queryFn: ({ signal }) =>
      get<{ plans: readonly QueryPlan[]; statement?: { readonly text: string } }>(
        data(`/query?${new URLSearchParams({ explain: soql, statement: 'true' })}`),
        { signal },
      ),
    retry: false,
  })
  const postgres = useQuery({
    queryKey: ['plan', 'postgres', soql],
    queryFn: ({ signal }) =>
      unlessRefused(
        get<{ sql: string; plan: PostgresPlan }>('/setup/orgs/current/plan', {
          method: 'POST',
          body: { query: soql },
          signal,
        }),
      ),
    retry: false,
    enabled: plans.isSuccess,
  })
  if (plans.error !== null) return <ErrorNotice error={plans.error} />
  if (plans.data === undefined) return null
  return (
    <Stack p="md" gap="lg">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Plan</Table.Th>
            <Table.Th>Fields</Table.Th>
            <Table.Th ta="right">Finds</Table.Th>
            <Table.Th ta="right">Of records</Table.Th>
            <Table.Th ta="right">Relative cost</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plans.data.plans.map((plan, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: plans have no other identity
            <Table.Tr key={index}>
              <Table.Td>
                {plan.sobjectType}, {OPERATIONS[plan.leadingOperationType] ?? plan.leadingOperationType}
                {plan.notes.map(({ description, fields }) => (
                  <Text key={description + fields.join()} size="xs" c="dimmed">
                    {description} {fields.length > 0 && `(${fields.join(', ')})`}
                  </Text>
                ))}
              </Table.Td>
              <Table.Td>{plan.fields.join(', ')}</Table.Td>
              <Table.Td ta="right">{count(plan.cardinality)}</Table.Td>
              <Table.Td ta="right">{count(plan.sobjectCardinality)}</Table.Td>
              <Table.Td ta="right">{plan.relativeCost.toFixed(2)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {postgres.data?.plan !== undefined && <PlanTree plan={postgres.data.plan} />}
      {(postgres.data?.sql ?? plans.data.statement?.text) !== undefined && (
        <div>
          <Title order={3} size="h6" mb="xs">
            SQL
          </Title>
          <Code block style={{ whiteSpace: 'pre-wrap' }}>
            {postgres.data?.sql ?? plans.data.statement?.text}
          </Code>
        </div>
      )}
    </Stack>
  )
}

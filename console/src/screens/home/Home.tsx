import {
  ActionIcon,
  Badge,
  Group,
  Paper,
  Progress,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiVersion, data, get } from '../../api/client.ts'
import { useObjects } from '../../api/describe.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { useServer } from '../../api/server.ts'
import { useWho } from '../../api/who.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Page } from '../../components/Page.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import { count, timeOfDay } from '../../components/words.ts'
import { FirstCalls } from './FirstCalls.tsx'
import { LastErrors } from './LastErrors.tsx'

interface Limit {
  readonly Max: number
  readonly Remaining: number
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper p="md">
      <Text size="xs" c="dimmed" fw={600} mb={6}>
        {title}
      </Text>
      {children}
    </Paper>
  )
}

const Big = ({ children }: { children: ReactNode }) => (
  <Text size="xl" fw={650} lh={1.2}>
    {children}
  </Text>
)

const ENGINES = { pglite: 'the embedded engine', postgres: 'PostgreSQL' } as const

function ServerCard() {
  const server = useServer()
  const { data: state } = useQuery({
    queryKey: ['home', 'ready'],
    queryFn: async () => {
      const startedAt = performance.now()
      const response = await fetch('/readyz').catch(() => undefined)
      return { isReady: response?.ok ?? false, durationMs: Math.round(performance.now() - startedAt) }
    },
    refetchInterval: 30_000,
  })
  return (
    <Card title="Server">
      <Group gap={8}>
        <Badge
          size="sm"
          circle
          color={state === undefined ? 'gray' : state.isReady ? 'teal' : 'red'}
          aria-hidden
        />
        <Big>{state === undefined ? '…' : state.isReady ? 'Ready' : 'Not ready'}</Big>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {state === undefined ? ' ' : `answered in ${state.durationMs} ms, API ${apiVersion()}`}
      </Text>
      {server && (
        <Text size="sm" c="dimmed">
          Objectry {server.version} on {ENGINES[server.engine]}
        </Text>
      )}
    </Card>
  )
}

function CallsCard({ limit }: { limit: Limit | undefined }) {
  if (limit === undefined) return <Skeleton h={104} radius="md" />
  const used = limit.Max - limit.Remaining
  const share = limit.Max === 0 ? 0 : (used / limit.Max) * 100
  return (
    <Card title="Calls in 24 hours">
      <Big>{count(used)}</Big>
      <Text size="sm" c="dimmed" mt={4} mb={8}>
        of {count(limit.Max)}
      </Text>
      <Progress
        value={share}
        size="sm"
        color={share > 90 ? 'red' : share > 70 ? 'orange' : undefined}
        aria-label="Share of the allocation used"
      />
    </Card>
  )
}

function DataCard({ limit }: { limit: Limit | undefined }) {
  if (limit === undefined) return <Skeleton h={104} radius="md" />
  return (
    <Card title="Stored data">
      <Big>{count(limit.Max - limit.Remaining)} MB</Big>
      <Text size="sm" c="dimmed" mt={4}>
        tables of this org
      </Text>
    </Card>
  )
}

function ObjectsCard() {
  const { data: objects } = useObjects()
  if (objects === undefined) return <Skeleton h={104} radius="md" />
  const own = objects.filter(({ custom }) => custom).length
  return (
    <Card title="Objects that you see">
      <Big>{count(objects.length)}</Big>
      <Text size="sm" c="dimmed" mt={4}>
        {own === 0 ? 'none of your own yet' : `${count(own)} of your own`}
      </Text>
    </Card>
  )
}

interface Recent {
  readonly Id: string
  readonly Name?: string | null
  readonly attributes: { readonly type: string }
}

function RecentRecords() {
  const { data: records, error } = useQuery({
    queryKey: ['home', 'recent'],
    queryFn: ({ signal }) => get<readonly Recent[]>(data('/recent?limit=8'), { signal }),
  })
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="xs">
        Recently viewed
      </Title>
      {error !== null && <ErrorNotice error={error} />}
      {records?.length === 0 && (
        <EmptyState title="Nothing yet" text="Records that you look at are listed here." />
      )}
      {records !== undefined && records.length > 0 && (
        <Table>
          <Table.Tbody>
            {records.map(({ Id, Name, attributes: { type } }) => (
              <Table.Tr key={Id}>
                <Table.Td>
                  <RecordLink object={type} id={Id}>
                    {Name ?? Id}
                  </RecordLink>
                </Table.Td>
                <Table.Td c="dimmed" ta="right">
                  {type}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}

/** An org at a glance, and what to do first. */
export function Home() {
  const { orgName, userName } = useWho()
  const queries = useQueryClient()
  const {
    data: limits,
    error,
    dataUpdatedAt,
  } = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => get<Readonly<Record<string, Limit>>>(data('/limits'), { signal }),
  })
  return (
    <Page
      title={orgName}
      note={`You are ${userName}.`}
      actions={
        <>
          {dataUpdatedAt > 0 && (
            <Text size="xs" c="dimmed">
              read at {timeOfDay(dataUpdatedAt)}
            </Text>
          )}
          <Tooltip label="Read again">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Read again"
              onClick={() =>
                void Promise.all([refreshQueries(queries, ['home']), refreshQueries(queries, ['limits'])])
              }
            >
              <IconRefresh size={18} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <Stack>
        {error !== null && <ErrorNotice error={error} />}
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <ServerCard />
          <CallsCard limit={limits?.DailyApiRequests} />
          <DataCard limit={limits?.DataStorageMB} />
          <ObjectsCard />
        </SimpleGrid>
        <FirstCalls />
        <RecentRecords />
        <LastErrors />
      </Stack>
    </Page>
  )
}

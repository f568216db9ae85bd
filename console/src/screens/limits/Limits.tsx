import {
  Badge,
  Button,
  Group,
  Paper,
  Progress,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ShownApp } from '../../../../src/admin/shown-app.ts'
import { data, get } from '../../api/client.ts'
import { CLIENT_ID } from '../../api/sign-in.ts'
import { unlessRefused } from '../../api/who.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Page } from '../../components/Page.tsx'
import { count, timeOfDay } from '../../components/words.ts'
import { Timeline } from './Timeline.tsx'

interface Limit {
  readonly Max: number
  readonly Remaining: number
}

interface Version {
  readonly version: string
  readonly label: string
  readonly retires: string | null
  readonly support: string
  readonly calls: number
  readonly apps: readonly { readonly name?: string; readonly clientId?: string }[]
}

const share = ({ Max, Remaining }: Limit) => (Max === 0 ? 0 : ((Max - Remaining) / Max) * 100)
const colourOf = (percent: number) => (percent >= 90 ? 'red' : percent >= 70 ? 'orange' : undefined)

function Gauge({ name, limit }: { name: string; limit: Limit }) {
  const percent = share(limit)
  return (
    <Paper p="md">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
        <Text size="sm" fw={percent >= 70 ? 700 : 400}>
          {percent.toFixed(percent < 10 ? 1 : 0)} %
          {percent >= 100 ? ', used up' : percent >= 90 ? ', nearly used up' : ''}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, percent)}
        my={8}
        color={colourOf(percent)}
        aria-label={`${name}: share used`}
      />
      <Text size="xs" c="dimmed">
        {count(limit.Max - limit.Remaining)} of {count(limit.Max)}, {count(Math.max(0, limit.Remaining))} left
      </Text>
    </Paper>
  )
}

interface OwnCalls {
  /** True if the calls of the console are counted with the others. */
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

function Apps({ apps: all, own }: { apps: readonly ShownApp[]; own: OwnCalls }) {
  const apps = all.filter(({ clientId }) => own.isShown || clientId !== CLIENT_ID)
  const total = apps.reduce((sum, { calls }) => sum + calls, 0)
  const ownCalls = all.find(({ clientId }) => clientId === CLIENT_ID)?.calls ?? 0
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Calls in 24 hours, by app
        </Title>
        <Switch
          size="xs"
          label="Calls of the console"
          checked={own.isShown}
          onChange={({ currentTarget }) => own.onShow(currentTarget.checked)}
        />
      </Group>
      {!own.isShown && (
        <Text size="sm" c="dimmed" mb="xs">
          Without {count(ownCalls)} {ownCalls === 1 ? 'call' : 'calls'} of the console, which the allocation
          counts too.
        </Text>
      )}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>App</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">Budget</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...apps]
            .sort((a, b) => b.calls - a.calls)
            .map(({ clientId, name, calls, dailyCallBudget }) => (
              <Table.Tr key={clientId}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="right">{count(calls)}</Table.Td>
                <Table.Td ta="right">
                  {total === 0 ? '–' : `${((calls / total) * 100).toFixed(1)} %`}
                </Table.Td>
                <Table.Td ta="right">
                  {dailyCallBudget === null
                    ? 'none'
                    : `${count(dailyCallBudget)}${calls >= dailyCallBudget ? ', used up' : ''}`}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Versions({ versions }: { versions: readonly Version[] }) {
  const used = versions.filter(({ calls, support }) => calls > 0 || support !== 'supported')
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="xs">
        API versions in use
      </Title>
      {used.length === 0 ? (
        <EmptyState title="No calls were counted yet" />
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Version</Table.Th>
              <Table.Th>Support</Table.Th>
              <Table.Th ta="right">Calls in 30 days</Table.Th>
              <Table.Th>Retires</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {used.map(({ version, label, support, calls, retires }) => (
              <Table.Tr key={version}>
                <Table.Td>
                  {version}{' '}
                  <Text span c="dimmed" size="sm">
                    {label}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Badge tt="none" variant="light" color={support === 'supported' ? 'gray' : 'orange'}>
                    {support}
                  </Badge>
                </Table.Td>
                <Table.Td ta="right">{count(calls)}</Table.Td>
                <Table.Td>{retires ?? 'not yet known'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}

/** Limits of the org, what is left of them, and who uses them. */
export function Limits() {
  const { find = '', own } = useSearch({ from: '/limits' })
  const navigate = useNavigate({ from: '/limits' })
  const limits = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => get<Readonly<Record<string, Limit>>>(data('/limits'), { signal }),
    refetchInterval: 60_000,
  })
  const apps = useQuery({
    queryKey: ['limits', 'apps'],
    queryFn: ({ signal }) => unlessRefused(get<readonly ShownApp[]>('/setup/orgs/current/apps', { signal })),
  })
  const versions = useQuery({
    queryKey: ['limits', 'versions'],
    queryFn: ({ signal }) =>
      unlessRefused(get<readonly Version[]>('/setup/orgs/current/versions', { signal })),
  })
  const ownCalls: OwnCalls = {
    isShown: own === 'on',
    onShow: (isShown) =>
      void navigate({
        search: (before) => ({ ...before, own: isShown ? 'on' : undefined }),
        replace: true,
      }),
  }
  // A limit of nothing is one that the server does not have.
  const shown = Object.entries(limits.data ?? {})
    .filter(([name, { Max }]) => Max > 0 && name.toLowerCase().includes(find.toLowerCase()))
    .sort(([, a], [, b]) => share(b) - share(a))
  const refresh = () => void Promise.all([limits.refetch(), apps.refetch(), versions.refetch()])
  return (
    <Page
      title="Limits"
      note={limits.dataUpdatedAt > 0 ? `read at ${timeOfDay(limits.dataUpdatedAt)}` : undefined}
      actions={
        <>
          <TextInput
            aria-label="Find a limit"
            placeholder="Find a limit"
            size="xs"
            value={find}
            onChange={({ currentTarget }) =>
              void navigate({
                search: (before) => ({ ...before, find: currentTarget.value || undefined }),
                replace: true,
              })
            }
          />
          <CopyAs call={{ method: 'GET', path: data('/limits') }} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} />}
            loading={limits.isFetching}
            onClick={refresh}
          >
            Refresh
          </Button>
        </>
      }
    >
      <Stack>
        {limits.error !== null && <ErrorNotice error={limits.error} onRetry={refresh} />}
        {limits.data === undefined && limits.error === null && <Skeleton h={100} />}
        {limits.data !== undefined && shown.length === 0 && <EmptyState title="No limit has this name" />}
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {shown.map(([name, limit]) => (
            <Gauge key={name} name={name} limit={limit} />
          ))}
        </SimpleGrid>
        <Timeline
          limit={limits.data?.DailyApiRequests}
          apps={apps.data ?? []}
          hidden={ownCalls.isShown ? undefined : CLIENT_ID}
        />
        {apps.data !== undefined && apps.data !== null && <Apps apps={apps.data} own={ownCalls} />}
        {versions.data !== undefined && versions.data !== null && <Versions versions={versions.data} />}
      </Stack>
    </Page>
  )
}

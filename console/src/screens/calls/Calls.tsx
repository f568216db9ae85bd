import { Badge, Button, Group, SegmentedControl, Select, Switch, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowUp, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ShownApp } from '../../../../src/admin/shown-app.ts'
import type { LoggedCall, LoggedCalls } from '../../../../src/calllog/logged-call.ts'
import { get } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { CLIENT_ID } from '../../api/sign-in.ts'
import { unlessRefused } from '../../api/who.ts'
import { download } from '../../components/download.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Grid, type GridColumn } from '../../components/grid/Grid.tsx'
import { count, describeBytes, describeDuration, timeOfDay } from '../../components/words.ts'
import styles from '../records/Records.module.css'
import { isFailed, statusText } from './call-status.ts'
import { asHar } from './har.ts'
import { OpenCall } from './OpenCall.tsx'

/** So many are kept on the screen. */
const KEPT = 5000

const COLUMNS: readonly (GridColumn & { readonly text: (call: LoggedCall) => string })[] = [
  { key: 'time', label: 'Time', width: 92, text: ({ time }) => timeOfDay(time) },
  {
    key: 'status',
    label: 'Status',
    width: 112,
    text: statusText,
  },
  { key: 'method', label: 'Method', width: 84, text: ({ method }) => method },
  { key: 'path', label: 'Path', width: 420, text: ({ path }) => path },
  { key: 'errorCode', label: 'Code', width: 170, text: ({ errorCode }) => errorCode ?? '' },
  {
    key: 'durationMs',
    label: 'Took',
    width: 84,
    isNumber: true,
    text: ({ durationMs }) => describeDuration(durationMs),
  },
  {
    key: 'statements',
    label: 'Statements',
    width: 104,
    isNumber: true,
    text: ({ statements }) => (statements === null ? '' : count(statements)),
  },
  { key: 'user', label: 'User', width: 190, text: ({ user }) => user ?? '' },
  {
    key: 'bytesOut',
    label: 'Size',
    width: 90,
    isNumber: true,
    text: ({ bytesOut }) => (bytesOut === null ? '' : describeBytes(bytesOut)),
  },
  { key: 'requestId', label: 'Request id', width: 150, text: ({ requestId }) => requestId },
]

/** The calls of the org as they come, and each of them in full. */
export function Calls() {
  const search = useSearch({ from: '/calls' })
  const navigate = useNavigate({ from: '/calls' })
  const queries = useQueryClient()
  const { path, status, user, app, call: openId } = search
  // Those that look for the console's calls see them.
  const isOwnShown = search.own === 'on' || app !== undefined
  const withoutApp = isOwnShown ? undefined : CLIENT_ID
  const isLive = search.live !== 'off'
  const [calls, setCalls] = useState<readonly LoggedCall[]>([])
  const [fresh, setFresh] = useState<readonly LoggedCall[]>([])
  const cursor = useRef<string>(undefined)
  const filter = new URLSearchParams(
    Object.entries({ path, status, user, app, withoutApp }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  ).toString()

  const first = useQuery({
    queryKey: ['calls', filter],
    queryFn: ({ signal }) =>
      unlessRefused(get<LoggedCalls>(`/setup/orgs/current/calls?limit=200&${filter}`, { signal })),
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (first.data === undefined || first.data === null) return
    cursor.current = first.data.next
    setCalls(first.data.calls)
    setFresh([])
  }, [first.data])
  const tail = useQuery({
    queryKey: ['calls', filter, 'tail'],
    queryFn: async ({ signal }) => {
      const page = await get<LoggedCalls>(
        `/setup/orgs/current/calls?limit=500&after=${cursor.current}&${filter}`,
        {
          signal,
        },
      )
      cursor.current = page.next
      // Calls that come while the user reads wait, so that nothing moves under the pointer.
      if (page.calls.length > 0) setFresh((before) => [...page.calls.toReversed(), ...before].slice(0, KEPT))
      return page.calls.length
    },
    enabled: isLive && first.isSuccess && first.data !== null,
    refetchInterval: 1000,
    gcTime: 0,
    retry: false,
  })
  const isAtTop = useRef(true)
  /** Rows do not move under the pointer that is about to choose one. */
  const [isOver, setOver] = useState(false)
  const show = () => {
    setCalls((before) => [...fresh, ...before].slice(0, KEPT))
    setFresh([])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something came
  useEffect(() => {
    if (fresh.length > 0 && isAtTop.current && !isOver && openId === undefined) show()
  }, [fresh, isOver])
  const change = useDebouncedCallback((changed: Partial<typeof search>) => {
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  }, 300)
  const { data: settings } = useQuery({
    queryKey: ['calls', 'settings'],
    queryFn: () => unlessRefused(get<{ bodies: boolean }>('/setup/orgs/current/calls/settings')),
    retry: false,
  })

  const keepBodies = useMutation({
    mutationFn: (bodies: boolean) =>
      get('/setup/orgs/current/calls/settings', { method: 'PUT', body: { bodies } }),
    onSuccess: () => refreshQueries(queries, ['calls', 'settings']),
  })
  const { data: apps } = useQuery({
    queryKey: ['limits', 'apps'],
    queryFn: ({ signal }) => unlessRefused(get<readonly ShownApp[]>('/setup/orgs/current/apps', { signal })),
    retry: false,
  })

  if (first.data === null)
    return (
      <EmptyState
        title="You may not read the call log"
        text="It takes the permission ViewCallLog, which administrators have."
      />
    )
  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <div style={{ marginRight: 'auto' }}>
          <Title order={1} size="h3">
            Call log
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {isLive
              ? isOver
                ? 'Live: new calls wait while the pointer is over the list.'
                : 'Live: new calls come by themselves.'
              : 'Paused: what is here stays as it is.'}
            {!isOwnShown && ' Without the calls of the console.'}
          </Text>
        </div>
        <Switch
          label="Live"
          checked={isLive}
          onChange={({ currentTarget }) =>
            void navigate({
              search: (before) => ({ ...before, live: currentTarget.checked ? undefined : 'off' }),
              replace: true,
            })
          }
        />
        <Switch
          label="Calls of the console"
          checked={isOwnShown}
          disabled={app !== undefined}
          onChange={({ currentTarget }) =>
            void navigate({
              search: (before) => ({ ...before, own: currentTarget.checked ? 'on' : undefined }),
              replace: true,
            })
          }
        />
        {settings !== undefined && settings !== null && (
          <Switch
            label="Keep bodies"
            checked={settings.bodies}
            disabled={keepBodies.isPending}
            error={keepBodies.error?.message}
            onChange={({ currentTarget: { checked } }) => keepBodies.mutate(checked)}
          />
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
          disabled={calls.length === 0}
          onClick={() => download('calls.har', asHar(calls), 'application/json')}
        >
          Save as HAR
        </Button>
      </div>
      <div className={styles.bar} style={{ paddingTop: 0 }}>
        <TextInput
          label="Path"
          placeholder="contains"
          size="xs"
          flex="1 1 150px"
          maw={240}
          defaultValue={path ?? ''}
          onChange={({ currentTarget }) => change({ path: currentTarget.value || undefined })}
        />
        <TextInput
          label="User"
          placeholder="username"
          size="xs"
          flex="1 1 150px"
          maw={240}
          defaultValue={user ?? ''}
          onChange={({ currentTarget }) => change({ user: currentTarget.value || undefined })}
        />
        {apps !== undefined && apps !== null && (
          <Select
            label="App"
            placeholder="any"
            size="xs"
            flex="1 1 150px"
            maw={240}
            clearable
            value={app ?? null}
            data={apps.map(({ clientId, name }) => ({ value: clientId, label: name }))}
            onChange={(chosen) => change({ app: chosen ?? undefined })}
          />
        )}
        <SegmentedControl
          aria-label="Status"
          size="xs"
          value={status ?? ''}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, status: value || undefined }), replace: true })
          }
          data={[
            { value: '', label: 'All' },
            { value: '2xx', label: '2xx' },
            { value: '4xx', label: '4xx' },
            { value: '5xx', label: '5xx' },
          ]}
        />
      </div>
      {tail.error !== null && (
        <div style={{ padding: '0 20px 8px' }}>
          <ErrorNotice error={tail.error} onRetry={() => void tail.refetch()} />
        </div>
      )}
      {fresh.length > 0 && (
        <Group justify="center" pb={8}>
          <Button size="compact-sm" variant="light" leftSection={<IconArrowUp size={14} />} onClick={show}>
            {count(fresh.length)} new
          </Button>
        </Group>
      )}
      <div className={styles.grid}>
        {first.error !== null ? (
          <div style={{ padding: 20 }}>
            <ErrorNotice error={first.error} onRetry={() => void first.refetch()} />
          </div>
        ) : calls.length === 0 ? (
          first.isSuccess && (
            <EmptyState
              title="No calls"
              text={`Calls of this org are listed here a second after they ended${isOwnShown ? '' : ', without those of the console'}.`}
            />
          )
        ) : (
          <div
            style={{ height: '100%' }}
            onPointerEnter={() => setOver(true)}
            onPointerLeave={() => setOver(false)}
            onScrollCapture={({ target }) => {
              isAtTop.current = (target as HTMLElement).scrollTop < 40
            }}
          >
            <Grid
              label="Calls"
              columns={COLUMNS}
              rowCount={calls.length}
              widthsKey="calls"
              onOpen={(row) => void navigate({ search: (before) => ({ ...before, call: calls[row]!.id }) })}
              cell={(row, column) => {
                const call = calls[row]!
                const text = (column as (typeof COLUMNS)[number]).text(call)
                return {
                  text,
                  shown:
                    column.key === 'status' ? (
                      <Badge tt="none" variant="light" color={isFailed(call) ? 'red' : 'teal'}>
                        {text}
                      </Badge>
                    ) : (
                      <span title={column.key === 'path' ? text : undefined}>{text.slice(0, 256)}</span>
                    ),
                }
              }}
            />
          </div>
        )}
      </div>
      <OpenCall
        id={openId}
        onClose={() => void navigate({ search: (before) => ({ ...before, call: undefined }) })}
      />
    </div>
  )
}

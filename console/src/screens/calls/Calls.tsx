import { Button, Group, Switch, Text, Title } from '@mantine/core'
import { IconArrowUp, IconDownload, IconFilter } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ShownApp } from '../../../../src/admin/shown-app.ts'
import { formatAddress } from '../../address.ts'
import { get } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { CLIENT_ID } from '../../api/sign-in.ts'
import { unlessRefused } from '../../api/who.ts'
import styles from '../../components/beside/Beside.module.css'
import { useBeside } from '../../components/beside/use-beside.ts'
import { download } from '../../components/download.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { count } from '../../components/words.ts'
import bars from '../records/Records.module.css'
import { CallFilters } from './CallFilters.tsx'
import { CallGrid } from './CallGrid.tsx'
import { filterCalls, isLocal, serverFilter } from './call-filter.ts'
import { asHar } from './har.ts'
import { OpenCall } from './OpenCall.tsx'
import { useCalls } from './use-calls.ts'

/** So many rows are looked for in older calls before the user scrolls. */
const ENOUGH = 50

function NoCalls({ isFiltered, isOwnShown }: { isFiltered: boolean; isOwnShown: boolean }) {
  const own = isOwnShown ? '' : ', without those of the console'
  return isFiltered ? (
    <EmptyState title="No call is like this" text={`None in the log has what the filters ask for${own}.`} />
  ) : (
    <EmptyState
      title="No calls"
      text={`Calls of this org are listed here a second after they ended${own}.`}
    />
  )
}

/** The calls of the org as they come, and each of them in full. */
export function Calls() {
  const search = useSearch({ from: '/calls' })
  const navigate = useNavigate({ from: '/calls' })
  const queries = useQueryClient()
  const { app, call: openId } = search
  // Those that look for the console's calls see them.
  const isOwnShown = search.own === 'on' || app !== undefined
  const isLive = search.live !== 'off'
  const withoutApp = isOwnShown ? undefined : CLIENT_ID
  const ofServer = serverFilter(search, withoutApp)
  const log = useCalls(ofServer, isLive)
  const { calls, fresh } = log
  const { find, status, endpoint, slower } = search
  const listed = useMemo(
    () => filterCalls(calls, { find, status, endpoint, slower }),
    [calls, find, status, endpoint, slower],
  )
  const freshListed = useMemo(
    () => filterCalls(fresh, { find, status, endpoint, slower }),
    [fresh, find, status, endpoint, slower],
  )
  const ids = useMemo(() => listed.map(({ id }) => id), [listed])
  const beside = useBeside({
    ids,
    openId,
    onChange: (call, replace) => void navigate({ search: (before) => ({ ...before, call }), replace }),
  })
  const { isOver, openRow, open } = beside
  const [areFiltersShown, setFiltersShown] = useState(false)
  const { user } = search
  const chosen = [find, app, endpoint, user, slower, status].filter((one) => one !== undefined).length
  const isAtTop = useRef(true)
  /** Rows do not move while the user is about to choose one. */
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isHeld = isPointed || isFocused
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something came
  useEffect(() => {
    if (fresh.length > 0 && isAtTop.current && !isHeld && openId === undefined) log.showFresh()
  }, [fresh, isHeld, openId])
  const { hasOlder, isLoadingOlder, olderError, loadOlder } = log
  const isSought = isLocal(search) && hasOlder && olderError === null && listed.length < ENOUGH
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (isSought && !isLoadingOlder) loadOlder()
  }, [isSought, isLoadingOlder, calls])

  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })

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
  const { data: knownApps, isPending: areAppsPending } = useQuery({
    queryKey: ['limits', 'apps'],
    queryFn: ({ signal }) => unlessRefused(get<readonly ShownApp[]>('/setup/orgs/current/apps', { signal })),
    retry: false,
  })
  const apps = useMemo(
    () => new Map((knownApps ?? []).map(({ clientId, name }) => [clientId, name])),
    [knownApps],
  )

  if (log.isRefused)
    return (
      <EmptyState
        title="You may not read the call log"
        text="It takes the permission ViewCallLog, which administrators have."
      />
    )
  const loaded = `${hasOlder ? 'the last ' : ''}${count(calls.length)} ${calls.length === 1 ? 'call' : 'calls'}`
  const isFound = ofServer !== serverFilter({}, withoutApp)
  const extent = isLocal(search)
    ? `${count(listed.length)} of ${hasOlder ? '' : 'all '}${loaded}${isFound ? ' that the server found' : ''}${isLoadingOlder ? '; older ones are being read' : ''}`
    : loaded.replace(/^t/, 'T')
  const opened = openId !== undefined && (
    <OpenCall id={openId} listed={listed[openRow]} apps={apps} beside={beside} />
  )
  return (
    <div className={styles.screen}>
      <div className={styles.page} inert={isOver && openId !== undefined}>
        <div className={bars.bar}>
          <div style={{ marginRight: 'auto' }}>
            <Title order={1} size="h3">
              Call log
            </Title>
            <Text size="sm" c="dimmed" role="status">
              {isLive
                ? isHeld || openId !== undefined
                  ? 'Live: new calls wait while you are in the list.'
                  : 'Live: new calls come by themselves.'
                : 'Paused: what is here stays as it is.'}
              {!isOwnShown && ' Without the calls of the console.'}
            </Text>
          </div>
          <Switch
            label="Live"
            checked={isLive}
            onChange={({ currentTarget }) => change({ live: currentTarget.checked ? undefined : 'off' })}
          />
          <Switch
            label="Calls of the console"
            checked={isOwnShown}
            disabled={app !== undefined}
            onChange={({ currentTarget }) => change({ own: currentTarget.checked ? 'on' : undefined })}
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
          {isOver && (
            <Button
              variant="default"
              leftSection={<IconFilter size={14} />}
              aria-expanded={areFiltersShown}
              onClick={() => setFiltersShown(!areFiltersShown)}
            >
              Filters{chosen > 0 && ` (${chosen})`}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            disabled={listed.length === 0}
            onClick={() => download('calls.har', asHar(listed), 'application/json')}
          >
            Save as HAR
          </Button>
        </div>
        {(!isOver || areFiltersShown) && (
          <div className={bars.bar} style={{ paddingTop: 0 }}>
            <CallFilters filter={search} calls={calls} apps={apps} onChange={change} />
          </div>
        )}
        <Text size="xs" c="dimmed" px={20} pb={6}>
          {extent}
        </Text>
        {log.tailError !== null && (
          <div style={{ padding: '0 20px 8px' }}>
            <ErrorNotice error={log.tailError} onRetry={log.retryTail} />
          </div>
        )}
        {olderError !== null && (
          <div style={{ padding: '0 20px 8px' }}>
            <ErrorNotice error={olderError} onRetry={loadOlder} />
          </div>
        )}
        {freshListed.length > 0 && (
          <Group justify="center" pb={8}>
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconArrowUp size={14} />}
              onClick={log.showFresh}
            >
              {count(freshListed.length)} new
            </Button>
          </Group>
        )}
        <div className={styles.panes}>
          {log.error !== null ? (
            <div style={{ padding: 20 }}>
              <ErrorNotice error={log.error} onRetry={log.retry} />
            </div>
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the grid inside
            <div
              ref={beside.list}
              className={styles.list}
              onPointerEnter={() => setPointed(true)}
              onPointerLeave={() => setPointed(false)}
              onFocus={() => setFocused(true)}
              onBlur={() => setFocused(false)}
              onKeyDown={beside.closeByKey}
              onScrollCapture={({ target }) => {
                isAtTop.current = (target as HTMLElement).scrollTop < 40
              }}
            >
              {listed.length > 0 ? (
                <CallGrid
                  ref={beside.grid}
                  calls={listed}
                  apps={areAppsPending ? undefined : apps}
                  openRow={openRow}
                  addressOf={({ id }) => `/console/calls${formatAddress({ ...search, call: id })}`}
                  onOpen={(row) => open(row)}
                  onActive={(row) => openId !== undefined && open(row, true)}
                  onEnd={() => olderError === null && loadOlder()}
                />
              ) : (
                log.isLoaded && !isSought && <NoCalls isFiltered={chosen > 0} isOwnShown={isOwnShown} />
              )}
            </div>
          )}
          {!isOver && opened}
        </div>
      </div>
      {isOver && opened}
    </div>
  )
}

import {
  Alert,
  Autocomplete,
  Badge,
  Button,
  Code,
  Drawer,
  Group,
  Menu,
  SegmentedControl,
  Select,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { IconHistory, IconSend, IconTemplate } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { type Answer, CallError, data, get, send } from '../../api/client.ts'
import { useObjects } from '../../api/describe.ts'
import { dropDraft, listDrafts, readDraft, writeDraft } from '../../api/drafts.ts'
import { CopyAs } from '../../components/CopyAs.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Editor } from '../../components/editor/Editor.tsx'
import { dayAndTime, describeBytes, describeDuration } from '../../components/words.ts'
import { CompositeSteps } from './CompositeSteps.tsx'
import { failures, kindOf, readResults, readSteps } from './composite.ts'
import styles from './Explorer.module.css'
import { type Call, templates } from './templates.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']
const PLACE = 'explorer/call'
const HISTORY = 'explorer/history/'
const KEPT = 100

/** Above this, colours and folds cost more than they help. */
const MOST_COLOURED = 1_000_000
const LONGEST_LINE = 20_000

interface Draft extends Call {
  readonly headers: string
}

interface Sent extends Draft {
  readonly at: number
  readonly status: number
  readonly durationMs: number
}

/** `Name: value` lines as headers. The token is added by the console, and never kept. */
function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.includes(':') && !/^authorization\s*:/i.test(line))
      .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

async function remember(sent: Sent): Promise<void> {
  await writeDraft(`${HISTORY}${sent.at}`, sent)
  const all = await listDrafts<Sent>(HISTORY)
  for (const { at } of all.slice(0, Math.max(0, all.length - KEPT))) await dropDraft(`${HISTORY}${at}`)
}

/** Addresses that begin with what is typed: resources, and those of the objects. */
function usePaths(typed: string): string[] {
  const { data: objects } = useObjects()
  const { data: resources } = useQuery({
    queryKey: ['resources'],
    queryFn: ({ signal }) => get<Readonly<Record<string, string>>>(data('/'), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const all = [
      ...Object.values(resources ?? {}).filter((path) => path.startsWith('/')),
      ...[
        '/composite/batch',
        '/composite/graph',
        '/composite/sobjects',
        '/limits/recordCount',
        '/queryAll',
      ].map(data),
      ...(objects ?? []).flatMap(({ name }) =>
        ['', '/describe', '/describe/layouts', '/listviews'].map((rest) => data(`/sobjects/${name}${rest}`)),
      ),
      '/services/oauth2/userinfo',
      '/setup/orgs/current',
      '/setup/orgs/current/apps',
      '/setup/orgs/current/users',
      '/setup/orgs/current/versions',
    ]
    return [...new Set(all)].filter((path) => path.toLowerCase().includes(typed.toLowerCase())).slice(0, 40)
  }, [objects, resources, typed])
}

function History({ onChoose }: { onChoose: (sent: Sent) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<readonly Sent[]>([])
  useEffect(() => {
    if (isOpen) void listDrafts<Sent>(HISTORY).then((all) => setSent(all.reverse()))
  }, [isOpen])
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="sm"
        leftSection={<IconHistory size={15} />}
        onClick={() => setOpen(true)}
      >
        History
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Calls of this browser"
        position="right"
        size="lg"
      >
        {sent.length === 0 && <EmptyState title="Nothing was sent yet" />}
        <Stack gap={4}>
          {sent.map((one) => (
            <UnstyledButton
              key={one.at}
              className="console-row"
              onClick={() => {
                onChoose(one)
                setOpen(false)
              }}
            >
              <Group gap="xs" wrap="nowrap">
                <Badge
                  tt="none"
                  variant="light"
                  color={one.status >= 400 || one.status === 0 ? 'red' : 'teal'}
                >
                  {one.status}
                </Badge>
                <Text size="sm" ff="monospace" truncate>
                  {one.method} {one.path}
                </Text>
              </Group>
              <Text size="xs" c="dimmed">
                {dayAndTime(one.at)}, {describeDuration(one.durationMs)}
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
      </Drawer>
    </>
  )
}

function Response({
  answer,
  error,
  failed,
}: {
  answer: Answer | undefined
  error: Error | null
  failed: string | undefined
}) {
  const [view, setView] = useState('body')
  if (error !== null)
    return (
      <div style={{ padding: 12 }}>
        <ErrorNotice error={error} />
      </div>
    )
  if (answer === undefined)
    return <EmptyState title="No response yet" text="Status, time, size and headers stand beside the body." />
  const isBad = answer.status >= 400 || failed !== undefined
  const usage = answer.headers.get('svc-limit-info')
  const pretty = answer.body === undefined ? answer.text : JSON.stringify(answer.body, null, 2)
  const isColoured =
    pretty.length < MOST_COLOURED && pretty.split('\n').every((line) => line.length < LONGEST_LINE)
  return (
    <>
      <div className={styles.head} role="status">
        <Badge tt="none" color={isBad ? 'red' : 'teal'}>
          {answer.status}
          {failed !== undefined && `, ${failed}`}
        </Badge>
        <span>
          {describeDuration(answer.durationMs)}, {describeBytes(answer.bytes)}
          {usage !== null && `, ${usage}`}
        </span>
        <SegmentedControl
          size="xs"
          ml="auto"
          value={view}
          onChange={setView}
          data={[
            { value: 'body', label: 'Body' },
            { value: 'headers', label: 'Headers' },
          ]}
        />
      </div>
      <div className={styles.body}>
        {view === 'headers' ? (
          <Table>
            <Table.Tbody>
              {[...answer.headers].map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Td ff="monospace" fz="xs">
                    {name}
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : answer.text === '' ? (
          <EmptyState title="The response has no body" />
        ) : isColoured ? (
          <Editor
            key={answer.requestId}
            label="Response"
            language={answer.body === undefined ? 'plain' : 'json'}
            value={pretty}
          />
        ) : (
          <>
            <Alert m="xs" variant="light">
              Large: shown without colours, up to its first megabyte.
            </Alert>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {pretty.slice(0, MOST_COLOURED)}
            </Code>
          </>
        )}
      </div>
    </>
  )
}

/** Any call: written, sent, kept, and read. */
export function Explorer() {
  const search = useSearch({ from: '/explorer' })
  const navigate = useNavigate({ from: '/explorer' })
  const [draft, setDraft] = useState<Draft>({ method: 'GET', path: data('/limits'), body: '', headers: '' })
  const [view, setView] = useState('body')
  const paths = usePaths(draft.path)
  const kind = kindOf(draft.method, draft.path)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the screen opens with
  useEffect(() => {
    let isGone = false
    void readDraft<Draft>(PLACE).then((kept) => {
      if (isGone) return
      // A link that was followed wins over what was typed last, which the history has.
      if (search.path !== undefined)
        setDraft({ method: search.method ?? 'GET', path: search.path, body: search.body ?? '', headers: '' })
      else if (kept !== undefined) setDraft(kept)
    })
    return () => {
      isGone = true
    }
  }, [])

  const change = (changed: Partial<Draft>) => {
    const next = { ...draft, ...changed }
    setDraft(next)
    void writeDraft(PLACE, next)
  }
  const call = useMutation({
    mutationFn: async () => {
      const { method, path, body, headers } = draft
      const at = Date.now()
      if (!path.startsWith('/') || path.startsWith('//'))
        throw new Error('An address begins with one /, and stays at this server.')
      void navigate({
        search: {
          method: method === 'GET' ? undefined : method,
          path,
          body: body.length < 2000 ? body || undefined : undefined,
        },
        replace: true,
      })
      try {
        const hasBody = body.trim() !== '' && !['GET', 'HEAD'].includes(method)
        const answer = await send(path, { method, headers: readHeaders(headers), ...(hasBody && { body }) })
        void remember({ ...draft, at, status: answer.status, durationMs: answer.durationMs })
        return answer
      } catch (error) {
        void remember({
          ...draft,
          at,
          status: error instanceof CallError ? error.status : 0,
          durationMs: Date.now() - at,
        })
        throw error
      }
    },
  })
  const problems = useMemo(() => {
    if (kind === undefined) return []
    try {
      return readSteps(kind, JSON.parse(draft.body || '{}')).flatMap((step) => step.problems)
    } catch {
      return []
    }
  }, [kind, draft.body])
  const results = kind === undefined || call.data === undefined ? [] : readResults(kind, call.data.body)
  const hasBody = !['GET', 'HEAD'].includes(draft.method)
  const shown = view === 'steps' && kind === undefined ? 'body' : view

  return (
    <div className={styles.screen}>
      <h1 className="console-hidden">API explorer</h1>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          call.mutate()
        }}
      >
        <Select
          aria-label="Method"
          w={104}
          data={METHODS}
          value={draft.method}
          allowDeselect={false}
          onChange={(method) => change({ method: method ?? 'GET' })}
        />
        <Autocomplete
          aria-label="Address"
          flex={1}
          ff="monospace"
          data={paths}
          filter={({ options }) => options}
          value={draft.path}
          onChange={(path) => change({ path })}
          maxDropdownHeight={320}
        />
        <Button
          type="submit"
          size="sm"
          h={36}
          loading={call.isPending}
          disabled={problems.length > 0}
          leftSection={<IconSend size={15} />}
        >
          Send
        </Button>
      </form>
      <Group px={16} pb={8} gap={2}>
        <Menu position="bottom-start" width={280}>
          <Menu.Target>
            <Button variant="subtle" color="gray" size="sm" leftSection={<IconTemplate size={15} />}>
              Templates
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
            {templates().map(({ label, ...template }) => (
              <Menu.Item
                key={label}
                onClick={() => {
                  change({ ...template, headers: draft.headers })
                  setView(kindOf(template.method, template.path) === undefined ? 'body' : 'steps')
                }}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <History onChoose={({ method, path, body, headers }) => change({ method, path, body, headers })} />
        <CopyAs
          call={{
            method: draft.method,
            path: draft.path,
            body: hasBody && draft.body.trim() !== '' ? draft.body : undefined,
          }}
        />
        {problems.length > 0 && (
          <Text size="sm" c="red" role="alert" ml="sm">
            {problems[0]}
          </Text>
        )}
      </Group>
      <div className={styles.panes}>
        <section className={styles.pane} aria-label="Request">
          <div className={styles.head}>
            <SegmentedControl
              size="xs"
              value={shown}
              onChange={setView}
              data={[
                { value: 'body', label: 'Body' },
                ...(kind === undefined ? [] : [{ value: 'steps', label: 'Steps' }]),
                { value: 'headers', label: 'Headers' },
              ]}
            />
            {!hasBody && shown === 'body' && (
              <Text size="xs" c="dimmed">
                A {draft.method} is sent without one.
              </Text>
            )}
          </div>
          <div className={styles.body}>
            {shown === 'body' && (
              <Editor
                label="Body"
                language="json"
                value={draft.body}
                onChange={(body) => change({ body })}
                onRun={() => call.mutate()}
              />
            )}
            {shown === 'steps' && kind !== undefined && (
              <div style={{ padding: 12 }}>
                <CompositeSteps
                  kind={kind}
                  body={draft.body}
                  results={results}
                  onChange={(body) => change({ body })}
                />
              </div>
            )}
            {shown === 'headers' && (
              <Editor
                label="Headers"
                language="plain"
                value={draft.headers}
                placeholder={'Svc-Query-Options: batchSize=200\nThe token is added by the console.'}
                onChange={(headers) => change({ headers })}
                onRun={() => call.mutate()}
              />
            )}
          </div>
        </section>
        <section className={styles.pane} aria-label="Response">
          <Response answer={call.data} error={call.error} failed={failures(results)} />
        </section>
      </div>
    </div>
  )
}

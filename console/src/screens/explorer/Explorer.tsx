import type { EditorView } from '@codemirror/view'
import { Autocomplete, Button, Group, Menu, SegmentedControl, Select, Text } from '@mantine/core'
import { IconSend, IconTemplate } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CallError, data, get, send } from '../../api/client.ts'
import { useObjects } from '../../api/describe.ts'
import { useDraft, writeDraft } from '../../api/drafts.ts'
import { addToHistory } from '../../api/history.ts'
import type { Saved } from '../../api/preferences.ts'
import { CopyAs } from '../../components/CopyAs.tsx'
import { Editor } from '../../components/editor/Editor.tsx'
import { insertIntoJson } from '../../components/editor/insert-text.ts'
import { SavedMenu } from '../../components/SavedMenu.tsx'
import type { Inserted } from '../../components/schema/inserted.ts'
import { BesideSchema, SchemaButton } from '../../components/schema/SchemaPane.tsx'
import { useSchemaOpen } from '../../components/schema/schema-open.ts'
import { CallHistory } from './CallHistory.tsx'
import { CallResponse } from './CallResponse.tsx'
import { CompositeSteps } from './CompositeSteps.tsx'
import { failures, kindOf, readResults, readSteps } from './composite.ts'
import styles from './Explorer.module.css'
import { followCall } from './followed-call.ts'
import { insertIntoPath, objectIn } from './path-objects.ts'
import { CALL_HISTORY, type CallDraft, readHeaders, type SentCall, withoutToken } from './sent-call.ts'
import { templates } from './templates.ts'

interface SavedCall extends CallDraft, Saved {}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']
const PLACE = 'explorer/call'
const keyOf = (call: CallDraft | undefined) => call && `${call.method} ${call.path} ${call.body}`
const makeFirst = (): CallDraft => ({ method: 'GET', path: data('/limits'), body: '', headers: '' })

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

/** Any call: written, sent, kept, and read. */
export function Explorer() {
  const { path, method = 'GET', body: short } = useSearch({ from: '/explorer' })
  const long = useRouterState({ select: ({ location }) => location.state.body })
  // A link that was followed wins over what was typed last, which the history has.
  const followed = path === undefined ? undefined : { method, path, body: short ?? long ?? '', headers: '' }
  const kept = useDraft<CallDraft>(PLACE)
  const initial = followed ?? (kept === null ? makeFirst() : kept)
  return initial === undefined ? null : <OpenExplorer initial={initial} followed={followed} />
}

function OpenExplorer({
  initial,
  followed,
}: {
  readonly initial: CallDraft
  readonly followed: CallDraft | undefined
}) {
  const navigate = useNavigate({ from: '/explorer' })
  const [draft, setDraft] = useState(initial)
  // The address says what was sent last, too: that is no link that somebody followed.
  const known = useRef(keyOf(followed))
  useEffect(() => {
    if (followed === undefined || keyOf(followed) === known.current) return
    known.current = keyOf(followed)
    setDraft(followed)
  }, [followed])
  const [view, setView] = useState('body')
  const schema = useSchemaOpen()
  const body = useRef<EditorView>(null)
  const paths = usePaths(draft.path)
  const kind = kindOf(draft.method, draft.path)

  const change = (changed: Partial<CallDraft>) => {
    const next = { ...draft, ...changed }
    setDraft(next)
    void writeDraft(PLACE, { ...next, headers: withoutToken(next.headers) })
  }
  const keep = (at: number, status: number, isFailed: boolean) => {
    const headers = withoutToken(draft.headers)
    void addToHistory<SentCall>(CALL_HISTORY, {
      ...draft,
      headers,
      at,
      status,
      isFailed,
      durationMs: Date.now() - at,
    })
  }
  const call = useMutation({
    mutationFn: async () => {
      const { method, path, body, headers } = draft
      const at = Date.now()
      if (!path.startsWith('/') || path.startsWith('//'))
        throw new Error('An address begins with one /, and stays at this server.')
      known.current = keyOf(draft)
      void navigate({ ...followCall(draft), replace: true })
      try {
        const hasBody = body.trim() !== '' && !['GET', 'HEAD'].includes(method)
        const answer = await send(path, { method, headers: readHeaders(headers), ...(hasBody && { body }) })
        const results = readResults(kindOf(method, path), answer.body)
        keep(at, answer.status, failures(results) !== undefined)
        return { answer, results, sent: keyOf(draft) }
      } catch (error) {
        keep(at, error instanceof CallError ? error.status : 0, true)
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
  // Steps that were changed since have no results yet.
  const results = (call.data?.sent === keyOf(draft) ? call.data?.results : undefined) ?? []
  const hasBody = !['GET', 'HEAD'].includes(draft.method)
  const shown = view === 'steps' && kind === undefined ? 'body' : view

  /** A body is written; an address without one leads to an object, or asks for fields of its records. */
  const insert = (inserted: Inserted) => {
    if (hasBody && shown === 'body' && body.current !== null) insertIntoJson(body.current, inserted)
    else change({ path: insertIntoPath(draft.path, inserted) })
  }

  return (
    <BesideSchema schema={schema} object={objectIn(draft.path)} verb="Insert" onInsert={insert}>
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
          <CallHistory
            onChoose={({ method, path, body, headers }) => change({ method, path, body, headers })}
          />
          <SavedMenu<SavedCall>
            kind="call"
            current={{ ...draft, headers: withoutToken(draft.headers) }}
            suggestedName=""
            getText={({ method, path }) => `${method} ${path}`}
            onChoose={({ method, path, body, headers }) => change({ method, path, body, headers })}
          />
          <CopyAs
            call={{
              method: draft.method,
              path: draft.path,
              body: hasBody && draft.body.trim() !== '' ? draft.body : undefined,
            }}
          />
          <SchemaButton schema={schema} />
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
                  onReady={(view) => {
                    body.current = view
                  }}
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
            <CallResponse
              answer={call.data?.answer}
              error={call.error}
              failed={failures(call.data?.results ?? [])}
            />
          </section>
        </div>
      </div>
    </BesideSchema>
  )
}

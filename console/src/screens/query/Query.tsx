import type { EditorView } from '@codemirror/view'
import {
  Alert,
  Button,
  Center,
  Code,
  Group,
  Kbd,
  Loader,
  SegmentedControl,
  Switch,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconBraces, IconPlayerPlay, IconPlayerStop, IconTable } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { data } from '../../api/client.ts'
import type { Saved } from '../../api/preferences.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Editor } from '../../components/editor/Editor.tsx'
import { insertIntoQuery } from '../../components/editor/insert-text.ts'
import { SavedMenu } from '../../components/SavedMenu.tsx'
import { BesideSchema, SchemaButton } from '../../components/schema/SchemaPane.tsx'
import { type SchemaOpen, useSchemaOpen } from '../../components/schema/schema-open.ts'
import { scrollRegion } from '../../components/scroll-region.ts'
import { TabStrip } from '../../components/tabs/TabStrip.tsx'
import { useTabs } from '../../components/tabs/use-tabs.ts'
import { count } from '../../components/words.ts'
import { EditBar } from './EditBar.tsx'
import { EditorEdge, useEditorHeight } from './EditorEdge.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { findErrorPosition } from './error-position.ts'
import { HistoryMenu } from './HistoryMenu.tsx'
import { NewTab } from './NewTab.tsx'
import { Plan } from './Plan.tsx'
import styles from './Query.module.css'
import { ResultGrid } from './ResultGrid.tsx'
import { ResultStatus } from './ResultStatus.tsx'
import type { QueryLanguage } from './run.ts'
import { makeTab, nameOf, objectOf, QUERY_TABS, type QueryTab } from './tabs.ts'
import { changeEdits, type Running, start, stop, undoEdit, useRunning } from './use-run.ts'

// Its schema and parser are large, and few tabs need them.
const GraphqlEditor = lazy(async () => ({ default: (await import('./GraphqlEditor.tsx')).GraphqlEditor }))

interface SavedQuery extends Saved {
  readonly language: QueryLanguage
  readonly text: string
  readonly object?: string | undefined
}

type View = 'rows' | 'json' | 'plan'

/** One tab: its editor above what it gave. */
function OpenTab({
  tab,
  schema,
  editor,
  change,
  onAdd,
}: {
  tab: QueryTab
  schema: SchemaOpen
  editor: RefObject<EditorView | null>
  change: (change: Partial<QueryTab>) => void
  onAdd: (tab: QueryTab) => void
}) {
  const running = useRunning(tab.id)
  const { result, error, isRunning, edits } = running
  const [view, setView] = useState<View>('rows')
  const [isAll, setAll] = useState(false)
  const [planned, setPlanned] = useState('')
  const navigate = useNavigate()
  const [height, setHeight] = useEditorHeight()
  const { language, text, variables } = tab
  const isSoql = language === 'soql'

  const runText = (selected?: string) => {
    const asked = (selected ?? text).trim()
    if (asked === '') return
    if (view === 'plan') setView('rows')
    // A link to it opens the same for somebody else.
    void navigate({
      to: '/query',
      search: {
        q: text.length < 6000 ? text : undefined,
        language: language === 'soql' ? undefined : language,
      },
      replace: true,
    })
    void start(tab.id, { language, text: asked, variables, isAll })
  }
  const position = findErrorPosition(error, text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each error
  useEffect(() => {
    if (position === undefined || editor.current === null) return
    editor.current.dispatch({ selection: { anchor: position } })
    editor.current.focus()
  }, [error])
  const showPlan = () => {
    setPlanned(text.trim())
    setView('plan')
  }

  const call = isSoql
    ? { method: 'GET', path: data(`/query?${new URLSearchParams({ q: text })}`) }
    : language === 'sosl'
      ? { method: 'GET', path: data(`/search?${new URLSearchParams({ q: text })}`) }
      : { method: 'POST', path: data('/graphql'), body: JSON.stringify({ query: text }) }

  return (
    <>
      <div className={styles.editor} style={{ height }}>
        {language === 'graphql' ? (
          <Suspense fallback={<Loader size="sm" m="md" />}>
            <GraphqlEditor tab={tab} change={change} onRun={runText} />
          </Suspense>
        ) : (
          <Editor
            label={isSoql ? 'Query' : 'Search'}
            language={language}
            value={text}
            autoFocus
            placeholder={
              isSoql
                ? 'SELECT Id, Name FROM Account'
                : 'FIND {acme} IN NAME FIELDS RETURNING Account(Id, Name)'
            }
            onChange={(changed) => change({ text: changed })}
            onRun={runText}
            onReady={(view) => {
              editor.current = view
            }}
          />
        )}
      </div>
      <div className={styles.toolbar}>
        {isRunning ? (
          <Button
            color="red"
            variant="light"
            leftSection={<IconPlayerStop size={15} />}
            onClick={() => stop(tab.id)}
          >
            Stop
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={15} />}
            onClick={() => runText()}
            disabled={text.trim() === ''}
          >
            Run
          </Button>
        )}
        {isSoql && (
          <>
            <Button variant="default" onClick={showPlan} disabled={text.trim() === ''}>
              Plan
            </Button>
            <Tooltip label="Those in the recycle bin, too">
              <Switch
                size="xs"
                label="Deleted records"
                checked={isAll}
                onChange={({ currentTarget }) => setAll(currentTarget.checked)}
              />
            </Tooltip>
          </>
        )}
        <Group gap={2} ml="auto">
          {language !== 'graphql' && <SchemaButton schema={schema} />}
          <HistoryMenu onChoose={(ran) => onAdd(makeTab(ran.language, ran.text))} />
          <SavedMenu<SavedQuery>
            kind="query"
            current={text.trim() === '' ? undefined : { language, text, object: nameOf(tab) }}
            suggestedName={tab.name ?? ''}
            getText={(saved) => saved.text}
            onChoose={(saved) => onAdd({ ...makeTab(saved.language, saved.text), name: saved.name })}
          />
          <CopyAs call={call} />
          {result !== undefined && result.rows.length > 0 && (
            <ExportMenu result={result} name={nameOf(tab)} />
          )}
        </Group>
      </div>
      <EditorEdge height={height} onResize={setHeight} />
      <div className={styles.results}>
        {(result !== undefined || view === 'plan') && (
          <div className={styles.status}>
            <SegmentedControl
              size="xs"
              value={view}
              onChange={(value) => setView(value as View)}
              data={[
                { value: 'rows', label: 'Rows' },
                { value: 'json', label: 'JSON' },
                ...(view === 'plan' ? [{ value: 'plan', label: 'Plan' }] : []),
              ]}
            />
            {result !== undefined && view !== 'plan' && (
              <ResultStatus result={result} isRunning={isRunning} tab={tab} />
            )}
            {isRunning && <Loader size="xs" />}
          </div>
        )}
        <div className={styles.body} {...(view === 'rows' ? {} : scrollRegion('Result'))}>
          {error !== undefined && (
            <div style={{ padding: 12 }}>
              <ErrorNotice error={error} />
            </div>
          )}
          {view === 'plan' ? <Plan soql={planned} /> : <Shown running={running} view={view} tab={tab} />}
        </div>
        {result !== undefined && view !== 'plan' && <EditBar tab={tab} edits={edits} result={result} />}
      </div>
    </>
  )
}

function Shown({ running, view, tab }: { running: Running; view: View; tab: QueryTab }) {
  const { result, isRunning, edits } = running
  if (result === undefined) {
    if (isRunning)
      return (
        <Center h="100%">
          <Loader size="sm" />
        </Center>
      )
    return running.error !== undefined ? null : (
      <EmptyState title="Nothing was asked yet" icon={<IconTable size={28} stroke={1.3} />}>
        <Text size="sm">
          Write a query and press <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>.
        </Text>
      </EmptyState>
    )
  }
  if (view === 'json')
    return (
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', background: 'transparent' }}>
        {JSON.stringify(result.answer ?? result.rows.slice(0, 500), null, 2)}
      </Code>
    )
  return (
    <>
      {result.isPartial && (
        <Alert color="orange" title="The answer has errors" m="xs">
          {(result.answer as { errors: readonly { message: string }[] }).errors.map(({ message }) => (
            <Text key={message} size="sm">
              {message}
            </Text>
          ))}
        </Alert>
      )}
      {result.rows.length === 0 ? (
        <EmptyState
          title={result.totalSize > 0 ? `The count is ${count(result.totalSize)}` : 'No rows'}
          text={
            result.totalSize > 0
              ? 'A query of COUNT() has no rows.'
              : 'Nothing meets the conditions, or you may not see it.'
          }
          icon={<IconBraces size={28} stroke={1.3} />}
        />
      ) : (
        <ResultGrid
          key={result.readAt === 0 ? '' : tab.id + result.steps[0]!.path}
          label="Result"
          rows={result.rows}
          edits={edits}
          savedAt={running.savedAt}
          onEdits={tab.language === 'soql' ? (change) => changeEdits(tab.id, change) : undefined}
          onUndo={() => undoEdit(tab.id)}
        />
      )}
    </>
  )
}

/** Queries, searches and GraphQL documents in tabs. */
export function Query() {
  const { tabs, active, isRead, choose, add, change, close } = useTabs<QueryTab>(QUERY_TABS)
  const { q, language } = useSearch({ from: '/query' })
  const schema = useSchemaOpen()
  const editor = useRef<EditorView>(null)
  const followed = useRef<string>(undefined)
  useEffect(() => {
    const link = `${language} ${q}`
    if (active === undefined || followed.current === link) return
    followed.current = link
    const isOf = (tab: QueryTab) => tab.text === q && tab.language === (language ?? 'soql')
    // What a tab ran is in the address too.
    if (q === undefined || isOf(active)) return
    // A link that was followed: its own tab, unless it is there already.
    const known = tabs.find(isOf)
    if (known === undefined) add(makeTab(language ?? 'soql', q))
    else choose(known.id)
  }, [active, tabs, q, language, add, choose])
  const screen = (
    <div className={styles.screen}>
      <h1 className="console-hidden">Query</h1>
      <TabStrip
        label="Queries"
        tabs={tabs}
        active={active}
        getName={nameOf}
        nameHint="Empty: after its object"
        addButton={<NewTab onAdd={add} />}
        onChoose={choose}
        onRename={(id, name) => change(id, { name })}
        onClose={close}
      />
      {active === undefined ? (
        isRead && (
          <EmptyState title="No tab is open">
            <Button onClick={() => add(makeTab('soql'))}>New query</Button>
          </EmptyState>
        )
      ) : (
        <OpenTab
          key={active.id}
          tab={active}
          schema={schema}
          editor={editor}
          change={(changed) => change(active.id, changed)}
          onAdd={add}
        />
      )}
    </div>
  )
  // GraphQL has a schema of its own beside its editor.
  if (active === undefined || active.language === 'graphql') return screen
  return (
    <BesideSchema
      schema={schema}
      object={objectOf(active)}
      verb="Insert"
      onInsert={(inserted) => {
        if (editor.current !== null) insertIntoQuery(editor.current, inserted)
      }}
    >
      {screen}
    </BesideSchema>
  )
}

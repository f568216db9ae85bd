import type { EditorView } from '@codemirror/view'
import { Autocomplete, Button, Group, Menu, SegmentedControl, Select, Text } from '@mantine/core'
import { IconSend, IconTemplate } from '@tabler/icons-react'
import { type RefObject, useMemo } from 'react'
import type { Saved } from '../../api/preferences.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { Editor } from '../../components/editor/Editor.tsx'
import { SavedMenu } from '../../components/SavedMenu.tsx'
import { SchemaButton } from '../../components/schema/SchemaPane.tsx'
import type { SchemaOpen } from '../../components/schema/schema-open.ts'
import { CallHistory } from './CallHistory.tsx'
import { CallResponse } from './CallResponse.tsx'
import { CompositeSteps } from './CompositeSteps.tsx'
import { failures, kindOf, readSteps } from './composite.ts'
import styles from './Explorer.module.css'
import { METHODS } from './methods.ts'
import { type CallDraft, readHeaders, withoutToken } from './sent-call.ts'
import { type CallTab, type CallView, firstView, makeTab } from './tabs.ts'
import { templates } from './templates.ts'
import { hasBody, keyOf, useCalled } from './use-call.ts'
import { usePaths } from './use-paths.ts'

interface SavedCall extends CallDraft, Saved {}

interface Shown {
  readonly tab: CallTab
  readonly schema: SchemaOpen
  readonly body: RefObject<EditorView | null>
  readonly view: CallView
  readonly change: (change: Partial<CallTab>) => void
  readonly onAdd: (tab: CallTab) => void
  readonly onSend: () => void
}

/** One tab: its call above, and beside it what came back. */
export function OpenCall({ tab, schema, body, view, change, onAdd, onSend }: Shown) {
  const called = useCalled(tab.id)
  const paths = usePaths(tab.path)
  const kind = kindOf(tab.method, tab.path)
  const problems = useMemo(() => {
    if (kind === undefined) return []
    try {
      return readSteps(kind, JSON.parse(tab.body || '{}')).flatMap((step) => step.problems)
    } catch {
      return []
    }
  }, [kind, tab.body])
  const unfinished = kind !== undefined && tab.step?.text !== undefined
  const problem = unfinished ? 'The body of the open step is not JSON yet.' : problems[0]
  // Steps that were changed since have no results yet.
  const results = called.sent === keyOf(tab) ? called.results : []
  const isSentWithBody = hasBody(tab.method)
  const run = () => {
    if (problem === undefined && !called.isSending) onSend()
  }
  return (
    <>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <Select
          aria-label="Method"
          w={104}
          data={METHODS}
          value={tab.method}
          allowDeselect={false}
          onChange={(method) => change({ method: method ?? 'GET' })}
        />
        <Autocomplete
          aria-label="Address"
          flex={1}
          ff="monospace"
          data={paths}
          filter={({ options }) => options}
          value={tab.path}
          onChange={(path) => change({ path })}
          maxDropdownHeight={320}
        />
        <Button
          type="submit"
          size="sm"
          h={36}
          loading={called.isSending}
          disabled={problem !== undefined}
          leftSection={<IconSend size={15} />}
        >
          Send
        </Button>
      </form>
      <Group px={16} pb={8} gap={2}>
        <Menu position="bottom-start" width={280}>
          <Menu.Target>
            <Button variant="subtle" color="gray" leftSection={<IconTemplate size={15} />}>
              Templates
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
            {templates().map(({ label, ...template }) => (
              <Menu.Item
                key={label}
                onClick={() =>
                  change({ ...template, view: firstView(template.method, template.path), step: undefined })
                }
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <CallHistory onChoose={(sent) => onAdd(makeTab(sent))} />
        <SavedMenu<SavedCall>
          kind="call"
          current={{
            method: tab.method,
            path: tab.path,
            body: tab.body,
            headers: withoutToken(tab.headers),
          }}
          suggestedName={tab.name ?? ''}
          getText={({ method, path }) => `${method} ${path}`}
          onChoose={(saved) => onAdd({ ...makeTab(saved), name: saved.name })}
        />
        <CopyAs
          call={{
            method: tab.method,
            path: tab.path,
            body: isSentWithBody && tab.body.trim() !== '' ? tab.body : undefined,
            headers: readHeaders(withoutToken(tab.headers)),
          }}
        />
        <SchemaButton schema={schema} />
        {problem !== undefined && (
          <Group gap="xs" ml="sm" wrap="nowrap">
            <Text size="sm" c="red" role="alert">
              {problem}
            </Text>
            <Button variant="light" color="red" loading={called.isSending} onClick={onSend}>
              Send anyway
            </Button>
          </Group>
        )}
      </Group>
      <div className={styles.panes}>
        <section className={styles.pane} aria-label="Request">
          <div className={styles.head}>
            <SegmentedControl
              size="xs"
              value={view}
              onChange={(chosen) => change({ view: chosen as CallView })}
              data={[
                { value: 'body', label: 'Body' },
                ...(kind === undefined ? [] : [{ value: 'steps', label: 'Steps' }]),
                { value: 'headers', label: 'Headers' },
              ]}
            />
            {!isSentWithBody && view === 'body' && (
              <Text size="xs" c="dimmed">
                A {tab.method} is sent without one.
              </Text>
            )}
          </div>
          <div className={styles.body}>
            {view === 'body' && (
              <Editor
                label="Body"
                language="json"
                value={tab.body}
                onChange={(changed) => change({ body: changed, step: undefined })}
                onRun={run}
                onReady={(editor) => {
                  body.current = editor
                }}
              />
            )}
            {view === 'steps' && kind !== undefined && (
              <div style={{ padding: 12 }}>
                <CompositeSteps
                  kind={kind}
                  body={tab.body}
                  results={results}
                  open={tab.step}
                  onChange={(changed) => change({ body: changed })}
                  onOpen={(step) => change({ step })}
                />
              </div>
            )}
            {view === 'headers' && (
              <Editor
                label="Headers"
                language="plain"
                value={tab.headers}
                placeholder={
                  'Svc-Query-Options: batchSize=200\nThe console adds its token, unless a line here begins with Authorization. That line is sent and never kept.'
                }
                onChange={(headers) => change({ headers })}
                onRun={run}
              />
            )}
          </div>
        </section>
        <section className={styles.pane} aria-label="Response">
          <CallResponse answer={called.answer} error={called.error} failed={failures(called.results)} />
        </section>
      </div>
    </>
  )
}

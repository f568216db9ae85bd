import type { EditorView } from '@codemirror/view'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../components/EmptyState.tsx'
import { insertIntoJson } from '../../components/editor/insert-text.ts'
import type { Inserted } from '../../components/schema/inserted.ts'
import { BesideSchema } from '../../components/schema/SchemaPane.tsx'
import { useSchemaOpen } from '../../components/schema/schema-open.ts'
import { TabStrip } from '../../components/tabs/TabStrip.tsx'
import { useTabs } from '../../components/tabs/use-tabs.ts'
import { kindOf } from './composite.ts'
import styles from './Explorer.module.css'
import { followCall } from './followed-call.ts'
import { OpenCall } from './OpenCall.tsx'
import { insertIntoPath, objectIn } from './path-objects.ts'
import { CALL_TABS, type CallTab, makeTab, nameOf } from './tabs.ts'
import { dropCalled, hasBody, keyOf, sendCall } from './use-call.ts'

/** Any call in tabs: written, sent, kept, and read. */
export function Explorer() {
  const { tabs, active, isRead, choose, add, change, close } = useTabs<CallTab>(CALL_TABS)
  const { path, method = 'GET', body: short } = useSearch({ from: '/explorer' })
  const long = useRouterState({ select: ({ location }) => location.state.body })
  const navigate = useNavigate({ from: '/explorer' })
  const schema = useSchemaOpen()
  const editor = useRef<EditorView>(null)
  const followed = useRef<string>(undefined)
  const body = short ?? long ?? ''
  useEffect(() => {
    if (active === undefined || path === undefined) return
    const link = keyOf({ method, path, body })
    if (followed.current === link) return
    followed.current = link
    // The call that a tab sent is in the address too.
    if (keyOf(active) === link) return
    // A link that was followed: its own tab, unless it is there already. Links have no headers.
    const known = tabs.find((tab) => keyOf(tab) === link && tab.headers.trim() === '')
    if (known === undefined) add(makeTab({ method, path, body }))
    else choose(known.id)
  }, [active, tabs, method, path, body, add, choose])

  const view =
    active?.view === 'steps' && kindOf(active.method, active.path) === undefined ? 'body' : active?.view
  const sendActive = (tab: CallTab) => {
    followed.current = keyOf(tab)
    // A link to it opens the same for somebody else.
    void navigate({ ...followCall(tab), replace: true })
    void sendCall(tab.id, tab)
  }
  /** A body is written; an address without one leads to an object, or asks for fields of its records. */
  const insert = (inserted: Inserted) => {
    if (active === undefined) return
    if (hasBody(active.method) && view === 'body' && editor.current !== null)
      insertIntoJson(editor.current, inserted)
    else change(active.id, { path: insertIntoPath(active.path, inserted) })
  }
  return (
    <BesideSchema schema={schema} object={active && objectIn(active.path)} verb="Insert" onInsert={insert}>
      <div className={styles.screen}>
        <h1 className="console-hidden">API explorer</h1>
        <TabStrip
          label="Calls"
          tabs={tabs}
          active={active}
          getName={nameOf}
          nameHint="Empty: after its method and address"
          addButton={
            <Tooltip label="New tab">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label="New tab"
                mt={2}
                onClick={() => add(makeTab())}
              >
                <IconPlus size={16} />
              </ActionIcon>
            </Tooltip>
          }
          onChoose={choose}
          onRename={(id, name) => change(id, { name })}
          onClose={(id) => {
            close(id)
            dropCalled(id)
          }}
        />
        {active === undefined || view === undefined ? (
          isRead && (
            <EmptyState title="No tab is open">
              <Button onClick={() => add(makeTab())}>New call</Button>
            </EmptyState>
          )
        ) : (
          <OpenCall
            key={active.id}
            tab={active}
            schema={schema}
            body={editor}
            view={view}
            change={(changed) => change(active.id, changed)}
            onAdd={add}
            onSend={() => sendActive(active)}
          />
        )}
      </div>
    </BesideSchema>
  )
}

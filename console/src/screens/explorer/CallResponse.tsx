import { Alert, Badge, Code, SegmentedControl, Table } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useObjects } from '../../api/describe.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { answerLinks } from '../../components/editor/answer-links.ts'
import { Editor } from '../../components/editor/Editor.tsx'
import { scrollRegion } from '../../components/scroll-region.ts'
import { describeBytes, describeDuration } from '../../components/words.ts'
import styles from './Explorer.module.css'

/** Above this, in characters, colours and folds cost more than they help. */
const MAX_COLOURED = 1_000_000
const MAX_LINE = 20_000

/** The status, time, size, headers and body of a response, or why there is none. */
export function CallResponse({
  answer,
  error,
  failed,
}: {
  answer: Answer | undefined
  error: Error | null
  failed: string | undefined
}) {
  const [view, setView] = useState('body')
  const { history } = useRouter()
  const { data: objects } = useObjects()
  // biome-ignore lint/correctness/useExhaustiveDependencies: ids are known by the objects that were listed
  const links = useMemo(() => answerLinks((address) => history.push(address)), [history, objects])
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
    pretty.length < MAX_COLOURED && pretty.split('\n').every((line) => line.length < MAX_LINE)
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
      <div
        className={styles.body}
        {...((view === 'headers' || !isColoured) && scrollRegion(`Response: ${view}`))}
      >
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
            extensions={answer.body === undefined ? undefined : links}
          />
        ) : (
          <>
            <Alert m="xs" variant="light">
              Large: shown without colours and links, up to its first megabyte.
            </Alert>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {pretty.slice(0, MAX_COLOURED)}
            </Code>
          </>
        )}
      </div>
    </>
  )
}

import { Alert, Badge, Button, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertCircle, IconDownload, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { KeptContent, LoggedCall, WholeCall } from '../../../../src/calllog/logged-call.ts'
import { get } from '../../api/client.ts'
import { BesidePanel } from '../../components/beside/BesidePanel.tsx'
import type { Beside } from '../../components/beside/use-beside.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { download } from '../../components/download.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { scrollRegion } from '../../components/scroll-region.ts'
import { dayAndTime, describeDuration } from '../../components/words.ts'
import { followCall } from '../explorer/followed-call.ts'
import { messagesOf, queryOf } from './call-content.ts'
import { isFailed, statusText } from './call-status.ts'
import { asHar } from './har.ts'

const shown = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

/** An app by its name, above its client id. */
function App({ clientId, name }: { clientId: string; name: string | undefined }) {
  if (name === undefined) return clientId
  return (
    <>
      {name}
      <Text size="xs" c="dimmed">
        {clientId}
      </Text>
    </>
  )
}

function Body({ title, kept }: { title: string; kept: KeptContent | null | undefined }) {
  if (kept === undefined || kept === null) return null
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 320, overflow: 'auto' }}
        {...scrollRegion(title)}
      >
        {shown(kept.body ?? kept.query ?? '') || 'no body'}
      </Code>
    </div>
  )
}

/** The query of a call and the messages of its errors, where the log has them. */
function Gist({ call }: { call: WholeCall }) {
  const messages = messagesOf(call)
  const query = queryOf(call)
  return (
    <>
      {(messages.length > 0 || isFailed(call)) && (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertCircle />}
          title={call.errorCode || statusText(call)}
        >
          {messages.map((message) => (
            <Text key={message} size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {message}
            </Text>
          ))}
          {messages.length === 0 && <Text size="sm">Its message was not kept.</Text>}
        </Alert>
      )}
      {query !== undefined && (
        <div>
          <Group justify="space-between" mb={4}>
            <Title order={3} size="h6">
              Query
            </Title>
            <Link
              to="/query"
              search={{ q: query.text, language: query.language }}
              className="console-link"
              style={{ fontSize: 13 }}
            >
              Open in Query
            </Link>
          </Group>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {query.text}
          </Code>
        </div>
      )}
    </>
  )
}

interface Shown {
  readonly id: string
  /** The call as it is listed: shown until the rest has come. */
  readonly listed: LoggedCall | undefined
  /** Names by client id. */
  readonly apps: ReadonlyMap<string, string>
  readonly beside: Beside
}

/** One call: what was sent, which statements it took, and how it ended. */
export function OpenCall({ id, listed, apps, beside }: Shown) {
  const {
    data: call,
    error,
    isPlaceholderData: isPart,
  } = useQuery({
    queryKey: ['call', id],
    queryFn: ({ signal }) => get<WholeCall>(`/setup/orgs/current/calls/${id}`, { signal }),
    placeholderData: listed && { ...listed, statementList: [] },
    retry: false,
  })
  const asked = call?.request?.query
  const path =
    call === undefined
      ? ''
      : `${call.path}${asked === undefined || asked === '' ? '' : `?${asked.replace(/^\?/, '')}`}`
  const app = call?.app == null ? '–' : <App clientId={call.app} name={apps.get(call.app)} />
  const body = call?.request?.body
  const bodyText = body === undefined || body === null ? undefined : shown(body)
  return (
    <BesidePanel beside={beside} kind="Call" title="Call" back="Calls">
      {error !== null && <ErrorNotice error={error} />}
      {call === undefined && error === null && <Skeleton h={240} />}
      {call !== undefined && (
        <Stack>
          <div>
            <Group gap="xs">
              <Badge tt="none" color={isFailed(call) ? 'red' : 'teal'}>
                {statusText(call)}
              </Badge>
              <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
                {call.method} {path}
              </Text>
            </Group>
            <Group gap={2} mt="xs">
              <Button
                renderRoot={(props) => (
                  <Link
                    to="/explorer"
                    {...followCall({ method: call.method, path, body: bodyText ?? '' })}
                    {...props}
                  />
                )}
                variant="light"
                leftSection={<IconPlugConnected size={15} />}
              >
                Open in the API explorer
              </Button>
              <CopyAs call={{ method: call.method, path, body: bodyText }} />
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconDownload size={15} />}
                onClick={() => download(`call-${call.id}.har`, asHar([call]), 'application/json')}
              >
                HAR
              </Button>
            </Group>
          </div>
          {!isPart && <Gist call={call} />}
          <Table>
            <Table.Tbody>
              {(
                [
                  ['When', dayAndTime(call.time)],
                  [
                    'Duration',
                    `${describeDuration(call.durationMs)}${call.databaseMs === null ? '' : `, ${describeDuration(call.databaseMs)} of it in the database`}`,
                  ],
                  ['Route', call.route],
                  ['User', call.user ?? 'the public site'],
                  ['App', app],
                  ['From', call.clientAddress],
                  ['Request id', call.requestId],
                ] as const
              ).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Td w={110} c="dimmed">
                    {name}
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <div>
            <Title order={3} size="h6" mb={4}>
              Statements
            </Title>
            {isPart && <Skeleton h={60} />}
            {!isPart && call.statementList.length === 0 && (
              <Text size="sm" c="dimmed">
                None was counted.
              </Text>
            )}
            {call.statementList.map(({ sql, ms }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same statement may come twice
              <div key={index}>
                <Text size="xs" c="dimmed" mt={6}>
                  {describeDuration(ms)}
                </Text>
                <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {sql}
                </Code>
              </div>
            ))}
          </div>
          <Body title="Request" kept={call.request} />
          <Body title="Response" kept={call.response} />
          {!isPart && (call.request === undefined || call.request === null) && (
            <Text size="sm" c="dimmed">
              Its query, bodies and messages were not kept. “Keep bodies” keeps those of calls from then on,
              without credentials.
            </Text>
          )}
        </Stack>
      )}
    </BesidePanel>
  )
}

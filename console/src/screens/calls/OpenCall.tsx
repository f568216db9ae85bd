import { Badge, Button, Code, Drawer, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { KeptContent, WholeCall } from '../../../../src/calllog/logged-call.ts'
import { get } from '../../api/client.ts'
import { CopyAs } from '../../components/CopyAs.tsx'
import { download } from '../../components/download.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { scrollRegion } from '../../components/scroll-region.ts'
import { dayAndTime, describeDuration } from '../../components/words.ts'
import { followCall } from '../explorer/followed-call.ts'
import { isFailed, statusText } from './call-status.ts'
import { asHar } from './har.ts'

const shown = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

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

/** One call: what was sent, which statements it took, and how it ended. */
export function OpenCall({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data: call, error } = useQuery({
    queryKey: ['call', id],
    queryFn: ({ signal }) => get<WholeCall>(`/setup/orgs/current/calls/${id}`, { signal }),
    enabled: id !== undefined,
    retry: false,
  })
  const query = call?.request?.query
  const path =
    call === undefined
      ? ''
      : `${call.path}${query === undefined || query === '' ? '' : `?${query.replace(/^\?/, '')}`}`
  const body = call?.request?.body
  const bodyText = body === undefined || body === null ? undefined : shown(body)
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="xl" title="A call">
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
          <Table>
            <Table.Tbody>
              {(
                [
                  ['When', dayAndTime(call.time)],
                  [
                    'Took',
                    `${describeDuration(call.durationMs)}${call.databaseMs === null ? '' : `, ${describeDuration(call.databaseMs)} of it in the database`}`,
                  ],
                  ['Code', call.errorCode || '–'],
                  ['Route', call.route],
                  ['User', call.user ?? 'the public site'],
                  ['App', call.app ?? '–'],
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
            {call.statementList.length === 0 && (
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
          {(call.request === undefined || call.request === null) && (
            <Text size="sm" c="dimmed">
              Its bodies were not kept. “Keep bodies” keeps those of calls from then on, without credentials.
            </Text>
          )}
        </Stack>
      )}
    </Drawer>
  )
}

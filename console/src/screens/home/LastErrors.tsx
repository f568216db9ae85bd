import { Badge, Group, Paper, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LoggedCalls } from '../../../../src/calllog/logged-call.ts'
import { get } from '../../api/client.ts'
import { unlessRefused } from '../../api/who.ts'
import { dayAndTime } from '../../components/words.ts'

const SHOWN = 6

const load = async (status: string, signal: AbortSignal) =>
  unlessRefused(
    get<LoggedCalls>(`/setup/orgs/current/calls?limit=${SHOWN}&status=${status}`, {
      signal,
    }),
  )

/** The latest calls that failed, for users who may read the call log. */
export function LastErrors() {
  const { data: calls } = useQuery({
    queryKey: ['home', 'errors'],
    queryFn: async ({ signal }) => {
      const found = await Promise.all([load('4xx', signal), load('5xx', signal)])
      if (found.includes(null)) return null
      return found
        .flatMap((page) => page!.calls)
        .sort((a, b) => b.time.localeCompare(a.time))
        .slice(0, SHOWN)
    },
    retry: false,
  })
  if (calls === undefined || calls === null) return null
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Last errors
        </Title>
        <Link to="/calls" search={{ status: '4xx', own: 'on' }} className="console-link">
          Call log
        </Link>
      </Group>
      {calls.length === 0 ? (
        <Text size="sm" c="dimmed">
          No call of this org has failed in the last days.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={620}>
          <Table>
            <Table.Tbody>
              {calls.map(({ id, time, status, method, path, errorCode, requestId }) => (
                <Table.Tr key={id}>
                  <Table.Td w={84} pl={0}>
                    <Badge tt="none" variant="light" color="red">
                      {status}
                    </Badge>
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Link to="/calls" search={{ call: id }} className="console-link">
                      {method} {path.slice(0, 120)}
                    </Link>
                    <Text size="xs" c="dimmed">
                      {errorCode}
                    </Text>
                  </Table.Td>
                  <Table.Td c="dimmed" ff="monospace" fz="xs">
                    {requestId}
                  </Table.Td>
                  <Table.Td c="dimmed" ta="right" style={{ whiteSpace: 'nowrap' }}>
                    {dayAndTime(time)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  )
}

import { Button, Code, Group, Paper, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { data, send } from '../../api/client.ts'
import { type ObjectSummary, useObjects } from '../../api/describe.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import type { CopiedCall } from '../../components/copy/copied-call.ts'
import { describeBytes, describeDuration } from '../../components/words.ts'

interface FirstCall extends CopiedCall {
  readonly what: string
  readonly soql?: string
}

/** Calls that work in this org as they are: with an object of its own, where there is one. */
function makeCalls(objects: readonly ObjectSummary[]): FirstCall[] {
  const usable = objects.filter(
    ({ queryable, layoutable, createable }) => queryable && layoutable && createable,
  )
  const object =
    usable.find(({ custom }) => custom) ?? usable.find(({ name }) => name === 'Account') ?? usable[0]
  if (object === undefined) return []
  const soql = `SELECT Id, Name FROM ${object.name} ORDER BY CreatedDate DESC LIMIT 5`
  return [
    {
      what: `The newest ${object.labelPlural.toLowerCase()}`,
      method: 'GET',
      path: data(`/query?${new URLSearchParams({ q: soql })}`),
      soql,
    },
    { what: `Fields of ${object.label}`, method: 'GET', path: data(`/sobjects/${object.name}/describe`) },
    { what: 'What the org may use, and what is left', method: 'GET', path: data('/limits') },
  ]
}

function ReadyCall({ call }: { call: FirstCall }) {
  const { mutate, data: answer, isPending, error } = useMutation({ mutationFn: () => send(call.path) })
  return (
    <Stack gap={6} py="xs">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={550}>
            {call.what}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" truncate>
            {call.soql ?? `${call.method} ${call.path}`}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          <CopyAs call={call} />
          <Button
            variant="light"
            leftSection={<IconPlayerPlay size={14} />}
            loading={isPending}
            onClick={() => mutate()}
            aria-label={`Run: ${call.what}`}
          >
            Run
          </Button>
        </Group>
      </Group>
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
      {answer !== undefined && (
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            {answer.status}, {describeDuration(answer.durationMs)}, {describeBytes(answer.bytes)}
          </Text>
          <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, 'aria-label': 'Response' }}>
            <Code block>{JSON.stringify(answer.body, null, 2).slice(0, 20_000)}</Code>
          </ScrollArea.Autosize>
        </div>
      )}
    </Stack>
  )
}

/** Three calls to begin with. */
export function FirstCalls() {
  const { data: objects } = useObjects()
  if (objects === undefined) return null
  return (
    <Paper p="md">
      <Title order={2} size="h5">
        Try first
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Calls that work in this org as they are.
      </Text>
      {makeCalls(objects).map((call) => (
        <ReadyCall key={call.what} call={call} />
      ))}
    </Paper>
  )
}

import { Badge, Group, Text } from '@mantine/core'
import { HistoryDrawer } from '../../components/HistoryDrawer.tsx'
import { dayAndTime, describeDuration } from '../../components/words.ts'
import { CALL_HISTORY, type SentCall } from './sent-call.ts'

/** The calls that were sent from this browser. */
export const CallHistory = ({ onChoose }: { onChoose: (sent: SentCall) => void }) => (
  <HistoryDrawer<SentCall>
    place={CALL_HISTORY}
    title="Calls of this browser"
    emptyTitle="Nothing was sent yet"
    getText={({ method, path }) => `${method} ${path}`}
    onChoose={onChoose}
    render={({ at, method, path, status, isFailed, durationMs }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Badge tt="none" variant="light" color={status >= 400 || status === 0 || isFailed ? 'red' : 'teal'}>
            {status}
            {isFailed && status < 400 && status > 0 && ', failed'}
          </Badge>
          <Text size="sm" ff="monospace" truncate>
            {method} {path}
          </Text>
        </Group>
        <Text size="xs" c="dimmed">
          {dayAndTime(at)}, {describeDuration(durationMs)}
        </Text>
      </>
    )}
  />
)

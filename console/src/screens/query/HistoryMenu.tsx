import { Badge, Group, Text } from '@mantine/core'
import { HistoryDrawer } from '../../components/HistoryDrawer.tsx'
import { count, dayAndTime, describeDuration } from '../../components/words.ts'
import { QUERY_HISTORY, type Ran } from './history.ts'

/** Queries that were run in this browser; a choice opens in a new tab. */
export const HistoryMenu = ({ onChoose }: { onChoose: (ran: Ran) => void }) => (
  <HistoryDrawer<Ran>
    place={QUERY_HISTORY}
    title="History"
    emptyTitle="Nothing was run yet"
    getText={({ text }) => text}
    onChoose={onChoose}
    render={(ran) => (
      <>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {dayAndTime(ran.at)}, {describeDuration(ran.durationMs)}
          </Text>
          <Badge size="sm" tt="none" variant="light" color={ran.isFailed ? 'red' : 'teal'}>
            {ran.isFailed ? 'failed' : `${count(ran.rows)} rows`}
          </Badge>
        </Group>
        <Text size="sm" ff="monospace" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {ran.text}
        </Text>
      </>
    )}
  />
)

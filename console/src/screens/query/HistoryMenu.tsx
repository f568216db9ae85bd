import { Badge, Button, Drawer, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { EmptyState } from '../../components/EmptyState.tsx'
import { count, dayAndTime, describeDuration } from '../../components/words.ts'
import { listHistory, type Ran } from './history.ts'

/** The last hundred that were run in this browser; a choice opens in a new tab. */
export function HistoryMenu({ onChoose }: { onChoose: (ran: Ran) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [ran, setRan] = useState<readonly Ran[]>([])
  const [word, setWord] = useState('')
  useEffect(() => {
    if (isOpen) void listHistory().then(setRan)
  }, [isOpen])
  const shown = ran.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()))
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconHistory size={15} />}
        onClick={() => setOpen(true)}
      >
        History
      </Button>
      <Drawer opened={isOpen} onClose={() => setOpen(false)} title="History" position="right" size="lg">
        <TextInput
          aria-label="Find in the history"
          placeholder="Find"
          value={word}
          onChange={({ currentTarget }) => setWord(currentTarget.value)}
          mb="sm"
        />
        {shown.length === 0 && (
          <EmptyState title={ran.length === 0 ? 'Nothing was run yet' : 'None has this text'} />
        )}
        <Stack gap={4}>
          {shown.map((one) => (
            <UnstyledButton
              key={one.at}
              className="console-row"
              onClick={() => {
                onChoose(one)
                setOpen(false)
              }}
            >
              <Group justify="space-between" gap="xs">
                <Text size="xs" c="dimmed">
                  {dayAndTime(one.at)}, {describeDuration(one.durationMs)}
                </Text>
                <Badge size="sm" tt="none" variant="light" color={one.isFailed ? 'red' : 'teal'}>
                  {one.isFailed ? 'failed' : `${count(one.rows)} rows`}
                </Badge>
              </Group>
              <Text size="sm" ff="monospace" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                {one.text}
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
      </Drawer>
    </>
  )
}

import { Button, Drawer, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type HistoryEntry, listHistory } from '../api/history.ts'
import { EmptyState } from './EmptyState.tsx'

/** A button that opens what was done in this browser, to be chosen again. */
export function HistoryDrawer<T extends HistoryEntry>({
  place,
  title,
  emptyTitle,
  getText,
  render,
  onChoose,
}: {
  readonly place: string
  readonly title: string
  readonly emptyTitle: string
  /** Returns the text by which an entry is found. */
  readonly getText: (entry: T) => string
  readonly render: (entry: T) => ReactNode
  readonly onChoose: (entry: T) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [entries, setEntries] = useState<readonly T[]>([])
  const [word, setWord] = useState('')
  useEffect(() => {
    if (isOpen) void listHistory<T>(place).then(setEntries)
  }, [isOpen, place])
  const shown = entries.filter((entry) => getText(entry).toLowerCase().includes(word.toLowerCase()))
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
      <Drawer opened={isOpen} onClose={() => setOpen(false)} title={title} position="right" size="lg">
        <TextInput
          aria-label="Find in the history"
          placeholder="Find"
          value={word}
          onChange={({ currentTarget }) => setWord(currentTarget.value)}
          mb="sm"
        />
        {shown.length === 0 && (
          <EmptyState title={entries.length === 0 ? emptyTitle : 'No entry has this text'} />
        )}
        <Stack gap={4}>
          {shown.map((entry) => (
            <UnstyledButton
              key={entry.at}
              className="console-row"
              onClick={() => {
                onChoose(entry)
                setOpen(false)
              }}
            >
              {render(entry)}
            </UnstyledButton>
          ))}
        </Stack>
      </Drawer>
    </>
  )
}

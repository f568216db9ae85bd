import { Button, Code, CopyButton, Drawer, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Field } from '../../api/describe.ts'
import { typedValue } from '../../components/grid/CellInput.tsx'
import { textOf } from '../../components/grid/CellText.tsx'
import { count } from '../../components/words.ts'

interface Shown {
  readonly title: string
  readonly value: unknown
  /** Where the value can be changed: its field. */
  readonly field: Field | undefined
  readonly isEdited: boolean
  /** What was typed to begin with, in place of the value. */
  readonly typed: string | undefined
  readonly onTake: (value: unknown) => void
  readonly onClose: () => void
}

/** A whole value beside the grid: read, copied, and edited where it has too many lines for its cell. */
export function ValueDrawer({ title, value, field, isEdited, typed, onTake, onClose }: Shown) {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : textOf(value)
  const [draft, setDraft] = useState(isEdited ? (typed ?? text) : undefined)
  const take = () => {
    onTake(typedValue(field!, draft ?? ''))
    onClose()
  }
  return (
    <Drawer opened onClose={onClose} title={title} position="right" size="lg">
      {draft === undefined ? (
        <>
          <Group mb="xs">
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            {field !== undefined && (
              <Button variant="default" onClick={() => setDraft(text)}>
                Edit
              </Button>
            )}
            <Text size="xs" c="dimmed">
              {count(text.length)} characters
            </Text>
          </Group>
          {text === '' ? (
            <Text c="dimmed">NULL</Text>
          ) : (
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
              {text}
            </Code>
          )}
        </>
      ) : (
        <>
          <Textarea
            label={field?.label ?? title}
            description="Ctrl+Enter takes it as a change, which is saved with the others"
            value={draft}
            dir="auto"
            autosize
            minRows={6}
            maxRows={24}
            data-autofocus
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take()
            }}
          />
          <Group mt="sm" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={take}>Take</Button>
          </Group>
        </>
      )}
    </Drawer>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { count } from '../../components/words.ts'
import { problemsText, undeleteRecords, writeByIds } from './write-by-ids.ts'

/** How long a deletion can be taken back by a click, in milliseconds. */
const SHOWN_MS = 10_000

interface Deleted {
  readonly object: string
  readonly ids: readonly string[]
  readonly title: string
  readonly message: string
}

/** Tells that records were deleted, and offers to bring them back. */
export function showDeleted(queries: QueryClient, { object, ids, title, message }: Deleted): void {
  const undo = async () => {
    notifications.hide(shown)
    const problems = await writeByIds(undeleteRecords, ids).catch(
      (error: Error) => new Map([[object, error.message]]),
    )
    for (const key of ['records', 'record', 'related']) void refreshQueries(queries, [key])
    notifications.show({
      color: problems.size > 0 ? 'red' : 'teal',
      autoClose: problems.size > 0 ? false : 5000,
      title: problems.size > 0 ? 'Not everything came back' : `${count(ids.length)} brought back`,
      message: problemsText(problems),
    })
  }
  const shown = notifications.show({
    color: 'teal',
    autoClose: SHOWN_MS,
    title,
    message: (
      <Group gap="sm" justify="space-between">
        <Text size="sm">{message}</Text>
        <Button size="xs" variant="default" onClick={() => void undo()}>
          Undelete
        </Button>
      </Group>
    ),
  })
}

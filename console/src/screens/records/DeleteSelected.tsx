import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { count } from '../../components/words.ts'
import { showDeleted } from './show-deleted.tsx'
import { deleteRecords, problemsText, writeByIds } from './write-by-ids.ts'

interface Deletion {
  readonly object: string
  readonly label: string
  readonly ids: readonly string[]
  readonly onDone: () => void
}

/** Deletes records after a question that names them. */
export function DeleteSelected({ object, label, ids, onDone }: Deletion) {
  const [isAsked, setAsked] = useState(false)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => writeByIds(deleteRecords, ids),
    onSuccess: (problems) => {
      const gone = ids.filter((id) => !problems.has(id))
      const title = `${count(gone.length)} of ${count(ids.length)} deleted`
      for (const key of ['records', 'record', 'related']) void refreshQueries(queries, [key])
      if (gone.length > 0)
        showDeleted(queries, { object, ids: gone, title, message: 'They are in the recycle bin.' })
      if (problems.size > 0) {
        const message = problemsText(problems)
        notifications.show({ color: 'red', autoClose: false, title: 'Not all were deleted', message })
      }
      setAsked(false)
      onDone()
    },
  })
  const words = `${count(ids.length)} ${label} ${ids.length === 1 ? 'record' : 'records'}`
  return (
    <>
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash size={15} />}
        onClick={() => setAsked(true)}
      >
        Delete {count(ids.length)}…
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={`Delete ${words}?`}>
        <Text size="sm">They go to the recycle bin for 15 days, with their details.</Text>
        <Text size="xs" ff="monospace" c="dimmed" mt="xs">
          {ids.slice(0, 5).join(', ')}
          {ids.length > 5 && ` and ${count(ids.length - 5)} more`}
        </Text>
        {remove.error !== null && (
          <Text size="sm" c="red" role="alert" mt="xs">
            {remove.error.message}
          </Text>
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setAsked(false)}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete {words}
          </Button>
        </Group>
      </Modal>
    </>
  )
}

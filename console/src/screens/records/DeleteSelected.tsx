import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { data, get } from '../../api/client.ts'
import { count } from '../../components/words.ts'

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
    mutationFn: async () => {
      const problems: string[] = []
      for (let from = 0; from < ids.length; from += 200) {
        const some = ids.slice(from, from + 200)
        const results = await get<
          readonly { id: string; success: boolean; errors: readonly { message: string }[] }[]
        >(data(`/composite/sobjects?${new URLSearchParams({ ids: some.join(','), allOrNone: 'false' })}`), {
          method: 'DELETE',
        })
        results.forEach(({ success, errors }, index) => {
          if (!success) problems.push(`${some[index]}: ${errors[0]?.message}`)
        })
      }
      return problems
    },
    onSuccess: (problems) => {
      const done = ids.length - problems.length
      void queries.invalidateQueries({ queryKey: ['records', object] })
      notifications.show({
        color: problems.length > 0 ? 'red' : 'teal',
        autoClose: problems.length > 0 ? false : 5000,
        title: `${count(done)} of ${count(ids.length)} deleted`,
        message: problems.length > 0 ? problems.slice(0, 5).join('\n') : 'They are in the recycle bin.',
      })
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

import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { makeViewFile } from './list-query.ts'
import type { ListView } from './use-list.ts'

interface Shown {
  readonly object: string
  readonly views: readonly ListView[]
  /** The query of the list as it is. */
  readonly soql: string
  readonly columns: readonly string[]
  readonly onSaved: (view: string) => void
}

type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const SCHEMA = '/setup/orgs/current/schema'

/** As the names of views are: letters, digits and single underscores. */
const nameOf = (label: string) =>
  label
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_$/g, '')
    .slice(0, 80)

/** Keeps the list as it is as a list view of the object, for everybody. */
export function SaveView(shown: Shown) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconDeviceFloppy size={15} />}
        onClick={() => setOpen(true)}
      >
        Save as view
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Save as a list view">
        <SaveForm {...shown} onCancel={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function SaveForm({ object, views, soql, columns, onSaved, onCancel }: Shown & { onCancel: () => void }) {
  const [label, setLabel] = useState('')
  const [isMissing, setMissing] = useState(false)
  const queries = useQueryClient()
  const name = nameOf(label)
  const replaced = views.find(({ developerName }) => developerName.toLowerCase() === name.toLowerCase())
  const view = makeViewFile(soql, label.trim(), columns)
  const save = useMutation({
    mutationFn: async (developerName: string) => {
      // What is sent of an object is all of its definition but fields and views.
      const { objects } = await get<{ objects: Definitions }>(SCHEMA)
      const definition = { ...objects[object], listViews: { [developerName]: view } }
      await get(SCHEMA, { method: 'PUT', body: { mode: 'keep', objects: { [object]: definition } } })
    },
    onSuccess: async (_, developerName) => {
      await Promise.all([
        refreshQueries(queries, ['views', object]),
        refreshQueries(queries, ['view', object, developerName]),
      ])
      notifications.show({ color: 'teal', message: `${label.trim()} is a list view of ${object} now.` })
      onSaved(developerName)
    },
  })
  return (
    <form
      aria-label="Save as a list view"
      onSubmit={(event) => {
        event.preventDefault()
        if (name === '') setMissing(true)
        else save.mutate(replaced?.developerName ?? name)
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          value={label}
          onChange={({ currentTarget }) => {
            setLabel(currentTarget.value)
            setMissing(false)
          }}
          error={isMissing ? 'Enter a name with at least one letter.' : undefined}
          description={
            replaced === undefined ? 'Everybody who sees the object sees it.' : `Replaces ${replaced.label}.`
          }
          maxLength={40}
          data-autofocus
        />
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {[
            `Columns: ${columns.join(', ')}`,
            view.scope === undefined ? 'Records: all' : 'Records: those of who looks',
            ...(view.where === undefined ? [] : [`Condition: ${view.where}`]),
            ...(view.orderBy === undefined ? [] : [`Order: ${view.orderBy}`]),
          ].join('\n')}
        </Code>
        {save.error !== null && (
          <Text size="sm" c="red" role="alert">
            {save.error.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

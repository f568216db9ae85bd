import { ActionIcon, Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type SavedQuery,
  useForgetPreference,
  usePreferences,
  useSavedQueries,
  useSaveQuery,
} from '../../api/preferences.ts'
import { nameOf, type QueryTab } from './tabs.ts'

/** Queries that the user has kept in the server. */
export function SavedMenu({ tab, onChoose }: { tab: QueryTab; onChoose: (saved: SavedQuery) => void }) {
  const { data: preferences } = usePreferences()
  const saved = useSavedQueries()
  const save = useSaveQuery()
  const forget = useForgetPreference()
  const [isNaming, setNaming] = useState(false)
  // An older server keeps nothing.
  if (preferences === null || preferences === undefined) return null
  return (
    <>
      <Menu width={300}>
        <Menu.Target>
          <Button variant="subtle" color="gray" leftSection={<IconBookmark size={15} />}>
            Saved
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={380} style={{ overflow: 'auto' }}>
          <Menu.Item onClick={() => setNaming(true)} disabled={tab.text.trim() === ''}>
            Save this one…
          </Menu.Item>
          <Menu.Divider />
          {saved.length === 0 && <Menu.Label>None is saved yet</Menu.Label>}
          {saved.map((one) => (
            <Group key={one.key} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => onChoose(one)}>
                {one.name}
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {one.text}
                </Text>
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Forget ${one.name}`}
                onClick={() => forget.mutate(one.key)}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Group>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isNaming} onClose={() => setNaming(false)} title="Save the query">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
            if (name === '') return
            save.mutate(
              { name, language: tab.language, text: tab.text, object: nameOf(tab) },
              {
                onSuccess: () => {
                  setNaming(false)
                  notifications.show({ color: 'teal', message: `Saved as ${name}.` })
                },
              },
            )
          }}
        >
          <TextInput
            name="name"
            label="Name"
            description="One of the same name is replaced"
            defaultValue={tab.name ?? ''}
            data-autofocus
            required
            maxLength={80}
          />
          {save.error !== null && (
            <Text size="sm" c="red" role="alert" mt="xs">
              {save.error.message}
            </Text>
          )}
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}

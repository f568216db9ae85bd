import { ActionIcon, Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type Saved, type SavedKind, useForgetPreference, useSave, useSaved } from '../api/preferences.ts'

interface Shown<T extends Saved> {
  readonly kind: SavedKind
  /** The state that would be saved now, without its name; undefined if nothing can be saved. */
  readonly current: Omit<T, 'name'> | undefined
  readonly suggestedName: string
  readonly getText: (saved: T) => string
  readonly onChoose: (saved: T) => void
}

/** The menu of what the user has saved on the server by name. */
export function SavedMenu<T extends Saved>({ kind, current, suggestedName, getText, onChoose }: Shown<T>) {
  const saved = useSaved<T>(kind)
  const save = useSave<T>(kind)
  const forget = useForgetPreference()
  const [isNaming, setNaming] = useState(false)
  // An older server keeps nothing.
  if (saved === undefined) return null
  return (
    <>
      <Menu width={300}>
        <Menu.Target>
          <Button variant="subtle" color="gray" leftSection={<IconBookmark size={15} />}>
            Saved
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={380} style={{ overflow: 'auto' }}>
          <Menu.Item onClick={() => setNaming(true)} disabled={current === undefined}>
            Save this one…
          </Menu.Item>
          <Menu.Divider />
          {saved.length === 0 && <Menu.Label>None is saved yet</Menu.Label>}
          {saved.map((one) => (
            <Group key={one.key} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => onChoose(one)}>
                {one.name}
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {getText(one)}
                </Text>
              </Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Forget ${one.name}`}
                onClick={() =>
                  forget.mutate(one.key, {
                    onError: ({ message }) => notifications.show({ color: 'red', message }),
                  })
                }
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Group>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isNaming}
        onClose={() => setNaming(false)}
        title={kind === 'query' ? 'Save the query' : 'Save the call'}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
            if (name === '' || current === undefined) return
            save.mutate({ ...current, name } as T, {
              onSuccess: () => {
                setNaming(false)
                notifications.show({ color: 'teal', message: `Saved as ${name}.` })
              },
            })
          }}
        >
          <TextInput
            name="name"
            label="Name"
            description="One of the same name is replaced"
            defaultValue={suggestedName}
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

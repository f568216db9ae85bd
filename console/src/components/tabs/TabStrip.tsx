import { ActionIcon, Button, Group, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import styles from './Tabs.module.css'
import type { Tab } from './use-tabs.ts'

interface Shown<T extends Tab> {
  /** Names the list of tabs: "Calls". */
  readonly label: string
  readonly tabs: readonly T[]
  readonly active: T | undefined
  /** Returns the title of a tab. */
  readonly getName: (tab: T) => string
  /** Says what a tab without a name of its own is called after. */
  readonly nameHint: string
  /** The button that opens another tab. */
  readonly addButton: ReactNode
  readonly onChoose: (id: string) => void
  readonly onRename: (id: string, name: string | undefined) => void
  readonly onClose: (id: string) => void
}

/** The tabs: named after what they hold, renamed by a double click. */
export function TabStrip<T extends Tab>(shown: Shown<T>) {
  const { label, tabs, active, getName, nameHint, addButton, onChoose, onRename, onClose } = shown
  const [renamed, setRenamed] = useState<T>()
  return (
    <div className={styles.tabs}>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons of which one is pressed, with others to close them beside */}
      <div role="group" aria-label={label} style={{ display: 'contents' }}>
        {tabs.map((tab) => (
          <div key={tab.id} className={styles.tab} data-active={tab.id === active?.id || undefined}>
            <UnstyledButton
              className={styles.name}
              aria-pressed={tab.id === active?.id}
              onClick={() => onChoose(tab.id)}
              onDoubleClick={() => setRenamed(tab)}
            >
              {getName(tab)}
            </UnstyledButton>
            <ActionIcon
              size="sm"
              variant="transparent"
              color="gray"
              mr={4}
              aria-label={`Close ${getName(tab)}`}
              onClick={() => onClose(tab.id)}
            >
              <IconX size={13} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {addButton}
      <Modal opened={renamed !== undefined} onClose={() => setRenamed(undefined)} title="Name of the tab">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
            onRename(renamed!.id, name === '' ? undefined : name)
            setRenamed(undefined)
          }}
        >
          <TextInput
            name="name"
            label="Name"
            description={nameHint}
            defaultValue={renamed?.name ?? ''}
            data-autofocus
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit">Rename</Button>
          </Group>
        </form>
      </Modal>
    </div>
  )
}

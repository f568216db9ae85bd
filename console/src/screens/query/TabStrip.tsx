import { ActionIcon, Button, Group, Menu, Modal, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './Query.module.css'
import { makeTab, nameOf, type QueryTab } from './tabs.ts'

interface Shown {
  readonly tabs: readonly QueryTab[]
  readonly active: QueryTab | undefined
  readonly onChoose: (id: string) => void
  readonly onAdd: (tab: QueryTab) => void
  readonly onChange: (id: string, change: Partial<QueryTab>) => void
  readonly onClose: (id: string) => void
}

const KINDS = [
  ['soql', 'Query (SOQL)'],
  ['sosl', 'Search (SOSL)'],
  ['graphql', 'GraphQL'],
] as const

/** The tabs: named after their objects, renamed by a double click. */
export function TabStrip({ tabs, active, onChoose, onAdd, onChange, onClose }: Shown) {
  const [renamed, setRenamed] = useState<QueryTab>()
  return (
    <div className={styles.tabs}>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons of which one is pressed, with others to close them beside */}
      <div role="group" aria-label="Queries" style={{ display: 'contents' }}>
        {tabs.map((tab) => (
          <div key={tab.id} className={styles.tab} data-active={tab.id === active?.id || undefined}>
            <UnstyledButton
              className={styles.tabName}
              aria-pressed={tab.id === active?.id}
              onClick={() => onChoose(tab.id)}
              onDoubleClick={() => setRenamed(tab)}
            >
              {nameOf(tab)}
            </UnstyledButton>
            <ActionIcon
              size="sm"
              variant="transparent"
              color="gray"
              mr={4}
              aria-label={`Close ${nameOf(tab)}`}
              onClick={() => onClose(tab.id)}
            >
              <IconX size={13} />
            </ActionIcon>
          </div>
        ))}
      </div>
      <Menu position="bottom-start" width={180}>
        <Menu.Target>
          <Tooltip label="New tab">
            <ActionIcon variant="subtle" color="gray" aria-label="New tab" mt={2}>
              <IconPlus size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map(([language, label]) => (
            <Menu.Item key={language} onClick={() => onAdd(makeTab(language))}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={renamed !== undefined} onClose={() => setRenamed(undefined)} title="Name of the tab">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
            onChange(renamed!.id, { name: name === '' ? undefined : name })
            setRenamed(undefined)
          }}
        >
          <TextInput
            name="name"
            label="Name"
            description="Empty: after its object"
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

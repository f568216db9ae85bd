import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { makeTab, type QueryTab } from './tabs.ts'

const KINDS = [
  ['soql', 'Query (SOQL)'],
  ['sosl', 'Search (SOSL)'],
  ['graphql', 'GraphQL'],
] as const

/** The menu of the languages that another tab may have. */
export const NewTab = ({ onAdd }: { onAdd: (tab: QueryTab) => void }) => (
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
)

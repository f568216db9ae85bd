import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { SCREENS } from '../screens.ts'

export const openPalette = (): void => spotlight.open()

/** Goes to a screen. */
export function Palette() {
  const navigate = useNavigate()
  const actions = SCREENS.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} stroke={1.6} />,
    onClick: () => void navigate({ to }),
  }))
  return (
    <Spotlight
      actions={[{ group: 'Screens', actions }]}
      // The frame has the key.
      shortcut={null}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      nothingFound="Nothing has this name"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Where to?',
        'aria-label': 'Search or go to',
      }}
    />
  )
}

import {
  IconActivity,
  IconDatabase,
  IconGauge,
  IconHome,
  IconPlugConnected,
  IconTerminal2,
} from '@tabler/icons-react'

/** The entries of the navigation, in their order. */
export const SCREENS = [
  { to: '/', label: 'Home', icon: IconHome, key: 'h' },
  { to: '/query', label: 'Query', icon: IconTerminal2, key: 'q' },
  { to: '/explorer', label: 'API explorer', icon: IconPlugConnected, key: 'e' },
  { to: '/records', label: 'Records', icon: IconDatabase, key: 'r' },
  { to: '/calls', label: 'Call log', icon: IconActivity, key: 'c' },
  { to: '/limits', label: 'Limits', icon: IconGauge, key: 'l' },
] as const

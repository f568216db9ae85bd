import { IconHome } from '@tabler/icons-react'

/** What the navigation has, in its order. */
export const SCREENS = [{ to: '/', label: 'Home', icon: IconHome, key: 'h' }] as const

export type Screen = (typeof SCREENS)[number]

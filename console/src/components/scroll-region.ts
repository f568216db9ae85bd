/** Properties of an element that scrolls and has nothing to focus inside: the keyboard reaches it by itself. */
export const scrollRegion = (label: string) => ({ role: 'group', tabIndex: 0, 'aria-label': label }) as const

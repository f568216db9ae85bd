import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Shown {
  readonly title: string
  readonly text?: string
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

/** Where there is nothing to show: why, and what to do. */
export function EmptyState({ title, text, icon, children }: Shown) {
  return (
    <Stack align="center" gap="xs" py={48} px="lg" ta="center" c="dimmed">
      {icon}
      <Title order={2} size="h5" c="var(--mantine-color-text)">
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" maw={460}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  )
}

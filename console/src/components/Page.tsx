import { Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Shown {
  readonly title: string
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen that scrolls: its title, what can be done, and its content. */
export function Page({ title, note, actions, children }: Shown) {
  return (
    <Box maw={1180} mx="auto" px="lg" py="lg">
      <Group justify="space-between" mb="md" gap="sm">
        <div>
          <Title order={1} size="h3">
            {title}
          </Title>
          {note !== undefined && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Box>
  )
}

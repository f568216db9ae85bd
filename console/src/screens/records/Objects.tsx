import { Badge, Group, Paper, SimpleGrid, Skeleton, Switch, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useObjects } from '../../api/describe.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Page } from '../../components/Page.tsx'
import styles from './Records.module.css'

/** The objects whose records can be looked at. */
export function Objects() {
  const { data: objects, error, refetch } = useObjects()
  const [word, setWord] = useState('')
  const [isAll, setAll] = useState(false)
  const shown = objects
    ?.filter(({ queryable, layoutable }) => queryable && (isAll || layoutable))
    .filter(({ label, labelPlural, name }) =>
      `${label} ${labelPlural} ${name}`.toLowerCase().includes(word.toLowerCase()),
    )
    .sort((a, b) => Number(b.custom) - Number(a.custom) || a.label.localeCompare(b.label))
  return (
    <Page
      title="Records"
      note="Choose an object."
      actions={
        <Switch
          label="Objects of the platform, too"
          size="xs"
          checked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
      }
    >
      <TextInput
        aria-label="Find an object"
        placeholder="Find an object"
        leftSection={<IconSearch size={16} />}
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
        mb="md"
        autoFocus
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {objects === undefined && error === null && <Skeleton h={200} />}
      {shown?.length === 0 && <EmptyState title="No object has this name" />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
        {shown?.map(({ name, labelPlural, custom }) => (
          <Paper
            key={name}
            component={Link}
            to={`/records/${name}`}
            px="md"
            py="xs"
            className={styles.object!}
          >
            <Group justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={550} truncate>
                  {labelPlural}
                </Text>
                <Text size="xs" c="dimmed" ff="monospace" truncate>
                  {name}
                </Text>
              </div>
              {custom && (
                <Badge size="sm" variant="light" tt="none">
                  custom
                </Badge>
              )}
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
    </Page>
  )
}

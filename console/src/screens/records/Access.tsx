import { Badge, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import { unlessRefused, useWho } from '../../api/who.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'

interface Why {
  readonly user: string
  readonly verdicts: readonly {
    readonly what: string
    readonly allowed: boolean
    readonly because: readonly string[]
  }[]
}

/** A user's access to a record, with its reasons. */
export function Access({ id }: { id: string }) {
  const { username } = useWho()
  const [typed, setTyped] = useState(username)
  const [user, setUser] = useState(username)
  const {
    data: why,
    error,
    isFetching,
  } = useQuery({
    queryKey: ['why', id, user],
    queryFn: ({ signal }) =>
      unlessRefused(
        get<Why>(`/setup/orgs/current/why?${new URLSearchParams({ user, record: id })}`, { signal }),
      ),
    retry: false,
  })
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setUser(typed.trim())
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Username or id"
            w={320}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={isFetching}>
            Explain
          </Button>
        </Group>
      </form>
      {error !== null && <ErrorNotice error={error} />}
      {why === null && (
        <EmptyState
          title="No explanation"
          text="Only administrators get it, and for users and records that there are."
        />
      )}
      {why?.verdicts.map(({ what, allowed, because }) => (
        <div key={what}>
          <Group gap="xs">
            <Badge color={allowed ? 'teal' : 'red'} variant="light" tt="none">
              {allowed ? 'may' : 'may not'}
            </Badge>
            <Text fw={550}>{what}</Text>
          </Group>
          <List size="sm" mt={4} c="dimmed">
            {because.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
        </div>
      ))}
    </Stack>
  )
}

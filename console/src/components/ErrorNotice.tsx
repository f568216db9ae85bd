import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { CallError } from '../api/client.ts'

/** Advice for a person, by the code of the refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  NO_ANSWER: 'Look whether the server runs and the network reaches it, then try again.',
  INVALID_SESSION_ID: 'The session has ended. Log in again.',
  INSUFFICIENT_ACCESS: 'Your user may not do this. An administrator can grant it.',
  INSUFFICIENT_ACCESS_OR_READONLY: 'Your user may not change this. An administrator can grant it.',
  REQUEST_LIMIT_EXCEEDED: 'The allocation or a rate is used up. Wait until calls leave the window.',
  SERVER_UNAVAILABLE: 'The server is busy or its database does not answer. Try again in a moment.',
  QUERY_TIMEOUT: 'Ask for less: add a condition or a LIMIT.',
  UNABLE_TO_LOCK_ROW: 'Another call is writing the same record. Try again.',
  PRECONDITION_FAILED:
    'Somebody changed the record after it was read. Read it again and look at the difference.',
  ENTITY_IS_DELETED: 'The record is in the recycle bin.',
}

interface Shown {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** Where fields have inputs: their labels by name, which lead there. */
  readonly inputs?: ReadonlyMap<string, { readonly label: string }>
  readonly onInput?: (name: string) => void
}

/** A refusal: its code, message, fields and request id, and what to do about it. */
export function ErrorNotice({ error, onRetry, inputs, onInput }: Shown) {
  const known = error instanceof CallError ? error : undefined
  const problems = known?.problems ?? [
    { message: error instanceof Error ? error.message : String(error), fields: [] },
  ]
  const advice = known && ADVICE[known.code]
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle />}
      title={known?.code ?? 'Something went wrong'}
      role="alert"
    >
      <Stack gap={6}>
        {problems.map(({ message, fields }) => {
          const others = fields.filter((name) => inputs?.has(name) !== true)
          return (
            <Text
              key={message + fields.join()}
              size="sm"
              style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            >
              {fields.map((name) => {
                const label = inputs?.get(name)?.label
                return (
                  label !== undefined && (
                    <Button
                      key={name}
                      size="compact-xs"
                      variant="default"
                      mr={6}
                      onClick={() => onInput?.(name)}
                    >
                      {label}
                    </Button>
                  )
                )
              })}
              {message.trim()}
              {others.length > 0 && <Text span c="dimmed">{` (${others.join(', ')})`}</Text>}
            </Text>
          )
        })}
        {advice !== undefined && <Text size="sm">{advice}</Text>}
        <Group gap="sm">
          {onRetry !== undefined && (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
          {known?.requestId !== undefined && (
            <Text size="xs" c="dimmed">
              Request id <Code>{known.requestId}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

import { Button, Center, Stack, Text, Title } from '@mantine/core'

/** In place of the console, when it cannot open. */
export function Refused({ error }: { error: unknown }) {
  return (
    <Center h="100vh" p="lg">
      <Stack maw={440}>
        <Title order={1} size="h2">
          The console did not open
        </Title>
        <Text>{error instanceof Error ? error.message : String(error)}</Text>
        <Button w="fit-content" size="sm" onClick={() => location.assign('/console/')}>
          Try again
        </Button>
      </Stack>
    </Center>
  )
}

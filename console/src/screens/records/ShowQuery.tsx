import { Button, Code, CopyButton, Group, Popover, Stack } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { scrollRegion } from '../../components/scroll-region.ts'

/** The query that a list sends. */
export function ShowQuery({ soql }: { readonly soql: string }) {
  return (
    <Popover position="bottom-end" width={360} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" leftSection={<IconTerminal2 size={15} />}>
          SOQL
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="SOQL">
        <Stack gap="xs">
          <Code
            block
            mah={260}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            {...scrollRegion('Query of this list')}
          >
            {soql}
          </Code>
          <Group justify="flex-end" gap="xs">
            <CopyButton value={soql}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy} data-autofocus>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Button component={Link} to={`/query?${new URLSearchParams({ q: soql })}`}>
              Open in query
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { asCurl, asJsforce, asPython, asSf, type CopiedCall } from './copy-as.ts'

const FORMS = [
  ['curl', asCurl],
  ['jsforce', asJsforce],
  ['Python (simple-salesforce)', asPython],
  ['sf command', asSf],
] as const

/** Copies a call as another client would make it. The token is a variable, never a value. */
export function CopyAs({ call, label = 'Copy as' }: { call: CopiedCall; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 })
  return (
    <Menu width={230}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        >
          {copied ? 'Copied' : label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>The token is the variable TOKEN</Menu.Label>
        {FORMS.map(([name, write]) => (
          <Menu.Item key={name} onClick={() => copy(write(call))}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

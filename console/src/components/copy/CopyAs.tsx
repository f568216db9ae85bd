import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { CopiedCall } from './copied-call.ts'

// Neither is needed before a click.
const loadForms = () => import('./copy-as.ts')
const TokenDialog = lazy(async () => ({ default: (await import('./TokenDialog.tsx')).TokenDialog }))

const FORMS = [
  ['curl', 'asCurl'],
  ['jsforce', 'asJsforce'],
  ['Python (simple-salesforce)', 'asPython'],
  ['sf command', 'asSf'],
] as const

/** Copies a call as another client would make it. The token is a variable; its value is shown where it is wanted. */
export function CopyAs({ call, label = 'Copy as' }: { call: CopiedCall; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 })
  const [isToken, setToken] = useState(false)
  return (
    <>
      <Menu width={230} onOpen={() => void loadForms()}>
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
            <Menu.Item key={name} onClick={() => void loadForms().then((forms) => copy(forms[write](call)))}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconKey size={15} />} onClick={() => setToken(true)}>
            Show the token…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isToken && (
        <Suspense>
          <TokenDialog onClose={() => setToken(false)} />
        </Suspense>
      )}
    </>
  )
}

import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { accessToken } from '../../api/sign-in.ts'
import { useWho } from '../../api/who.ts'

/** The token of the console's session. It is seen after another click only: somebody may look at the same screen. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [isShown, setShown] = useState(false)
  const { copy, copied } = useClipboard({ timeout: 1500 })
  const { username } = useWho()
  const token = accessToken()
  return (
    <Modal opened onClose={onClose} title="Token of this session" size="lg">
      <Stack gap="sm">
        <Alert variant="light" color="orange">
          Calls with this token do whatever {username} may. It ends when you log out.
        </Alert>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {isShown ? `export TOKEN='${token}'` : "export TOKEN='••••••••••••••••'"}
        </Code>
        <Text size="sm" c="dimmed">
          The command sets the variable that copied calls use, in the shell where you paste it.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            leftSection={isShown ? <IconEyeOff size={15} /> : <IconEye size={15} />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
          <Button
            leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            onClick={() => copy(`export TOKEN='${token}'`)}
          >
            {copied ? 'Copied' : 'Copy the command'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

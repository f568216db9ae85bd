import { Button, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { onSessionEnd } from '../api/client.ts'
import { logInBeside } from '../api/sign-in.ts'

/** Over the screen when the session has ended: what was typed stays, and the call that found out is sent again. */
export function SessionEnded() {
  const [isShown, setShown] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const waiting = useRef<((isRenewed: boolean) => void)[]>([])
  useEffect(
    () =>
      onSessionEnd(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve)
            setShown(true)
          }),
      ),
    [],
  )
  const settle = (isRenewed: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isRenewed)
    setShown(false)
  }
  const logIn = async () => {
    setFailed(false)
    if (await logInBeside()) settle(true)
    else setFailed(true)
  }
  return (
    <Modal opened={isShown} onClose={() => settle(false)} title="Your session has ended">
      <Stack>
        <Text size="sm">
          Nothing that you typed is lost. Log in again in a window beside this one, and the console goes on
          where it was.
        </Text>
        {hasFailed && (
          <Text size="sm" c="red" role="alert">
            That did not work. Allow windows of this page, and try again.
          </Text>
        )}
        <Button size="sm" data-autofocus onClick={() => void logIn()}>
          Log in again
        </Button>
      </Stack>
    </Modal>
  )
}

import { Button, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { onSessionEnd } from '../api/client.ts'
import { type LogIn, logInBeside } from '../api/sign-in.ts'
import { useWho } from '../api/who.ts'

/** Over the screen when the session has ended: what was typed stays, and the call that found out is sent again. */
export function SessionEnded() {
  const { userName, username, orgName } = useWho()
  const [isShown, setShown] = useState(false)
  const [last, setLast] = useState<LogIn>()
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
    setLast(undefined)
  }
  const logIn = async () => {
    const outcome = await logInBeside(last === 'other' ? username : undefined)
    if (outcome === 'renewed') settle(true)
    else setLast(outcome)
  }
  return (
    <Modal opened={isShown} onClose={() => settle(false)} title="Your session has ended">
      <Stack>
        {last === 'other' ? (
          <Text size="sm" role="alert">
            Somebody else is logged in to this browser now. This page belongs to {userName} in {orgName}: the
            call that waits is sent for nobody else.
          </Text>
        ) : (
          <Text size="sm">
            Nothing that you typed is lost. Log in again in a window beside this one, and the console goes on
            where it was.
          </Text>
        )}
        {last === 'failed' && (
          <Text size="sm" c="red" role="alert">
            That did not work. Allow windows of this page, and try again.
          </Text>
        )}
        <Button size="sm" data-autofocus onClick={() => void logIn()}>
          {last === 'other' ? `Log in as ${username}` : 'Log in again'}
        </Button>
        {last === 'other' && (
          <Button size="sm" variant="default" onClick={() => location.assign('/console/')}>
            Open the console for the other user
          </Button>
        )}
      </Stack>
    </Modal>
  )
}

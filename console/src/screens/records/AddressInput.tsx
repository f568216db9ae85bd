import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'

interface Shown extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As the address has it. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A text of the address: taken over when typing pauses, and shown again when the address changes by itself, as by Back. */
export function AddressInput({ value, onChange, ...props }: Shown) {
  const [typed, setTyped] = useState(value ?? '')
  const [seen, setSeen] = useState(value)
  const sent = useRef(value)
  if (seen !== value) {
    setSeen(value)
    if (sent.current !== value) {
      sent.current = value
      setTyped(value ?? '')
    }
  }
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim() || undefined
    onChange(sent.current)
  }, 350)
  return (
    <TextInput
      {...props}
      size="xs"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        send(currentTarget.value)
      }}
    />
  )
}

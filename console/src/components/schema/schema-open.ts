import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

/** Windows of less pixels have no room for the schema beside something else. */
const BESIDE = 1100

export interface SchemaOpen {
  readonly isOpen: boolean
  /** True if it lies over the screen instead of beside it. */
  readonly isOver: boolean
  readonly toggle: () => void
}

/** Shows and hides the schema: beside a screen it is as it was left in this browser, over a screen it comes only when asked for. */
export function useSchemaOpen(): SchemaOpen {
  const isOver = useMediaQuery(`(max-width: ${BESIDE - 1}px)`, undefined, { getInitialValueInEffect: false })
  const [isBeside, setBeside] = useLocalStorage({
    key: 'objectry.schema.open',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isAsked, setAsked] = useState(false)
  return isOver === true
    ? { isOpen: isAsked, isOver, toggle: () => setAsked(!isAsked) }
    : { isOpen: isBeside, isOver: false, toggle: () => setBeside(!isBeside) }
}

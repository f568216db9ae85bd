import { type KeyboardEvent, useEffect, useState } from 'react'

/**
 * The handler of keys of a field that finds something: Enter takes the first of what is found, also if it comes before that is
 * known.
 */
export function useEnter(isKnown: boolean, takeFirst: () => void) {
  const [isEntered, setEntered] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each Enter
  useEffect(() => {
    if (!isEntered || !isKnown) return
    setEntered(false)
    takeFirst()
  }, [isEntered, isKnown])
  return ({ key }: KeyboardEvent) => {
    if (key === 'Enter') setEntered(true)
  }
}

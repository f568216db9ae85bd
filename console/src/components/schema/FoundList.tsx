import { Skeleton, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../ErrorNotice.tsx'
import { moveByArrows } from './arrow-keys.ts'
import styles from './Schema.module.css'
import { useEnter } from './use-enter.ts'

interface Shown {
  readonly label: string
  readonly placeholder: string
  readonly word: string
  readonly onWord: (word: string) => void
  /** Takes the first of what is found. */
  readonly takeFirst: () => void
  readonly isKnown: boolean
  readonly error: Error | null
  /** Stands above the field that finds. */
  readonly head?: ReactNode
  readonly children: ReactNode
}

/** A field that finds, above the rows that it has found. */
export function FoundList(shown: Shown) {
  const { label, placeholder, word, onWord, takeFirst, isKnown, error, head, children } = shown
  const onEnter = useEnter(isKnown, takeFirst)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its rows are buttons; the keys only move between them
    <div className={styles.list} onKeyDown={moveByArrows}>
      {head}
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        size="xs"
        m={8}
        value={word}
        onChange={({ currentTarget }) => onWord(currentTarget.value)}
        onKeyDown={onEnter}
      />
      {error !== null && <ErrorNotice error={error} />}
      {!isKnown && error === null && <Skeleton h={220} mx={8} w="auto" />}
      <div className={styles.rows}>{children}</div>
    </div>
  )
}

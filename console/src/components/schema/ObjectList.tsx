import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { type ObjectSummary, useObjects } from '../../api/describe.ts'
import { count } from '../words.ts'
import { FoundList } from './FoundList.tsx'
import { labelBeside } from './field-text.ts'
import styles from './Schema.module.css'

/** So many are listed; a word finds the others. */
const MAX_LISTED = 150

const GROUPS = [
  { label: 'Your objects', has: ({ custom }: ObjectSummary) => custom },
  { label: 'Standard objects', has: ({ custom }: ObjectSummary) => !custom },
]

/** The objects that the user may see, found by name or label. */
export function ObjectList({ onOpen }: { readonly onOpen: (object: string) => void }) {
  const { data: objects, error } = useObjects()
  const [word, setWord] = useState('')
  const wanted = word.trim().toLowerCase()
  const found = (objects ?? []).filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted))
  const listed = GROUPS.map(({ label, has }) => ({ label, objects: found.filter(has) }))
  const first = listed.flatMap((group) => group.objects)[0]
  return (
    <FoundList
      label="Find an object"
      placeholder="Find an object"
      word={word}
      onWord={setWord}
      takeFirst={() => {
        if (first !== undefined) onOpen(first.name)
      }}
      isKnown={objects !== undefined}
      error={error}
    >
      {listed.map((group) => (
        <section key={group.label} aria-label={group.label} hidden={group.objects.length === 0}>
          <h3 className={styles.heading}>{group.label}</h3>
          {group.objects.slice(0, MAX_LISTED).map(({ name, label }) => (
            <UnstyledButton
              key={name}
              className={styles.row}
              data-schema-row
              tabIndex={name === first?.name ? 0 : -1}
              onClick={() => onOpen(name)}
            >
              <span className={styles.name}>{name}</span>
              {labelBeside(name, label).map((shown) => (
                <span key={shown} className={styles.note}>
                  {shown}
                </span>
              ))}
            </UnstyledButton>
          ))}
          {group.objects.length > MAX_LISTED && (
            <Text size="xs" c="dimmed" px={8}>
              and {count(group.objects.length - MAX_LISTED)} more: find them by a word
            </Text>
          )}
        </section>
      ))}
      {objects !== undefined && found.length === 0 && (
        <Text size="xs" c="dimmed" px={8}>
          No object has “{word}” in its name or label.
        </Text>
      )}
    </FoundList>
  )
}

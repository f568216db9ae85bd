import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { count } from '../../components/words.ts'
import { type Edits, saveEdits } from './edits.ts'
import styles from './Query.module.css'
import type { Result } from './run.ts'
import type { QueryTab } from './tabs.ts'
import { setEdits, setResult } from './use-run.ts'

/** The changes of cells that wait to be saved. */
export function EditBar({ tab, edits, result }: { tab: QueryTab; edits: Edits; result: Result }) {
  const save = useMutation({
    mutationFn: () => saveEdits(edits),
    onSuccess: ({ saved, left }) => {
      const isSaved = new Set(saved)
      setResult(tab.id, {
        ...result,
        rows: result.rows.map((row) =>
          isSaved.has(String(row.Id))
            ? {
                ...row,
                ...Object.fromEntries(
                  Object.entries(edits[String(row.Id)]!.fields).map(([field, { is }]) => [field, is]),
                ),
              }
            : row,
        ),
      })
      setEdits(tab.id, left)
      if (saved.length > 0)
        notifications.show({
          color: 'teal',
          message: `${count(saved.length)} ${saved.length === 1 ? 'record' : 'records'} saved.`,
        })
    },
  })
  const records = Object.keys(edits).length
  const fields = Object.values(edits).reduce((sum, edit) => sum + Object.keys(edit.fields).length, 0)
  const problems = Object.entries(edits).filter(([, { problem }]) => problem !== undefined)
  if (records === 0) return null
  return (
    <section className={styles.bar} aria-label="Changes">
      <div style={{ maxWidth: 560 }}>
        <span role="status">
          {count(fields)} {fields === 1 ? 'change' : 'changes'} in {count(records)}{' '}
          {records === 1 ? 'record' : 'records'}
        </span>
        {save.error !== null && (
          <Text size="xs" c="red" role="alert">
            {save.error.message}
          </Text>
        )}
        {problems.slice(0, 3).map(([id, { problem }]) => (
          <Text key={id} size="xs" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
            {id}: {problem}
          </Text>
        ))}
        {problems.length > 3 && (
          <Text size="xs" c="red">
            and {count(problems.length - 3)} more
          </Text>
        )}
      </div>
      <Button loading={save.isPending} onClick={() => save.mutate()}>
        Save
      </Button>
      <Button variant="default" onClick={() => setEdits(tab.id, {})}>
        Discard
      </Button>
    </section>
  )
}

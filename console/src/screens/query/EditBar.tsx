import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../api/client.ts'
import { describeQuery } from '../../api/describe.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { scrollRegion } from '../../components/scroll-region.ts'
import { count } from '../../components/words.ts'
import type { Row } from './columns.ts'
import { type Edits, saveEdits } from './edits.ts'
import styles from './Query.module.css'
import { readAgain } from './read-again.ts'
import type { Result } from './run.ts'
import type { QueryTab } from './tabs.ts'
import { changeEdits, editsOf, setSaved } from './use-run.ts'

/** The rows with the values that were written to them. */
const withWritten = (rows: readonly Row[], ids: readonly string[], edits: Edits): readonly Row[] => {
  const isSaved = new Set(ids)
  const written = (id: string) =>
    Object.fromEntries(Object.entries(edits[id]!.fields).map(([field, { is }]) => [field, is]))
  return rows.map((row) => (isSaved.has(String(row.Id)) ? { ...row, ...written(String(row.Id)) } : row))
}

/** The changes of cells that wait to be saved, and why some were not. */
export function EditBar({ tab, edits, result }: { tab: QueryTab; edits: Edits; result: Result }) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      // The cell that was edited last may have been taken by the same key.
      const staged = editsOf(tab.id)
      const { saved, left } = await saveEdits(staged)
      const [id] = saved
      if (id === undefined) return { rows: result.rows, saved, left }
      const object = staged[id]!.object
      const rows = await queries
        .ensureQueryData(describeQuery(object))
        .then((description) => readAgain(result.rows, saved, description))
        .catch((error) => {
          if (error instanceof CallError) return withWritten(result.rows, saved, staged)
          throw error
        })
      return { rows, saved, left }
    },
    onSuccess: ({ rows, saved, left }) => {
      setSaved(tab.id, { ...result, rows }, left)
      for (const key of ['record', 'records', 'related', 'history']) void refreshQueries(queries, [key])
      if (saved.length > 0)
        notifications.show({
          color: 'teal',
          message: `${count(saved.length)} ${saved.length === 1 ? 'record' : 'records'} saved.`,
        })
    },
  })
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          if (!save.isPending && Object.keys(editsOf(tab.id)).length > 0) save.mutate()
        },
      ],
    ],
    [],
    true,
  )
  const records = Object.keys(edits).length
  const fields = Object.values(edits).reduce((sum, edit) => sum + Object.keys(edit.fields).length, 0)
  const problems = Object.entries(edits).flatMap(([id, { problem }]) =>
    problem === undefined ? [] : [{ id, ...problem }],
  )
  if (records === 0) return null
  return (
    <section className={styles.bar} aria-label="Changes">
      <div className={styles.changes} {...(problems.length > 0 && scrollRegion('Problems'))}>
        <span role="status">
          {count(fields)} {fields === 1 ? 'change' : 'changes'} in {count(records)}{' '}
          {records === 1 ? 'record' : 'records'}
        </span>
        {save.error !== null && (
          <Text size="xs" c="red" role="alert">
            {save.error.message}
          </Text>
        )}
        {problems.slice(0, 3).map(({ id, message, fields: named }) => (
          <Text key={id} size="xs" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
            {id}
            {named.length > 0 && ` (${named.join(', ')})`}: {message}
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
      <Button variant="default" disabled={save.isPending} onClick={() => changeEdits(tab.id, () => ({}))}>
        Discard
      </Button>
    </section>
  )
}

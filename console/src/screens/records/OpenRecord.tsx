import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CallError } from '../../api/client.ts'
import { type Description, nameFieldOf } from '../../api/describe.ts'
import { BesidePanel } from '../../components/beside/BesidePanel.tsx'
import type { Beside } from '../../components/beside/use-beside.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { textOf } from '../../components/grid/CellText.tsx'
import { count } from '../../components/words.ts'
import { Details } from './Details.tsx'
import styles from './Records.module.css'
import { useRecord } from './use-record.ts'
import { useRelatedCounts } from './use-related-counts.ts'

interface Shown {
  readonly description: Description
  readonly id: string
}

/** How many records refer to this one, by list. */
function RelatedNumbers({ description, id }: Shown) {
  const { lists, error, retry } = useRelatedCounts(description, id)
  const filled = lists?.filter(({ total }) => total !== 0)
  return (
    <section aria-label="Related">
      <Title order={3} size="h6" mb={4}>
        Related
      </Title>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {error === null && filled === undefined && <Skeleton h={22} />}
      {filled?.length === 0 && (
        <Text size="sm" c="dimmed">
          No record refers to this one.
        </Text>
      )}
      <div className={styles.numbers}>
        {filled?.map(({ sobject, field, label, total }) => (
          <Link
            key={`${sobject}.${field}`}
            to="/records/$object/$id"
            params={{ object: description.name, id }}
            search={{ tab: 'related' }}
            className="console-link"
            title={`${sobject}.${field}`}
          >
            {label}
            {total !== undefined && ` ${count(total)}`}
          </Link>
        ))}
      </div>
    </section>
  )
}

/** Why a record is not shown: that it is gone is no fault. */
function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof CallError) || error.status !== 404)
    return <ErrorNotice error={error} onRetry={onRetry} />
  return (
    <Alert color="orange" variant="light" title="This record is not here">
      It was deleted, or your user may not read it.
    </Alert>
  )
}

/** A record beside the list that it is in: its fields, and how many records refer to it. */
export function OpenRecord({ description, id, beside }: Shown & { readonly beside: Beside }) {
  const { data: read, error, refetch } = useRecord(description.name, id)
  const nameField = nameFieldOf(description)
  const name = (nameField === undefined ? '' : textOf(read?.values[nameField])) || id
  return (
    <BesidePanel
      beside={beside}
      kind="Record"
      title={<bdi>{name.slice(0, 256)}</bdi>}
      back={description.labelPlural}
    >
      {error !== null ? (
        <NotShown error={error} onRetry={() => void refetch()} />
      ) : read === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Stack gap="lg">
          <Button
            renderRoot={(props) => (
              <Link to="/records/$object/$id" params={{ object: description.name, id }} {...props} />
            )}
            variant="light"
            leftSection={<IconArrowRight size={15} />}
            style={{ alignSelf: 'flex-start' }}
          >
            Open
          </Button>
          <RelatedNumbers description={description} id={id} />
          <div className={styles.beside}>
            <Details description={description} values={read.values} />
          </div>
        </Stack>
      )}
    </BesidePanel>
  )
}

import {
  Alert,
  Badge,
  Button,
  Group,
  Modal,
  Paper,
  Skeleton,
  Table,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopyPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call, data } from '../../api/client.ts'
import { type Description, nameFieldOf, useDescribe } from '../../api/describe.ts'
import { useLayout } from '../../api/layout.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { CopyAs } from '../../components/copy/CopyAs.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { textOf } from '../../components/grid/CellText.tsx'
import { Page } from '../../components/Page.tsx'
import { timeOfDay } from '../../components/words.ts'
import { Access } from './Access.tsx'
import { Details } from './Details.tsx'
import { FieldValue } from './FieldValue.tsx'
import { Files } from './Files.tsx'
import { History } from './History.tsx'
import { RecordForm, type Values } from './RecordForm.tsx'
import { Related } from './Related.tsx'
import { showDeleted } from './show-deleted.tsx'
import { useNames } from './use-names.ts'
import { type ReadRecord, useRecord } from './use-record.ts'

/** The form of a record, which knows the names that its page has read. */
function EditForm(shown: Omit<Parameters<typeof RecordForm>[0], 'names'>) {
  return <RecordForm {...shown} names={useNames(shown.description, shown.initial)} />
}

function AllFields({ description, values }: { description: Description; values: Values }) {
  const [word, setWord] = useState('')
  const names = useNames(description, values)
  const shown = description.fields.filter(({ name, label, type }) =>
    `${name} ${label} ${type} ${textOf(values[name])}`.toLowerCase().includes(word.toLowerCase()),
  )
  return (
    <>
      <TextInput
        aria-label="Find a field"
        placeholder="Find by name, label, type or value"
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
        mb="sm"
        maw={340}
      />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="24%">Field</Table.Th>
            <Table.Th w="24%">Label</Table.Th>
            <Table.Th w="12%">Type</Table.Th>
            <Table.Th>Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((field) => (
            <Table.Tr key={field.name}>
              <Table.Td ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
                {field.name}
              </Table.Td>
              <Table.Td>{field.label}</Table.Td>
              <Table.Td c="dimmed">
                {field.type}
                {field.calculated && ', computed'}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <FieldValue
                  field={field}
                  value={values[field.name]}
                  name={names.get(textOf(values[field.name]))}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

function DeleteButton({
  object,
  id,
  label,
  name,
}: {
  object: string
  id: string
  label: string
  name: string
}) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(data(`/sobjects/${object}/${id}`), { method: 'DELETE' }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['record', object, id] })
      void refreshQueries(queries, ['records', object])
      const message = `${name} is in the recycle bin for 15 days.`
      showDeleted(queries, { object, ids: [id], title: `${label} deleted`, message })
      void navigate({ to: '/records/$object', params: { object } })
    },
  })
  return (
    <>
      <Button
        variant="default"
        color="red"
        leftSection={<IconTrash size={15} />}
        onClick={() => setAsked(true)}
      >
        Delete…
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={`Delete this ${label}?`}>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" ff="monospace" c="dimmed">
          {id}
        </Text>
        <Text size="sm" mt="sm">
          It goes to the recycle bin for 15 days, with its details.
        </Text>
        {remove.error !== null && <ErrorNotice error={remove.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setAsked(false)}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </Group>
      </Modal>
    </>
  )
}

/** A record: by its layout, with everything that belongs to it. */
export function Record() {
  const { object, id } = useParams({ from: '/records/$object/$id' })
  const { tab = 'details' } = useSearch({ from: '/records/$object/$id' })
  const navigate = useNavigate({ from: '/records/$object/$id' })
  const queries = useQueryClient()
  const { data: description, error: describeError } = useDescribe(object)
  // The page needs it: both come by one call.
  useLayout(object)
  const { data: read, error, refetch, isFetching, dataUpdatedAt } = useRecord(object, id)
  const [edited, setEdited] = useState<ReadRecord>()
  const nameField = nameFieldOf(description)
  const name = (nameField === undefined ? '' : textOf(read?.values[nameField])) || id

  const save = async (changes: Values) => {
    try {
      await call(data(`/sobjects/${object}/${id}`), {
        method: 'PATCH',
        body: changes,
        headers: edited?.etag === undefined ? {} : { 'If-Match': edited.etag },
      })
    } catch (caught) {
      if (!(caught instanceof CallError) || caught.status !== 412) throw caught
      const { data: now } = await refetch()
      if (now === undefined) throw caught
      const differing = Object.keys(changes).filter(
        (field) => textOf(now.values[field]) !== textOf(edited?.values[field]),
      )
      const others = Object.keys(now.values).filter(
        (field) =>
          ![
            'LastModifiedDate',
            'SystemModstamp',
            'attributes',
            'LastModifiedById',
            'LastViewedDate',
            'LastReferencedDate',
          ].includes(field) &&
          !(field in changes) &&
          textOf(now.values[field]) !== textOf(edited?.values[field]),
      )
      setEdited({ values: edited!.values, etag: now.etag })
      const errorCode = 'Changed meanwhile'
      const told = (message: string, fields: readonly string[] = []) => ({ message, errorCode, fields })
      throw new CallError(
        caught.method,
        caught.path,
        caught.status,
        [
          told(
            'Somebody else saved this record while you edited it. Save again to write your values over it.',
          ),
          ...(others.length > 0 ? [told(`Also changed: ${others.join(', ')}; these stay.`)] : []),
          ...differing.map((field) =>
            told(
              `${field} was changed to “${textOf(now.values[field]).slice(0, 200)}”, and you have “${textOf(changes[field]).slice(0, 200)}”.`,
              [field],
            ),
          ),
        ],
        caught.requestId,
      )
    }
    notifications.show({ color: 'teal', message: 'Saved.' })
    // The next edit begins with what the server made of the values.
    await refetch()
    setEdited(undefined)
    for (const key of ['records', 'history', 'related', 'names']) void refreshQueries(queries, [key])
  }

  if ((describeError ?? error) !== null && read === undefined)
    return (
      <Page title={object} note={id}>
        <ErrorNotice error={describeError ?? error} onRetry={() => void refetch()} />
      </Page>
    )
  if (read === undefined || description === undefined)
    return (
      <Page title={object}>
        <Skeleton h={320} />
      </Page>
    )
  const { values } = read
  return (
    <Page
      title={name.slice(0, 256)}
      note={
        <>
          <Link to="/records/$object" params={{ object }} className="console-link">
            {description.label}
          </Link>{' '}
          <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{id}</span>, read at{' '}
          {timeOfDay(dataUpdatedAt)}
          {values.IsDeleted === true && (
            <Badge color="red" ml="xs">
              Deleted
            </Badge>
          )}
        </>
      }
      actions={
        <>
          <CopyAs call={{ method: 'GET', path: data(`/sobjects/${object}/${id}`) }} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} />}
            loading={isFetching}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
          {description.createable && (
            <Button
              component={Link}
              to={`/records/${object}/new?clone=${id}`}
              variant="default"
              leftSection={<IconCopyPlus size={15} />}
            >
              Clone
            </Button>
          )}
          {description.deletable && (
            <DeleteButton object={object} id={id} label={description.label} name={name} />
          )}
          {description.updateable && (
            <Button
              leftSection={<IconPencil size={15} />}
              disabled={edited !== undefined}
              onClick={() => setEdited(read)}
            >
              Edit
            </Button>
          )}
        </>
      }
    >
      {error !== null && (
        <Alert color="orange" mb="md" title="The record could not be read again">
          What is shown was read at {timeOfDay(dataUpdatedAt)}.
        </Alert>
      )}
      <Paper p="lg">
        {edited !== undefined ? (
          <EditForm
            description={description}
            initial={edited.values}
            isNew={false}
            recordTypeId={
              values.RecordTypeId ?? description.recordTypeInfos.find(({ master }) => master)?.recordTypeId
            }
            place={`record/${id}`}
            onSave={save}
            onCancel={() => setEdited(undefined)}
          />
        ) : (
          <Tabs
            value={tab}
            onChange={(value) =>
              void navigate({
                search: { tab: value === 'details' ? undefined : (value ?? undefined) },
                replace: true,
              })
            }
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="details">Details</Tabs.Tab>
              <Tabs.Tab value="fields">All fields</Tabs.Tab>
              <Tabs.Tab value="related">Related</Tabs.Tab>
              <Tabs.Tab value="files">Files</Tabs.Tab>
              <Tabs.Tab value="history">History</Tabs.Tab>
              <Tabs.Tab value="access">Access</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="details">
              <Details description={description} values={values} />
            </Tabs.Panel>
            <Tabs.Panel value="fields">
              <AllFields description={description} values={values} />
            </Tabs.Panel>
            <Tabs.Panel value="related">
              <Related description={description} id={id} name={name} />
            </Tabs.Panel>
            <Tabs.Panel value="files">
              <Files id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <History description={description} id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="access">
              <Access id={id} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Paper>
    </Page>
  )
}

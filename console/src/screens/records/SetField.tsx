import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Description } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { allowedValues } from '../../api/layout.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { count } from '../../components/words.ts'
import { FieldInput } from './FieldInput.tsx'
import { byLabel, FieldSelect, matchingFields } from './FieldSelect.tsx'
import { problemsText, setValues, writeByIds } from './write-by-ids.ts'

interface Setting {
  readonly description: Description
  readonly ids: readonly string[]
  /** With the ids of those that were refused. */
  readonly onDone: (refused: readonly string[]) => void
}

/** Gives a field of chosen records one value. */
export function SetField({ description, ids, onDone }: Setting) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="light" leftSection={<IconPencil size={15} />} onClick={() => setOpen(true)}>
        Set a field…
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Set a field of ${count(ids.length)} ${ids.length === 1 ? description.label : description.labelPlural}`}
      >
        <SetForm
          description={description}
          ids={ids}
          onCancel={() => setOpen(false)}
          onDone={(refused) => {
            setOpen(false)
            onDone(refused)
          }}
        />
      </Modal>
    </>
  )
}

function SetForm({ description, ids, onDone, onCancel }: Setting & { onCancel: () => void }) {
  const [name, setName] = useState<string>()
  const [search, setSearch] = useState('')
  const [value, setValue] = useState<unknown>(null)
  const [isMissing, setMissing] = useState(false)
  const queries = useQueryClient()
  const updateable = description.fields.filter((field) => field.updateable).toSorted(byLabel)
  const field = updateable.find((one) => one.name === name)
  const set = useMutation({
    mutationFn: () => writeByIds(setValues(description.name, { [field!.name]: value }), ids),
    onSuccess: (problems) => {
      for (const key of ['records', 'record', 'related']) void refreshQueries(queries, [key])
      const isRefused = problems.size > 0
      notifications.show({
        color: isRefused ? 'red' : 'teal',
        autoClose: isRefused ? false : 5000,
        title: `${field!.label} of ${count(ids.length - problems.size)} of ${count(ids.length)} set`,
        message: problemsText(problems),
      })
      onDone([...problems.keys()])
    },
  })
  const choose = (to: string) => {
    setName(to)
    setMissing(false)
    const chosen = updateable.find((one) => one.name === to)
    setValue(chosen !== undefined && kindOf(chosen) === 'checkbox' ? false : null)
  }
  const submit = () => {
    // Enter came before the list had marked what it finds: that is a choice, too.
    const [found] = search.trim() === '' || search === field?.label ? [] : matchingFields(updateable, search)
    if (found !== undefined) return choose(found.name)
    if (field === undefined) return setMissing(true)
    set.mutate()
  }
  return (
    <form
      aria-label="Set a field"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <FieldSelect
          fields={updateable}
          field={field}
          onChoose={choose}
          search={search}
          onSearch={setSearch}
          error={isMissing ? 'Choose a field.' : undefined}
          isFocused
        />
        {field !== undefined && (
          <FieldInput
            key={field.name}
            field={field}
            value={value}
            onChange={setValue}
            choices={allowedValues(field.picklistValues, undefined, null)}
            isRequired={!field.nillable}
          />
        )}
        {field?.nillable && (value === null || value === '') && (
          <Text size="sm" c="dimmed">
            {field.label} becomes empty.
          </Text>
        )}
        {set.error !== null && (
          <Text size="sm" c="red" role="alert">
            {set.error.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending}>
            Set {count(ids.length)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

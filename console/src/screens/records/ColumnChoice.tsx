import { Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import type { Field } from '../../api/describe.ts'
import { useChooseColumns } from '../../api/preferences.ts'
import { count } from '../../components/words.ts'

interface Shown {
  readonly object: string
  readonly fields: readonly Field[]
  /** The columns of the list as it is. */
  readonly shown: readonly string[]
  /** True if they are the user's own. */
  readonly isChosen: boolean
}

/** So many fields are listed; a word finds the others. */
const MAX_LISTED = 60

/** Which fields lists of an object show, for this user. */
export function ColumnChoice({ object, fields, shown, isChosen }: Shown) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [word, setWord] = useState('')
  const choose = useChooseColumns(object)
  const known = new Set(fields.map(({ name }) => name))
  const open = (opened: boolean) => {
    setOpen(opened)
    setWord('')
    if (opened) setChosen(shown.filter((name) => known.has(name)))
  }
  const apply = (names: readonly string[]) => choose.mutate(names, { onSuccess: () => setOpen(false) })
  const fits = ({ name, label }: Field) => `${name} ${label}`.toLowerCase().includes(word.toLowerCase())
  // Those that the list has come first, in their order.
  const listed = [
    ...shown.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    ...fields.filter(({ name }) => !shown.includes(name)),
  ].filter(fits)
  return (
    <Popover
      opened={isOpen}
      onChange={open}
      position="bottom-end"
      width={320}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconColumns3 size={15} />}
          onClick={() => open(!isOpen)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          <TextInput
            aria-label="Find a field"
            placeholder="Find by name or label"
            size="xs"
            value={word}
            onChange={({ currentTarget }) => setWord(currentTarget.value)}
            data-autofocus
          />
          <Stack gap={6} mah={300} style={{ overflow: 'auto' }}>
            {listed.slice(0, MAX_LISTED).map(({ name, label }) => (
              <Checkbox
                key={name}
                size="xs"
                label={label}
                description={name}
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
                }
              />
            ))}
            {listed.length > MAX_LISTED && (
              <Text size="xs" c="dimmed">
                and {count(listed.length - MAX_LISTED)} more: find them by a word
              </Text>
            )}
          </Stack>
          {choose.error !== null && (
            <Text size="xs" c="red" role="alert">
              {choose.error.message}
            </Text>
          )}
          <Group justify="space-between">
            <Button variant="default" disabled={!isChosen} onClick={() => apply([])}>
              As the view
            </Button>
            <Button loading={choose.isPending} disabled={chosen.length === 0} onClick={() => apply(chosen)}>
              Show {count(chosen.length)}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

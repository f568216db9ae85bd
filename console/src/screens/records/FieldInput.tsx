import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { data, get } from '../../api/client.ts'
import { type Field, objectOfId, useObjects } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { findNameField } from '../../api/names.ts'
import { quoteContaining } from '../../api/soql.ts'
import { typedValue } from '../../components/grid/CellInput.tsx'
import { textOf } from '../../components/grid/CellText.tsx'

interface Shown {
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly error?: string | undefined
  /** Values that the record type and the controller allow, of a picklist. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[] | undefined
  readonly isRequired: boolean
  /** Of the record that a reference points to. */
  readonly name?: string | undefined
}

interface Option {
  readonly value: string
  readonly label: string
}

/** A field that refers to a record: found by its name when it is opened, and shown by its name where that is known. */
function Lookup({ field, value, onChange, error, isRequired, name }: Shown) {
  const known = objectOfId(value)
  const queries = useQueryClient()
  const { data: objects } = useObjects()
  const [object, setObject] = useState(known ?? field.referenceTo[0] ?? '')
  const [isOpened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<Option>()
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(typed, 250)
  const { data: found, isFetching } = useQuery({
    queryKey: ['lookup', object, word],
    queryFn: async ({ signal }): Promise<readonly Option[]> => {
      const nameField = (await findNameField(queries, object)) ?? 'Id'
      const names = [...new Set(['Id', nameField])].join(', ')
      const soql = `SELECT ${names} FROM ${object}${word === '' ? '' : ` WHERE ${nameField} LIKE ${quoteContaining(word)}`} LIMIT 20`
      const { records } = await get<{ records: readonly Record<string, unknown>[] }>(
        data(`/query?${new URLSearchParams({ q: soql })}`),
        { signal },
      )
      return records.map((record) => ({
        value: String(record.Id),
        label: textOf(record[nameField]) || String(record.Id),
      }))
    },
    enabled: isOpened,
    retry: false,
  })
  const current = textOf(value)
  const options = found ?? []
  const shown = chosen?.value === current ? chosen : { value: current, label: name ?? current }
  const all = current === '' || options.some((one) => one.value === current) ? options : [shown, ...options]
  return (
    <div>
      <Select
        label={field.label}
        description={field.referenceTo.length > 1 ? undefined : field.inlineHelpText}
        data={[...all]}
        value={current === '' ? null : current}
        onChange={(id, option) => {
          setChosen(option ?? undefined)
          onChange(id)
        }}
        searchable
        clearable
        withAsterisk={isRequired}
        error={error}
        onDropdownOpen={() => setOpened(true)}
        onSearchChange={(text) => setTyped(all.some(({ label }) => label === text) ? '' : text)}
        filter={({ options: shown }) => shown}
        nothingFoundMessage={isFetching ? 'Searching…' : 'None has this name'}
        placeholder={`Find ${objects?.find((one) => one.name === object)?.label ?? object}`}
      />
      {field.referenceTo.length > 1 && (
        <Select
          aria-label={`${field.label}: object`}
          size="xs"
          mt={4}
          w={180}
          data={[...field.referenceTo]}
          value={object}
          allowDeselect={false}
          onChange={(to) => setObject(to ?? object)}
        />
      )}
    </div>
  )
}

const LONG = 255
/** A stored time without its offset, which is always that of UTC. */
const withoutZone = (value: string) => value.replace(/(\.\d+)?(Z|\+0000)?$/, '')

/** A field in a form: of the kind that its values are. Times are those that are stored, in UTC; nothing shifts them. */
export function FieldInput(shown: Shown) {
  const { field, value, onChange, error, choices, isRequired } = shown
  const text = textOf(value)
  const common = {
    label: field.label,
    description: field.inlineHelpText ?? undefined,
    error,
    withAsterisk: isRequired,
  }
  switch (kindOf(field)) {
    case 'checkbox':
      return (
        <Checkbox
          label={field.label}
          description={field.inlineHelpText ?? undefined}
          error={error}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          mt={26}
        />
      )
    case 'lookup':
      return <Lookup {...shown} />
    case 'choice': {
      const allowed = choices ?? []
      const data =
        text === '' || allowed.some((one) => one.value === text)
          ? allowed
          : [{ value: text, label: text }, ...allowed]
      return (
        <Select
          {...common}
          data={[...data]}
          value={text === '' ? null : text}
          onChange={onChange}
          clearable
          searchable={data.length > 8}
        />
      )
    }
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={[...(choices ?? [])]}
          value={text === '' ? [] : text.split(';')}
          onChange={(chosen) => onChange(chosen.length === 0 ? null : chosen.join(';'))}
          clearable
        />
      )
    case 'date':
      return (
        <TextInput
          {...common}
          type="date"
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
      )
    case 'datetime':
      return (
        <TextInput
          {...common}
          label={`${field.label} (UTC)`}
          type="datetime-local"
          step={1}
          value={withoutZone(text)}
          onChange={({ currentTarget }) =>
            onChange(
              currentTarget.value === ''
                ? null
                : `${currentTarget.value.length === 16 ? `${currentTarget.value}:00` : currentTarget.value}.000+0000`,
            )
          }
        />
      )
    case 'time':
      return (
        <TextInput
          {...common}
          type="time"
          step={1}
          value={withoutZone(text)}
          onChange={({ currentTarget }) =>
            onChange(
              currentTarget.value === ''
                ? null
                : `${currentTarget.value.length === 5 ? `${currentTarget.value}:00` : currentTarget.value}.000Z`,
            )
          }
        />
      )
    case 'lines':
      return (
        <Textarea
          {...common}
          autosize
          minRows={field.length > LONG ? 4 : 2}
          maxRows={14}
          value={text}
          dir="auto"
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        />
      )
    default:
      return <TypedText key={field.name} common={common} field={field} value={value} onChange={onChange} />
  }
}

/** Text that may be a number or a document: kept as it is typed, so that `1.` can become `1.5`. */
function TypedText({
  common,
  field,
  value,
  onChange,
}: {
  common: object
  field: Field
  value: unknown
  onChange: (value: unknown) => void
}) {
  const [typed, setTyped] = useState<string>()
  const shown =
    typed !== undefined && textOf(typedValue(field, typed)) === textOf(value) ? typed : textOf(value)
  return (
    <TextInput
      {...common}
      value={shown}
      dir="auto"
      inputMode={kindOf(field) === 'number' ? 'decimal' : undefined}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(typedValue(field, currentTarget.value))
      }}
    />
  )
}

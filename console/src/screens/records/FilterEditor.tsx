import { Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Field } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { byLabel, FieldSelect, matchingFields } from './FieldSelect.tsx'
import { FilterValue } from './FilterValue.tsx'
import { type Filter, operatorsOf } from './filters.ts'
import { useRecordName } from './use-record-name.ts'

interface Shown {
  /** Undefined for a new one. */
  readonly filter: Filter | undefined
  readonly fields: readonly Field[]
  readonly onApply: (filter: Filter) => void
}

const NUMBER = /^-?\d+(\.\d+)?$/

/** Field, operator and value of a filter. */
export function FilterEditor({ filter, fields, onApply }: Shown) {
  const [name, setName] = useState(filter?.field ?? null)
  const [operatorName, setOperatorName] = useState(filter?.operator)
  const [values, setValues] = useState(filter?.values ?? [])
  const [problem, setProblem] = useState<string>()
  const filterable = fields.filter((one) => operatorsOf(one).length > 0).toSorted(byLabel)
  const field = filterable.find((one) => one.name === name)
  const [search, setSearch] = useState(field?.label ?? '')
  const operators = field === undefined ? [] : operatorsOf(field)
  const operator = operators.find((one) => one.name === operatorName) ?? operators[0]
  const recordName = useRecordName(field !== undefined && kindOf(field) === 'lookup' ? values[0] : undefined)
  const change = (to: readonly string[]) => {
    setValues(to)
    setProblem(undefined)
  }
  const choose = (to: string) => {
    setName(to)
    setOperatorName(undefined)
    const chosen = fields.find((one) => one.name === to)
    change(chosen !== undefined && kindOf(chosen) === 'checkbox' ? ['true'] : [])
  }
  const apply = () => {
    // Enter came before the list had marked what it finds: that is a choice, too.
    const [found] = search.trim() === '' || search === field?.label ? [] : matchingFields(filterable, search)
    if (found !== undefined) return choose(found.name)
    if (field === undefined || operator === undefined) return setProblem('Choose a field.')
    const given = operator.takes === 'nothing' ? [] : values
    if (operator.takes !== 'nothing' && given.length === 0) return setProblem('Enter a value.')
    if (kindOf(field) === 'number' && given.some((one) => !NUMBER.test(one)))
      return setProblem('This is not a number.')
    onApply({ field: field.name, operator: operator.name, values: given })
  }
  return (
    <form
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Stack gap="xs">
        <FieldSelect
          fields={filterable}
          field={field}
          onChoose={choose}
          search={search}
          onSearch={setSearch}
          error={field === undefined ? problem : undefined}
          isFocused={filter === undefined}
          size="xs"
        />
        {field !== undefined && operator !== undefined && (
          <>
            <Select
              label="Operator"
              size="xs"
              data={operators.map(({ name: value, label }) => ({ value, label }))}
              value={operator.name}
              onChange={(to) => {
                const next = operators.find((one) => one.name === to)
                if (next === undefined) return
                setOperatorName(next.name)
                if (next.takes !== operator.takes) change([])
              }}
              allowDeselect={false}
              data-autofocus={filter !== undefined || undefined}
            />
            <FilterValue
              key={field.name}
              field={field}
              takes={operator.takes}
              values={values}
              name={recordName}
              problem={problem}
              onChange={change}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  )
}

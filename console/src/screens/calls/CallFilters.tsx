import { Group, SegmentedControl, Select, type SelectProps, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { LoggedCall } from '../../../../src/calllog/logged-call.ts'
import { count } from '../../components/words.ts'
import { type CallFilter, countBy, endpointOf, filterCalls, isStatusLoaded } from './call-filter.ts'
import { statusClasses } from './call-status.ts'

const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'partial']

interface TypedProps {
  readonly label: string
  readonly placeholder?: string
  readonly unit?: string
  readonly maxWidth: number
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** An input whose text takes effect when the user pauses. */
function Typed({ label, placeholder, unit, maxWidth, value = '', onChange }: TypedProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed
    onChange(typed || undefined)
  }, 300)
  // The address may change by itself, as by a step back.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value
      setText(value)
    }
  }, [value])
  return (
    <TextInput
      label={label}
      placeholder={placeholder ?? ''}
      size="xs"
      flex="1 1 120px"
      maw={maxWidth}
      value={text}
      inputMode={unit === undefined ? 'search' : 'numeric'}
      rightSection={unit !== undefined && <Text size="xs">{unit}</Text>}
      onChange={({ currentTarget }) => {
        const typed = unit === undefined ? currentTarget.value : currentTarget.value.replace(/\D/g, '')
        setText(typed)
        send(typed)
      }}
    />
  )
}

/** Values with the number of their calls; undefined: those are not loaded. */
const optionsOf = (
  counts: ReadonlyMap<string, number>,
  labels: ReadonlyMap<string, string>,
  chosen: string | undefined,
) =>
  [...new Set([...counts.keys(), ...labels.keys(), ...(chosen === undefined ? [] : [chosen])])]
    .map((value) => ({ value, label: labels.get(value) ?? value, calls: counts.get(value) }))
    .sort((a, b) => (b.calls ?? 0) - (a.calls ?? 0) || a.label.localeCompare(b.label))

interface FacetProps extends Pick<SelectProps, 'label' | 'maw' | 'flex'> {
  readonly value: string | undefined
  readonly options: ReturnType<typeof optionsOf>
  readonly onChange: (value: string | undefined) => void
}

function Facet({ value, options, onChange, ...rest }: FacetProps) {
  return (
    <Select
      {...rest}
      placeholder="any"
      size="xs"
      clearable
      searchable
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      value={value ?? null}
      data={options}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      renderOption={({ option }) => {
        const calls = options.find((one) => one.value === option.value)?.calls
        return (
          <Group justify="space-between" wrap="nowrap" flex={1} gap="lg">
            <span style={{ overflowWrap: 'anywhere' }}>{option.label}</span>
            <Text size="xs">{calls !== undefined && count(calls)}</Text>
          </Group>
        )
      }}
    />
  )
}

interface Shown {
  readonly filter: CallFilter
  /** Those that are loaded. */
  readonly calls: readonly LoggedCall[]
  /** Names by client id. */
  readonly apps: ReadonlyMap<string, string>
  readonly onChange: (changed: CallFilter) => void
}

/** Chooses calls by a text, and by what they have in common, with the number of loaded calls that have it. */
export function CallFilters({ filter, calls, apps, onChange }: Shown) {
  const { find, user, app, status, endpoint, slower } = filter
  const statuses = useMemo(
    () => countBy(filterCalls(calls, { find, status, endpoint, slower }, 'status'), statusClasses),
    [calls, find, status, endpoint, slower],
  )
  const shown = useMemo(
    () => filterCalls(calls, { find, status, endpoint, slower }),
    [calls, find, status, endpoint, slower],
  )
  const byApp = useMemo(() => countBy(shown, (call) => (call.app === null ? [] : [call.app])), [shown])
  const endpoints = useMemo(
    () =>
      countBy(filterCalls(calls, { find, status, endpoint, slower }, 'endpoint'), (call) => [
        endpointOf(call),
      ]),
    [calls, find, status, endpoint, slower],
  )
  return (
    <>
      <Typed
        label="Find"
        placeholder="request id, path or code"
        maxWidth={260}
        value={find}
        onChange={(text) => onChange({ find: text })}
      />
      <Facet
        label="App"
        flex="1 1 130px"
        maw={210}
        value={app}
        options={optionsOf(byApp, apps, app)}
        onChange={(chosen) => onChange({ app: chosen })}
      />
      <Facet
        label="Endpoint"
        flex="1 1 150px"
        maw={260}
        value={endpoint}
        options={optionsOf(endpoints, new Map(), endpoint)}
        onChange={(chosen) => onChange({ endpoint: chosen })}
      />
      <Typed
        label="User"
        placeholder="username"
        maxWidth={200}
        value={user}
        onChange={(text) => onChange({ user: text })}
      />
      <Typed
        label="Slower than"
        unit="ms"
        maxWidth={120}
        value={slower}
        onChange={(text) => onChange({ slower: text })}
      />
      <SegmentedControl
        aria-label="Status"
        size="xs"
        value={status ?? ''}
        onChange={(value) => onChange({ status: value || undefined })}
        data={[
          { value: '', label: 'All' },
          ...STATUSES.map((value) => ({
            value,
            label: isStatusLoaded(value, status) ? `${value} ${count(statuses.get(value) ?? 0)}` : value,
          })),
        ]}
      />
    </>
  )
}

import { Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallError, type Problem } from '../../api/client.ts'
import type { Description, Field } from '../../api/describe.ts'
import { dropDraft, useDraft, writeDraft } from '../../api/drafts.ts'
import { kindOf } from '../../api/field-kind.ts'
import { allowedValues, fieldsOf, useLayout, valuesFor } from '../../api/layout.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { textOf } from '../../components/grid/CellText.tsx'
import { timeOfDay } from '../../components/words.ts'
import { FieldInput } from './FieldInput.tsx'
import styles from './Records.module.css'

export type Values = Readonly<Record<string, unknown>>

interface Draft {
  readonly at: number
  readonly changes: Values
}

interface Shown {
  readonly description: Description
  /** Values of the record, or those a new one starts with. */
  readonly initial: Values
  readonly isNew: boolean
  readonly recordTypeId: unknown
  /** True if the type is chosen outside the form, which does not ask again. */
  readonly isTypeChosen?: boolean
  /** Names of records that the values refer to, by id, where they are known. */
  readonly names?: ReadonlyMap<string, string>
  /** Where what is typed is kept until it is saved. */
  readonly place: string
  readonly onSave: (changes: Values) => Promise<void>
  readonly onCancel: () => void
}

interface FormFieldShown {
  readonly field: Field
  readonly value: unknown
  /** The field that decides which values this one offers, and what it has. */
  readonly controller: Field | undefined
  readonly controllerValue: unknown
  /** Values of the record type; undefined: those of the field. */
  readonly typeValues: ReturnType<typeof valuesFor>
  readonly problem: string | undefined
  readonly name: string | undefined
  readonly onChange: (field: string, value: unknown) => void
}

/** One field of the form. It is drawn again only when something of its own changes: a form may have hundreds. */
const FormField = memo(
  ({ field, value, controller, controllerValue, typeValues, problem, name, onChange }: FormFieldShown) => (
    <div data-field={field.name}>
      <FieldInput
        field={field}
        value={value}
        onChange={(changed) => onChange(field.name, changed)}
        isRequired={!field.nillable && !field.defaultedOnCreate && kindOf(field) !== 'checkbox'}
        error={problem}
        name={name}
        choices={
          ['choice', 'choices'].includes(kindOf(field))
            ? allowedValues(typeValues ?? field.picklistValues, controller, controllerValue)
            : undefined
        }
      />
    </div>
  ),
)

/** The fields of a record that may be written, laid out as its page is. What is typed is kept at once. */
export function RecordForm(shown: Shown) {
  const draft = useDraft<Draft>(shown.place)
  return draft === undefined ? null : <OpenForm key={shown.place} {...shown} draft={draft} />
}

function OpenForm({
  description,
  initial,
  isNew,
  recordTypeId,
  isTypeChosen = false,
  names,
  place,
  onSave,
  onCancel,
  draft,
}: Shown & { readonly draft: Draft | null }) {
  const { data: layouts } = useLayout(description.name)
  const [changes, setChanges] = useState<Values>(draft?.changes ?? {})
  const latest = useRef(changes)
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const isDone = useRef(false)
  const form = useRef<HTMLFormElement>(null)

  const change = useCallback(
    (field: string, value: unknown) => {
      const { [field]: _, ...others } = latest.current
      const next = (initial[field] ?? null) === value ? others : { ...others, [field]: value }
      latest.current = next
      setChanges(next)
      void (Object.keys(next).length === 0
        ? dropDraft(place)
        : writeDraft(place, { at: Date.now(), changes: next } satisfies Draft))
    },
    [initial, place],
  )
  const isChanged = Object.keys(changes).length > 0
  useBlocker({
    shouldBlockFn: () =>
      isChanged &&
      !isDone.current &&
      !window.confirm('Leave this page? What you typed is kept and comes back when you open it again.'),
    enableBeforeUnload: false,
  })
  const save = async () => {
    if (isSaving || (!isNew && !isChanged)) return
    setSaving(true)
    setError(undefined)
    try {
      isDone.current = true
      const values = { ...initial, ...latest.current }
      await onSave(
        isNew
          ? Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
          : latest.current,
      )
      await dropDraft(place)
    } catch (caught) {
      isDone.current = false
      setError(caught)
    } finally {
      setSaving(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const discard = () => {
    isDone.current = true
    void dropDraft(place)
    onCancel()
  }

  /** Puts the cursor into a field, where the bar at the bottom does not cover it. */
  const focusField = (name: string) => {
    const input = form.current?.querySelector<HTMLElement>(
      `[data-field="${CSS.escape(name)}"] :is(input, textarea):not([type=hidden])`,
    )
    input?.focus({ preventScroll: true })
    input?.scrollIntoView({ block: 'center' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, when its save is over
  useEffect(() => {
    if (error === undefined || isSaving) return
    const first = sections
      .flatMap(({ fields }) => fields)
      .find(({ name }) => problems.some(({ fields }) => fields.includes(name)))
    if (first !== undefined) focusField(first.name)
    // A button that waits loses the focus.
    else if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus()
  }, [error, isSaving])

  const problems: readonly Problem[] = error instanceof CallError ? error.problems : []
  const byName = useMemo(() => new Map(description.fields.map((field) => [field.name, field])), [description])
  const sections = useMemo(() => {
    const isWritable = (field: Field | undefined): field is Field =>
      field !== undefined &&
      (isNew ? field.createable : field.updateable) &&
      kindOf(field) !== 'bytes' &&
      !(isTypeChosen && field.name === 'RecordTypeId')
    return (layouts?.layouts[0]?.editLayoutSections ?? [])
      .map((section) => ({
        heading: section.heading,
        key: section.layoutSectionId,
        // A compound field stands for its parts.
        fields: [
          ...new Set(
            fieldsOf(section).flatMap((name) => [
              byName.get(name),
              ...description.fields.filter(({ compoundFieldName }) => compoundFieldName === name),
            ]),
          ),
        ].filter(isWritable),
      }))
      .filter(({ fields }) => fields.length > 0)
  }, [layouts, description, byName, isNew, isTypeChosen])
  const shownFields = useMemo(
    () => new Map(sections.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const))),
    [sections],
  )
  const currentValue = (name: string) => (name in changes ? changes[name] : initial[name]) ?? null
  const typeId = currentValue('RecordTypeId') ?? recordTypeId

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      noValidate
    >
      <Stack>
        {draft !== null && (
          <Alert variant="light" py="xs">
            <Group justify="space-between">
              <Text size="sm">What you typed at {timeOfDay(draft.at)} is here again.</Text>
              <Button variant="subtle" onClick={discard}>
                Discard it
              </Button>
            </Group>
          </Alert>
        )}
        {sections.map(({ key, heading, fields }) => (
          <Fieldset key={key} legend={heading} variant="unstyled">
            <div className={styles.fields} style={{ rowGap: 12 }}>
              {fields.map((field) => (
                <FormField
                  key={field.name}
                  field={field}
                  value={currentValue(field.name)}
                  controller={byName.get(field.controllerName ?? '')}
                  controllerValue={field.controllerName === null ? null : currentValue(field.controllerName)}
                  typeValues={valuesFor(layouts, typeId, field.name)}
                  problem={problems.find((one) => one.fields.includes(field.name))?.message}
                  name={names?.get(textOf(initial[field.name]))}
                  onChange={change}
                />
              ))}
            </div>
          </Fieldset>
        ))}
        <div className={styles.saveBar}>
          {error !== undefined && (
            <div className={styles.refusal}>
              <ErrorNotice error={error} inputs={shownFields} onInput={focusField} />
            </div>
          )}
          <Group>
            <Button type="submit" size="sm" loading={isSaving} disabled={!isNew && !isChanged}>
              Save
            </Button>
            <Button variant="default" size="sm" onClick={discard}>
              Cancel
            </Button>
            {isChanged && !isNew && (
              <Text size="sm" c="dimmed" role="status">
                {Object.keys(changes).length === 1
                  ? '1 field changed'
                  : `${Object.keys(changes).length} fields changed`}
              </Text>
            )}
          </Group>
        </div>
      </Stack>
    </form>
  )
}

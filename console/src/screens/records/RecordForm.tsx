import { Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { CallError, type Problem } from '../../api/client.ts'
import type { Description, Field } from '../../api/describe.ts'
import { dropDraft, useDraft, writeDraft } from '../../api/drafts.ts'
import { kindOf } from '../../api/field-kind.ts'
import { fieldsOf, isValidFor, useLayout, valuesFor } from '../../api/layout.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
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
  /** Where what is typed is kept until it is saved. */
  readonly place: string
  readonly onSave: (changes: Values) => Promise<void>
  readonly onCancel: () => void
}

/** The values that a picklist offers: by record type, and by what its controller has. */
function choicesOf(
  field: Field,
  fields: readonly Field[],
  values: Values,
  typed: ReturnType<typeof valuesFor>,
) {
  const all = (typed ?? field.picklistValues).filter(({ active }) => active)
  const controller = fields.find(({ name }) => name === field.controllerName)
  if (controller === undefined) return all
  const value = values[controller.name] ?? null
  const index =
    kindOf(controller) === 'checkbox'
      ? Number(value === true)
      : controller.picklistValues.findIndex((one) => one.value === value)
  return index < 0 ? [] : all.filter(({ validFor }) => isValidFor(validFor, index))
}

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
  place,
  onSave,
  onCancel,
  draft,
}: Shown & { readonly draft: Draft | null }) {
  const { data: layouts } = useLayout(description.name)
  const [changes, setChanges] = useState<Values>(draft?.changes ?? {})
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const isDone = useRef(false)
  const top = useRef<HTMLFormElement>(null)
  const values: Values = { ...initial, ...changes }

  const change = (field: string, value: unknown) => {
    const { [field]: _, ...others } = changes
    const next = (initial[field] ?? null) === value ? others : { ...others, [field]: value }
    setChanges(next)
    void (Object.keys(next).length === 0
      ? dropDraft(place)
      : writeDraft(place, { at: Date.now(), changes: next } satisfies Draft))
  }
  const isChanged = Object.keys(changes).length > 0
  useBlocker({
    shouldBlockFn: () =>
      isChanged &&
      !isDone.current &&
      !window.confirm('Leave this page? What you typed is kept and comes back when you open it again.'),
    enableBeforeUnload: false,
  })
  const save = async () => {
    if (isSaving) return
    setSaving(true)
    setError(undefined)
    try {
      isDone.current = true
      await onSave(
        isNew ? Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) : changes,
      )
      await dropDraft(place)
    } catch (caught) {
      isDone.current = false
      setError(caught)
      top.current?.scrollIntoView()
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

  const problems: readonly Problem[] = error instanceof CallError ? error.problems : []
  const byName = new Map(description.fields.map((field) => [field.name, field]))
  const isWritable = (field: Field | undefined): field is Field =>
    field !== undefined && (isNew ? field.createable : field.updateable) && kindOf(field) !== 'bytes'
  const sections = (layouts?.layouts[0]?.editLayoutSections ?? [])
    .map((section) => ({
      heading: section.heading,
      key: section.layoutSectionId,
      // A compound field stands for its parts.
      fields: fieldsOf(section)
        .flatMap((name) => {
          const parts = description.fields.filter(({ compoundFieldName }) => compoundFieldName === name)
          return [...(byName.has(name) ? [byName.get(name)] : []), ...parts]
        })
        .filter((field, index, all) => isWritable(field) && all.indexOf(field) === index) as Field[],
    }))
    .filter(({ fields }) => fields.length > 0)
  const shownFields = new Set(sections.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const others = problems.filter(({ fields }) => !fields.some((name) => shownFields.has(name)))

  return (
    <form
      ref={top}
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
        {error !== undefined && (others.length > 0 || problems.length === 0) && (
          <ErrorNotice
            error={
              error instanceof CallError
                ? new CallError(error.method, error.path, error.status, others, error.requestId)
                : error
            }
          />
        )}
        {problems.length > others.length && (
          <Text size="sm" c="red" role="alert">
            {problems.length - others.length === 1
              ? 'A field was refused: see its message.'
              : 'Fields were refused: see their messages.'}
          </Text>
        )}
        {sections.map(({ key, heading, fields }) => (
          <Fieldset key={key} legend={heading} variant="unstyled">
            <div className={styles.fields} style={{ rowGap: 12 }}>
              {fields.map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={values[field.name] ?? null}
                  onChange={(value) => change(field.name, value)}
                  isRequired={!field.nillable && !field.defaultedOnCreate && kindOf(field) !== 'checkbox'}
                  error={problems.find((problem) => problem.fields.includes(field.name))?.message}
                  choices={
                    ['choice', 'choices'].includes(kindOf(field))
                      ? choicesOf(
                          field,
                          description.fields,
                          values,
                          valuesFor(layouts, values.RecordTypeId ?? recordTypeId, field.name),
                        )
                      : undefined
                  }
                />
              ))}
            </div>
          </Fieldset>
        ))}
        <Group
          style={{ position: 'sticky', bottom: 0, zIndex: 2, background: 'var(--console-raised)' }}
          py="sm"
        >
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
      </Stack>
    </form>
  )
}

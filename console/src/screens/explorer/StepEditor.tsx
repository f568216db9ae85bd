import { Group, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Editor } from '../../components/editor/Editor.tsx'
import { readContent, renameStep, type StepContent, type StepPath, writeContent } from './change-steps.ts'
import type { CompositeKind } from './composite.ts'
import styles from './Explorer.module.css'
import { METHODS } from './methods.ts'

interface Shown {
  readonly kind: CompositeKind
  readonly path: StepPath
  readonly source: unknown
  readonly referenceId: string | undefined
  /** Names of the other steps beside it. */
  readonly taken: readonly string[]
  /** The body of the call. */
  readonly body: string
  /** A body that is no JSON yet, and so not in that of the call. */
  readonly unfinished: string | undefined
  readonly onChange: (body: string) => void
  readonly onUnfinished: (text: string | undefined) => void
}

/** The parts of one step. They are written into the body of the call as they are typed; the name when its input is left. */
export function StepEditor(shown: Shown) {
  const { kind, path, source, referenceId, taken, body, unfinished, onChange, onUnfinished } = shown
  const content = readContent(kind, source)
  const [text, setText] = useState(unfinished ?? content.body)
  const title = referenceId ?? `${Number(path.at(-1)) + 1}`
  const change = (changed: Partial<StepContent>) => {
    const next = { ...content, body: text, ...changed }
    try {
      onChange(writeContent(body, kind, path, next))
      if (unfinished !== undefined) onUnfinished(undefined)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      // The finished parts are written all the same.
      if (changed.body === undefined)
        onChange(writeContent(body, kind, path, { ...next, body: content.body }))
      onUnfinished(next.body)
    }
  }
  const rename = (name: string) => {
    if (name !== (referenceId ?? ''))
      onChange(renameStep(body, kind, path, name, { before: referenceId, taken }))
  }
  return (
    <fieldset className={styles.step} aria-label={`Step ${title}`}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        {kind !== 'batch' && (
          <TextInput
            size="xs"
            flex={1}
            label={kind === 'tree' ? 'Reference id' : 'Name (referenceId)'}
            defaultValue={referenceId ?? ''}
            onBlur={({ currentTarget }) => rename(currentTarget.value)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') rename(currentTarget.value)
            }}
          />
        )}
        {kind === 'tree' ? (
          <TextInput
            size="xs"
            flex={1}
            label="Object"
            value={content.url}
            onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          />
        ) : (
          <Select
            size="xs"
            w={104}
            label="Method"
            data={METHODS}
            value={content.method}
            allowDeselect={false}
            onChange={(method) => change({ method: method ?? 'GET' })}
          />
        )}
      </Group>
      {kind !== 'tree' && (
        <TextInput
          size="xs"
          label="Address"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={content.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      )}
      <Text size="xs" fw={600} c={unfinished === undefined ? undefined : 'red'} role="status">
        {unfinished === undefined
          ? kind === 'tree'
            ? 'Fields'
            : 'Body'
          : 'This is not JSON yet: the call still has what was here before.'}
      </Text>
      <div className={styles.stepBody}>
        <Editor
          label={kind === 'tree' ? 'Fields of the record' : 'Body of the step'}
          language="json"
          value={text}
          hasNumbers={false}
          onChange={(typed) => {
            setText(typed)
            change({ body: typed })
          }}
        />
      </div>
    </fieldset>
  )
}

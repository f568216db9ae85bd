import { ActionIcon, Alert, Badge, Button, Group, Switch, Text, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { data } from '../../api/client.ts'
import { type CompositeKind, changeSteps, readSteps, type StepResult, SWITCHES } from './composite.ts'

const ROW = 58
const GUTTER = 56

function moved(steps: readonly unknown[], from: number, to: number): readonly unknown[] {
  const next = [...steps]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

interface Shown {
  readonly kind: CompositeKind
  readonly body: string
  readonly results: readonly StepResult[]
  readonly onChange: (body: string) => void
}

/** The steps of a composite call, with an arrow from each result to the step that uses it. */
export function CompositeSteps({ kind, body, results, onChange }: Shown) {
  let parsed: unknown
  try {
    parsed = JSON.parse(body || '{}')
  } catch {
    return (
      <Alert color="orange" variant="light">
        The body is no JSON yet: its steps are drawn as soon as it is.
      </Alert>
    )
  }
  const steps = readSteps(kind, parsed)
  const name = SWITCHES[kind]
  const isOn = name !== undefined && (parsed as Record<string, unknown>)[name] === true
  const list = kind === 'composite' || kind === 'batch' ? kind : undefined
  const add = () =>
    onChange(
      changeSteps(list!, body, (before) => [
        ...before,
        list === 'batch'
          ? { method: 'GET', url: data('/limits').slice('/services/data/'.length) }
          : { method: 'GET', url: data('/sobjects/Account/ID'), referenceId: `step${before.length + 1}` },
      ]),
    )
  return (
    <section aria-label="Steps">
      <Group mb="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {steps.length === 1 ? '1 step' : `${steps.length} steps`}
        </Text>
        {name !== undefined && (
          <Switch
            size="xs"
            label={name}
            checked={isOn}
            onChange={({ currentTarget }) =>
              onChange(JSON.stringify({ ...(parsed as object), [name]: currentTarget.checked }, null, 2))
            }
          />
        )}
      </Group>
      <div style={{ position: 'relative', paddingLeft: GUTTER }}>
        <svg
          aria-hidden
          width={GUTTER}
          height={steps.length * ROW}
          style={{ position: 'absolute', left: 0, top: 0 }}
          fill="none"
          stroke="var(--mantine-primary-color-filled)"
          strokeWidth={1.6}
        >
          <defs>
            <marker
              id="reference"
              viewBox="0 0 8 8"
              refX={7}
              refY={4}
              markerWidth={7}
              markerHeight={7}
              orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 z" fill="var(--mantine-primary-color-filled)" stroke="none" />
            </marker>
          </defs>
          {steps.flatMap(({ uses, key }, to) =>
            uses.map((from) => {
              const [start, end] = [from * ROW + 30, to * ROW + 22]
              const reach = Math.max(6, GUTTER - 8 - Math.min(5, Math.abs(to - from)) * 9)
              return (
                <path
                  key={`${key}-${from}`}
                  d={`M${GUTTER} ${start} C${reach - 8} ${start} ${reach - 8} ${end} ${GUTTER - 2} ${end}`}
                  markerEnd="url(#reference)"
                />
              )
            }),
          )}
        </svg>
        {steps.map((step, index) => {
          const result = results[index]
          return (
            <Group
              key={step.key}
              wrap="nowrap"
              gap="xs"
              h={ROW - 6}
              mb={6}
              px="sm"
              style={{
                border: `1px solid ${step.problems.length > 0 ? 'var(--mantine-color-red-filled)' : 'var(--console-line)'}`,
                borderRadius: 8,
                background: 'var(--console-raised)',
              }}
            >
              <div style={{ flex: 1, minWidth: 0 }}>
                <Text size="sm" truncate>
                  <b>{step.referenceId ?? index + 1}</b>{' '}
                  {step.group !== undefined && (
                    <Text span c="dimmed" size="xs">
                      in {step.group}
                    </Text>
                  )}{' '}
                  <Text span ff="monospace" size="xs">
                    {step.method} {step.url}
                  </Text>
                </Text>
                <Text
                  size="xs"
                  truncate
                  c={step.problems.length > 0 || (result?.message ?? '') !== '' ? 'red' : 'dimmed'}
                >
                  {step.problems[0] ??
                    result?.message ??
                    (step.uses.length > 0
                      ? `uses ${step.uses.map((from) => steps[from]!.referenceId).join(', ')}`
                      : 'stands by itself')}
                </Text>
              </div>
              {result !== undefined && (
                <Badge tt="none" color={result.status >= 400 ? 'red' : 'teal'} variant="light">
                  {result.status}
                </Badge>
              )}
              {list !== undefined && (
                <Group gap={0} wrap="nowrap">
                  {(
                    [
                      [
                        'Move up',
                        IconArrowUp,
                        index > 0,
                        (before: readonly unknown[]) => moved(before, index, index - 1),
                      ],
                      [
                        'Move down',
                        IconArrowDown,
                        index < steps.length - 1,
                        (before: readonly unknown[]) => moved(before, index, index + 1),
                      ],
                      [
                        'Remove',
                        IconTrash,
                        true,
                        (before: readonly unknown[]) => before.filter((_, at) => at !== index),
                      ],
                    ] as const
                  ).map(([label, Icon, isPossible, change]) => (
                    <Tooltip key={label} label={label}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        disabled={!isPossible}
                        aria-label={`${label}: ${step.referenceId ?? index + 1}`}
                        onClick={() => onChange(changeSteps(list, body, change))}
                      >
                        <Icon size={15} />
                      </ActionIcon>
                    </Tooltip>
                  ))}
                </Group>
              )}
            </Group>
          )
        })}
      </div>
      {list !== undefined && (
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add} ml={GUTTER}>
          Add a step
        </Button>
      )}
    </section>
  )
}

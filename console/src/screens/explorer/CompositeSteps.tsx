import { ActionIcon, Alert, Badge, Button, Group, Switch, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { data } from '../../api/client.ts'
import { addStep, moveStep, removeStep, type StepPath, valueAt } from './change-steps.ts'
import {
  type CompositeKind,
  findLists,
  readSteps,
  type Step,
  type StepResult,
  SWITCHES,
} from './composite.ts'
import styles from './Explorer.module.css'
import { StepEditor } from './StepEditor.tsx'
import type { OpenStep } from './tabs.ts'

const ROW = 58
/** The height of the parts of an open step, with what is around them. */
const OPEN = 356
const GUTTER = 56

interface Shown {
  readonly kind: CompositeKind
  readonly body: string
  readonly results: readonly StepResult[]
  readonly open: OpenStep | undefined
  readonly onChange: (body: string) => void
  readonly onOpen: (open: OpenStep | undefined) => void
}

const keyOf = (path: StepPath) => path.join('.')

/** A step that can be sent as it is, with a name that none has yet. */
function makeStep(kind: CompositeKind, steps: readonly Step[]): unknown {
  if (kind === 'batch') return { method: 'GET', url: data('/limits').slice('/services/data/'.length) }
  let number = steps.length + 1
  while (steps.some(({ referenceId }) => referenceId === `step${number}`)) number++
  const referenceId = `step${number}`
  return kind === 'tree'
    ? { attributes: { type: 'Account', referenceId }, Name: 'Acme' }
    : { method: 'GET', url: data('/sobjects/Account/ID'), referenceId }
}

/** The steps of a composite call, with an arrow from each result to the step that uses it. */
export function CompositeSteps({ kind, body, results, open, onChange, onOpen }: Shown) {
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
  const openIndex = steps.findIndex(({ path }) => keyOf(path) === open?.key)
  // A text that cannot be written yet stays where it is.
  const isHeld = openIndex >= 0 && open?.text !== undefined
  const topOf = (index: number) => index * ROW + (openIndex >= 0 && index > openIndex ? OPEN : 0)
  /** Steps that stand elsewhere now: the open one is another one there. */
  const rearrange = (changed: string) => {
    onOpen(undefined)
    onChange(changed)
  }
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
          height={topOf(steps.length)}
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
          {steps.flatMap(({ uses, path }, to) =>
            uses.map((from) => {
              const [start, end] = [topOf(from) + 30, topOf(to) + 22]
              const reach = Math.max(6, GUTTER - 8 - Math.min(5, Math.abs(to - from)) * 9)
              return (
                <path
                  key={`${keyOf(path)}-${from}`}
                  d={`M${GUTTER} ${start} C${reach - 8} ${start} ${reach - 8} ${end} ${GUTTER - 2} ${end}`}
                  markerEnd="url(#reference)"
                />
              )
            }),
          )}
        </svg>
        {steps.map((step, index) => {
          const result = results[index]
          const key = keyOf(step.path)
          const isOpen = index === openIndex
          const place = step.path.at(-1) as number
          const title = step.referenceId ?? index + 1
          return (
            <div
              key={key}
              className={styles.stepBox}
              data-wrong={step.problems.length > 0 || undefined}
              style={{ height: ROW - 6 + (isOpen ? OPEN : 0) }}
            >
              <Group wrap="nowrap" gap="xs" h={ROW - 8} px="sm">
                <UnstyledButton
                  className={styles.stepTitle}
                  aria-expanded={isOpen}
                  disabled={isHeld && !isOpen}
                  onClick={() => {
                    if (isOpen && isHeld) return
                    onOpen(isOpen ? undefined : { key })
                  }}
                >
                  <Text size="sm" truncate>
                    <IconChevronRight size={13} className={styles.chevron} aria-hidden /> <b>{title}</b>{' '}
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
                </UnstyledButton>
                {result !== undefined && (
                  <Badge tt="none" color={result.status >= 400 ? 'red' : 'teal'} variant="light">
                    {result.status}
                  </Badge>
                )}
                <Group gap={0} wrap="nowrap">
                  {(
                    [
                      ['Move up', IconArrowUp, place > 0, () => moveStep(body, step.path, -1)],
                      [
                        'Move down',
                        IconArrowDown,
                        place < step.siblings - 1,
                        () => moveStep(body, step.path, 1),
                      ],
                      ['Remove', IconTrash, true, () => removeStep(body, step.path)],
                    ] as const
                  ).map(([label, Icon, isPossible, changed]) => (
                    <Tooltip key={label} label={label}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        disabled={!isPossible || (isHeld && !(isOpen && label === 'Remove'))}
                        aria-label={`${label}: ${title}`}
                        onClick={() => rearrange(changed())}
                      >
                        <Icon size={15} />
                      </ActionIcon>
                    </Tooltip>
                  ))}
                </Group>
              </Group>
              {isOpen && (
                <StepEditor
                  kind={kind}
                  path={step.path}
                  source={valueAt(parsed, step.path)}
                  referenceId={step.referenceId}
                  taken={steps
                    .filter((one) => one !== step && one.group === step.group)
                    .flatMap(({ referenceId }) => referenceId ?? [])}
                  body={body}
                  unfinished={open?.text}
                  onChange={onChange}
                  onUnfinished={(text) => onOpen({ key, text })}
                />
              )}
            </div>
          )
        })}
      </div>
      <Group gap="xs" ml={GUTTER}>
        {findLists(kind, parsed).map(({ path, group }) => (
          <Button
            key={keyOf(path)}
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={isHeld}
            onClick={() => onChange(addStep(body, path, makeStep(kind, steps)))}
          >
            {kind === 'tree' ? 'Add a record' : group === undefined ? 'Add a step' : `Add a step to ${group}`}
          </Button>
        ))}
      </Group>
    </section>
  )
}

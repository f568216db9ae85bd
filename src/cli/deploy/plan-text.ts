import type { DeploymentBody } from '../../admin/schema.ts'
import { recordsText } from '../result/terminal-text.ts'

type Step = DeploymentBody['steps'][number]

const SIGNS = { add: '+', change: '~', destroy: '-' } as const
const WORDS = { add: 'to add', change: 'to change', destroy: 'to destroy' } as const

const findLocation = ({ object, field, record }: Step) =>
  field !== undefined ? `${object}.${field}` : record !== undefined ? `${object} ${record}` : object

function formatStep(step: Step): string[] {
  const isDestructive = step.kind === 'destroy' || step.loses > 0
  const loss = isDestructive
    ? step.loses === 0
      ? ' (no record loses anything)'
      : ` (${recordsText(step.loses)} lose${step.loses === 1 ? 's' : ''} something)`
    : ''
  return [
    `  ${isDestructive ? '-' : SIGNS[step.kind]} ${findLocation(step)}: ${step.what}${loss}`,
    ...step.obstacles.map(({ rows, ids, message }) => {
      const named = `${ids.join(', ')}${rows > ids.length ? ', ...' : ''}`
      return `  ! ${findLocation(step)}: ${recordsText(rows)} ${message}: ${named}`
    }),
  ]
}

/** A plan as people read it: a line for every step, and what stands in the way. */
export function planText({ steps, schemaVersion }: DeploymentBody): string {
  if (steps.length === 0)
    return `Nothing to do: the org has these objects already (version ${schemaVersion}).\n`
  const counts = (['add', 'change', 'destroy'] as const)
    .map((kind) => ({ kind, count: steps.filter((step) => step.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${WORDS[kind]}`)
  return `${[...steps.flatMap(formatStep), '', `${counts.join(', ')}.`].join('\n')}\n`
}

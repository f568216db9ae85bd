import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { WriteKind } from '../src/records/prepare/planned-write.ts'
import type { Step } from '../src/records/steps/record-write.ts'
import { STEPS } from '../src/records/steps/steps.ts'
import { replaceBetween } from './replace-between.ts'

/**
 * Writes the steps of a write as the table of docs/explanation/what-happens-in-a-write.md.
 * `node scripts/describe-write.ts` writes it into the page.
 */

export const PAGE = resolve(import.meta.dirname, '../docs/explanation/what-happens-in-a-write.md')

const START = '<!-- steps: written by scripts/describe-write.ts -->'
const END = '<!-- end of steps -->'

const KINDS: readonly WriteKind[] = ['insert', 'update', 'delete', 'undelete']

/** Whose writes have the step: callers', also those of parents, also those of records that the platform adds. */
function describeCauses({ of }: Step, kind: WriteKind): string {
  const causes = of[kind]
  if (causes === undefined) return ''
  const more = causes.filter((cause) => cause !== 'call')
  return ['yes', ...more.map((cause) => (cause === 'effect' ? 'parents' : 'added'))].join(', ')
}

function describeSteps(): string {
  const rows = STEPS.map((step, index) =>
    [index + 1, step.does, ...KINDS.map((kind) => describeCauses(step, kind))].join(' | '),
  )
  const head = `| | step | ${KINDS.join(' | ')} |\n|---|---|---|---|---|---|`
  return `${head}\n${rows.map((row) => `| ${row} |`).join('\n')}`
}

export const replaceSteps = (page: string): string => replaceBetween(page, START, END, describeSteps())

if (import.meta.main) writeFileSync(PAGE, replaceSteps(readFileSync(PAGE, 'utf8')))

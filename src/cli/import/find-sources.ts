import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openSourceFile, type SourceFile, STDIN } from './source-file.ts'

export const FORMATS = ['csv', 'json', 'tree'] as const
export type Format = (typeof FORMATS)[number]

/** Files to import, in their order, and how to read them. */
export interface Sources {
  readonly format: Format
  readonly files: readonly SourceFile[]
}

const BY_ENDING: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.jsonl': 'json',
  '.ndjson': 'json',
}

/** A tree or a plan is recognized by its beginning. */
const BEGINNING = 4096
const TREE = /^\uFEFF?\s*\{\s*"records"\s*:/
const PLAN_ENTRY = /^\uFEFF?\s*\[\s*\{[^{}[\]]*"(?:sobject|files)"\s*:/

function readBeginning(path: string): string {
  const buffer = Buffer.alloc(BEGINNING)
  const file = openSync(path, 'r')
  try {
    return buffer.subarray(0, readSync(file, buffer)).toString()
  } finally {
    closeSync(file)
  }
}

/** The files of a plan, which stand beside it. */
function filesOfPlan(path: string): string[] {
  const isEntry = (entry: unknown): entry is { files: string[] } =>
    Array.isArray((entry as { files?: unknown } | null)?.files) &&
    (entry as { files: unknown[] }).files.every((file) => typeof file === 'string')
  let plan: unknown
  try {
    plan = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(plan) || !plan.every(isEntry)) {
    throw new Error(`${path} is no plan: every entry needs "sobject" and a list of "files".`)
  }
  return plan.flatMap(({ files }) => files).map((file) => join(dirname(path), file))
}

function findFormat(path: string): Format {
  if (path === STDIN) return 'csv'
  const known = BY_ENDING[extname(path).toLowerCase()]
  if (known !== undefined) return known
  const beginning = readBeginning(path)
  if (TREE.test(beginning) || PLAN_ENTRY.test(beginning)) return 'tree'
  return /^\uFEFF?\s*[[{]/.test(beginning) ? 'json' : 'csv'
}

/**
 * Looks what a path names: one file, or a plan and the files that it lists.
 * @param asked the format that the person at the terminal names
 * @throws Error with a message for that person
 */
export function findSources(path: string, requested: Format | undefined, stdin: Readable): Sources {
  if (path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new Error(`There is no file ${path}.`)
  }
  const format = requested ?? findFormat(path)
  const isPlan = format === 'tree' && path !== STDIN && PLAN_ENTRY.test(readBeginning(path))
  const paths = isPlan ? filesOfPlan(path) : [path]
  for (const file of paths) {
    if (file !== STDIN && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new Error(`${path} names the file ${file}, which is not there.`)
    }
  }
  return { format, files: paths.map((file) => openSourceFile(file, stdin)) }
}

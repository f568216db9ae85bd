import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { readPage } from './read-page.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'examples/**/*.md',
]
  .flatMap((pattern) => globSync(join(ROOT, pattern), { exclude: ['**/node_modules/**'] }))
  .sort()

const isRelative = (target: string) => !/^[a-z]+:/.test(target)

function leadsSomewhere(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const page = file === '' ? path : resolve(dirname(path), file)
  if (!existsSync(page)) return false
  return anchor === undefined || (page.endsWith('.md') && readPage(page).anchors.has(anchor))
}

test('every relative link of the documentation leads to a file and a heading that are there', () => {
  assert.ok(PAGES.length > 60)
  const dead = PAGES.flatMap((path) =>
    readPage(path)
      .links.filter(({ target }) => isRelative(target) && !leadsSomewhere(path, target))
      .map(({ target, line }) => `${relative(ROOT, path)}:${line} ${target}`),
  )
  assert.deepEqual(dead, [])
})

test('the index of the documentation names every page', () => {
  const index = join(ROOT, 'docs/README.md')
  const named = new Set(
    readPage(index).links.map(({ target }) => resolve(dirname(index), target.split('#')[0]!)),
  )
  const missing = PAGES.filter((path) => path !== index && !named.has(path))
    .map((path) => relative(ROOT, path))
    // Decisions have a folder, and the pages of the API an index of their own.
    .filter((path) => /^docs\/(?!adr\/|reference\/api\/)/.test(path))
  assert.deepEqual(missing, [])
})

/** A file of the repository in backticks. */
const SOURCE_FILE = /`((?:src|test|scripts|bench|examples)\/[\w./-]*\.(?:ts|md|json))`/g

test('every file of the repository that the documentation names is there', () => {
  const missing = PAGES.filter((path) => !path.endsWith('CHANGELOG.md')).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(SOURCE_FILE)]
          .filter(([, file]) => !existsSync(join(ROOT, file!)))
          .map(([, file]) => `${relative(ROOT, path)}:${index + 1} ${file}`),
      ),
  )
  assert.deepEqual(missing, [])
})

test('every decision record has a status and a date, and the number of its file', () => {
  const wrong = PAGES.filter((path) => path.includes('/docs/adr/')).filter((path) => {
    const number = Number(/(\d+)-[^/]*$/.exec(path)?.[1])
    const [title = '', blank, status = ''] = readFileSync(path, 'utf8').split('\n')
    const isDated = /^Status: (?:accepted|superseded by \[ADR \d+\]\(.+\)), \d{4}-\d\d-\d\d$/.test(status)
    return !title.startsWith(`# ${number}. `) || blank !== '' || !isDated
  })
  assert.deepEqual(wrong, [])
})

import assert from 'node:assert/strict'
import { relative, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { makeTemplate } from '../support/template.ts'
import { readPage } from './read-page.ts'
import { runGuide } from './run-guide.ts'
import { hasBundle } from './started-data.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Registers a test for each page: it is done what the page says. On PostgreSQL only those that speak of it. */
export function testGuides(paths: readonly string[]): void {
  const serverUrl = process.env.TEST_DATABASE_URL
  describe('what a page says can be done, and is answered as it says:', () => {
    for (const path of paths) {
      const { blocks } = readPage(path)
      const speaksOfPostgres = blocks.some(({ note }) => note === 'on PostgreSQL')
      const skip = serverUrl !== undefined && !speaksOfPostgres && 'the run on the embedded engine has it'
      test(relative(ROOT, path), { skip }, async (t) => {
        if (!hasBundle) t.diagnostic('the sources run, which takes longer: npm run prepare makes the bundle')
        await makeTemplate(undefined)
        const problems = await runGuide(blocks, serverUrl)
        assert.ok(problems.length === 0, `${relative(ROOT, path)}\n${problems.join('\n')}`)
      })
    }
  })
}

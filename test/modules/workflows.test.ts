import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'

/* The workflows run elsewhere: what they name has to be here, and what they take from others cannot change below them. */

const ROOT = resolve(import.meta.dirname, '../..')

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly steps?: readonly Step[]
  readonly strategy?: {
    readonly matrix: { readonly part?: readonly string[]; readonly include?: readonly { parts: string }[] }
  }
}

for (const path of globSync('.github/workflows/*.yml', { cwd: ROOT }).sort()) {
  const text = readFileSync(resolve(ROOT, path), 'utf8')
  const jobs: readonly Job[] = Object.values(parse(text).jobs)
  const commands = (job: Job) => (job.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]))

  describe(`the workflow ${basename(path)}`, () => {
    test('pins every action of others by its commit, with the version beside it', () => {
      const uses = text.split('\n').filter((line) => /^\s+(?:- )?uses: (?!\.\/)/.test(line))
      assert.deepEqual(
        uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
        [],
      )
    })

    test('names tests and scripts that are there', () => {
      const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
      for (const command of jobs.flatMap(commands)) {
        for (const [file] of command.matchAll(/\b(?:test|scripts)\/[\w./-]+/g))
          assert.ok(existsSync(resolve(ROOT, file)), file)
        for (const [, name] of command.matchAll(/npm run (?:--silent )?([\w:]+)/g))
          assert.ok(name! in scripts, name)
      }
    })

    test('names parts of .ci/run', () => {
      const parts = /^ {4}(suite .*)\) ;;$/m
        .exec(readFileSync(resolve(ROOT, '.ci/run'), 'utf8'))![1]!
        .split(' | ')
      for (const { strategy } of jobs) {
        const { part = [], include = [] } = strategy?.matrix ?? {}
        for (const name of [...part, ...include.flatMap((one) => one.parts.split(' '))])
          assert.ok(parts.includes(name), name)
      }
    })

    test('installs nothing in a job that has the token for publishing', () => {
      const publishing = jobs.filter(({ steps = [] }) =>
        steps.some(({ env = {} }) => Object.values(env).some((value) => value.includes('NPM_TOKEN'))),
      )
      for (const job of publishing)
        for (const command of commands(job)) assert.doesNotMatch(command, /npm (?:ci|install|run|pack)\b/)
    })
  })
}

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * `npm run release -- 0.2.0`: gives what is unreleased in the changelog a version and a date, sets the version of the package, commits both and
 * tags the commit. Nothing is pushed: `git push --follow-tags` starts the workflow that publishes. `--folder` names another checkout.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', default: join(import.meta.dirname, '..') } },
})
const { folder } = values
const [version = ''] = positionals

function end(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?$/

/** True if a version comes after another one; of the text behind `-` only that it stands before the version without it. */
function isLater(one: string, other: string): boolean {
  const parts = (text: string) => VERSION.exec(text)!.slice(1, 4).map(Number)
  const [ones, others] = [parts(one), parts(other)]
  const at = ones.findIndex((part, index) => part !== others[index])
  return at < 0 ? other.includes('-') && one !== other : ones[at]! > others[at]!
}

const HEADING = '## Unreleased\n'

const [current, changelog] = [JSON.parse(read('package.json')).version as string, read('CHANGELOG.md')]
if (!VERSION.test(version)) end(`Which version? npm run release -- <version>; this one is ${current}.`)
if (!isLater(version, current)) end(`${version} does not come after ${current}.`)
if (git('status', '--porcelain') !== '') end('There are changes that are not committed: commit them first.')
const unreleased = changelog.split(HEADING)[1]?.split(/^## /m)[0] ?? ''
if (!/^- /m.test(unreleased))
  end('CHANGELOG.md has nothing below "## Unreleased": there is nothing to release.')

const date = new Date().toISOString().slice(0, 10)
const released = changelog.replace(HEADING, `${HEADING}\n## ${version} - ${date}\n`)
writeFileSync(join(folder, 'CHANGELOG.md'), released)
for (const name of ['package.json', 'package-lock.json']) {
  // The first two of the lock file are those of this package.
  let left = name === 'package.json' ? 1 : 2
  const set = (text: string) => (left-- > 0 ? text.replace(current, version) : text)
  writeFileSync(join(folder, name), read(name).replaceAll(/^ +"version": "[^"]+"/gm, set))
}
git('commit', '--quiet', '--all', '--message', `Release ${version}`)
git('tag', '--annotate', `v${version}`, '--message', `Objectry ${version}`)
process.stdout.write(`Tagged v${version}. Publish it: git push --follow-tags\n`)

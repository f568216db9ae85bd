import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ON_EMBEDDED } from '../support/engine.ts'

const SCRIPT = resolve(import.meta.dirname, '../../scripts/release.ts')

describe('npm run release', ON_EMBEDDED, () => {
  let folder: string

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  function release(version?: string) {
    const env = { ...process.env, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' }
    return spawnSync(
      process.execPath,
      [SCRIPT, '--folder', folder, ...(version === undefined ? [] : [version])],
      {
        encoding: 'utf8',
        env: { ...env, GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
      },
    )
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'objectry-release-'))
    const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
    write('package.json', json({ name: 'objectry', version: '0.1.0' }))
    const other = { version: '0.1.0' }
    write(
      'package-lock.json',
      json({
        name: 'objectry',
        version: '0.1.0',
        packages: { '': { version: '0.1.0' }, 'node_modules/other': other },
      }),
    )
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n')
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'Begin')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('dates what is unreleased, sets the version of this package alone, commits and tags', () => {
    const { status, stdout } = release('0.2.0')
    assert.deepEqual([status, stdout], [0, 'Tagged v0.2.0. Publish it: git push --follow-tags\n'])
    assert.match(
      read('CHANGELOG.md'),
      /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something\.\n$/,
    )
    assert.equal(JSON.parse(read('package.json')).version, '0.2.0')
    const { version, packages } = JSON.parse(read('package-lock.json'))
    assert.deepEqual(
      [version, packages[''].version, packages['node_modules/other'].version],
      ['0.2.0', '0.2.0', '0.1.0'],
    )
    assert.equal(git('describe').trim(), 'v0.2.0')
    assert.equal(git('status', '--porcelain'), '')
  })

  const refusals: Readonly<Record<string, readonly [version: string | undefined, message: RegExp]>> = {
    'no version': [undefined, /^Which version\? .* this one is 0\.1\.0\.$/m],
    'what is no version': ['next', /^Which version\?/],
    'the same version': ['0.1.0', /^0\.1\.0 does not come after 0\.1\.0/],
    'an older version': ['0.0.9', /does not come after/],
    'a preview of the same version': ['0.1.0-rc.1', /does not come after/],
  }
  for (const [what, [version, message]] of Object.entries(refusals)) {
    test(`refuses ${what}`, () => {
      const { status, stderr } = release(version)
      assert.equal(status, 1)
      assert.match(stderr, message)
      assert.equal(git('tag'), '')
    })
  }

  test('refuses changes that are not committed', () => {
    write('package.json', `${read('package.json')}\n`)
    assert.match(release('0.2.0').stderr, /not committed/)
  })

  test('refuses a release of nothing', () => {
    assert.equal(release('0.2.0').status, 0)
    assert.match(release('0.3.0').stderr, /nothing to release/)
  })
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { ON_EMBEDDED } from '../support/engine.ts'
import { ENVIRONMENT } from '../support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ACTION = parse(readFileSync(join(ROOT, 'action/action.yml'), 'utf8'))

const run = promisify(execFile)

interface Ended {
  readonly code: number
  readonly out: string
}

describe('the GitHub Action', ON_EMBEDDED, () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'objectry-action-'))
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(join(ROOT, 'bin/objectry.js'), join(folder, 'node_modules/.bin/objectry'))
    for (const name of ['environment', 'output']) writeFileSync(join(folder, name), '')
  })
  afterEach(() => {
    const { OBJECTRY_PID } = told('environment')
    if (OBJECTRY_PID !== undefined) process.kill(Number(OBJECTRY_PID), 'SIGKILL')
    rmSync(folder, { recursive: true })
  })

  /** Returns the values that a step told GitHub by lines `name=value`. */
  const told = (file: 'environment' | 'output'): Record<string, string> =>
    Object.fromEntries(
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    )

  /** Runs its only step as GitHub does: with the inputs in the environment that it names. */
  async function start(inputs: Readonly<Record<string, string>>): Promise<Ended> {
    const [step] = ACTION.runs.steps
    const given: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries<{ default: string }>(ACTION.inputs).map(([name, input]) => [name, input.default]),
      ),
      ...inputs,
    }
    const variables = Object.entries<string>(step.env).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => given[input]!),
    ])
    const files = { GITHUB_ENV: join(folder, 'environment'), GITHUB_OUTPUT: join(folder, 'output') }
    const env = { ...ENVIRONMENT, ...Object.fromEntries(variables), ...files }
    return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      env,
    }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout }) => ({ code, out: stdout }),
    )
  }

  /** A port that is likely to be free: others are for servers that choose theirs. */
  const port = () => String(20_000 + Math.floor(Math.random() * 10_000))

  test('starts an org with the deployment, and hands on its address and a token that is masked', async () => {
    mkdirSync(join(folder, 'deployment/objects'), { recursive: true })
    writeFileSync(join(folder, 'deployment/objects/Trip__c.yaml'), 'fields: { Days__c: { type: int } }\n')
    const { code, out } = await start({ port: port(), deployment: 'deployment' })
    assert.equal(code, 0, out)
    const { URL: url, TOKEN: token, OBJECTRY_CLIENT_SECRET: secret } = told('environment')
    assert.deepEqual(told('output'), { url, token })
    assert.deepEqual(out.trim().split('\n'), [`::add-mask::${secret}`, `::add-mask::${token}`])
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await fetch(`${url}/services/data/v64.0/sobjects/Trip__c`, {
      method: 'POST',
      headers,
      body: '{"Days__c":3}',
    })
    assert.equal(made.status, 201)
    const restored = await fetch(`${url}/setup/orgs/current/restore`, {
      method: 'POST',
      headers,
      body: '{"snapshot":"clean"}',
    })
    assert.equal(restored.status, 200)
  })

  test('a server that does not start fails the step with what it said', async () => {
    mkdirSync(join(folder, 'deployment/objects'), { recursive: true })
    writeFileSync(join(folder, 'deployment/objects/Trip__c.yaml'), 'fields: { Days__c: { type: nothing } }\n')
    const { code, out } = await start({ port: port(), deployment: 'deployment' })
    assert.equal(code, 1)
    assert.match(out, /Trip__c\.yaml[\s\S]*::error::Objectry did not start: what it said is above\.\n$/)
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { runCommandProcess } from '../support/command-process.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import {
  COMMAND,
  credentialsIn,
  ENVIRONMENT,
  fetchToken,
  makeDataFolder,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts'

const hasScript = spawnSync('script', ['--version']).status === 0
const options = ON_EMBEDDED.skip ? ON_EMBEDDED : { skip: !hasScript && 'the program script is not installed' }

describe('on a terminal', options, () => {
  const { data, remove } = makeDataFolder()
  const variables = { OBJECTRY_DATA: data }
  let server: ServerProcess

  before(async () => {
    server = await startServer(variables)
    const json = JSON.stringify({
      Name: '日本語'.repeat(10),
      Description: 'long '.repeat(30),
      NumberOfEmployees: 1234567,
    })
    const token = await fetchToken(server.address, credentialsIn(server.greeting)!)
    await fetch(`${server.address}/services/data/v64.0/sobjects/Account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: json,
    })
  })
  after(async () => {
    await server.end('SIGTERM')
    remove()
  })

  /** Returns the output of a command on a terminal of 60 columns; ␛ begins a sequence of control characters. */
  function show(args: string, more: Readonly<Record<string, string>> = {}): string {
    const command = `stty cols 60; ${process.execPath} ${COMMAND} ${args}`
    const { CI: _, ...env } = {
      ...process.env,
      ...ENVIRONMENT,
      ...variables,
      TERM: 'xterm',
      ...more,
    } as Record<string, string>
    delete env.NODE_DISABLE_COLORS
    if (more.NO_COLOR === undefined) delete env.NO_COLOR
    delete env.FORCE_COLOR
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env })
    return stdout.replaceAll('\r\n', '\n').replaceAll('\u001b', '␛')
  }

  const plain = (text: string) => text.replaceAll(/␛\[\d+m/g, '')

  const QUERY = `query "SELECT Name, Description, NumberOfEmployees FROM Account WHERE NumberOfEmployees = 1234567"`

  /** Of these characters each is two columns wide. */
  const width = (line: string) => line.length + (line.match(/[日本語]/g)?.length ?? 0)

  test('the result of a query is cut to its width, numbers whole', () => {
    const lines = plain(show(QUERY)).split('\n')
    assert.ok(
      lines.every((line) => width(line) <= 60),
      lines.join('\n'),
    )
    assert.match(lines[2]!, /^日本.*…\s+long .*…\s+1234567$/)
  })

  test('a list is cut to its width', () => {
    const lines = plain(show('versions --all')).split('\n')
    assert.ok(lines.length > 30)
    assert.ok(
      lines.every((line) => width(line) <= 60),
      lines.join('\n'),
    )
  })

  test('headings, status words and errors have colours', () => {
    assert.match(show('versions --all'), /␛\[1mversion.*␛\[22m/)
    assert.match(show('doctor'), /␛\[32mok +␛\[39m/)
    assert.match(show('app rotate Nobody'), /␛\[31mNOT_FOUND/)
    assert.match(show('qery'), /^␛\[31merror: unknown command 'qery'␛\[39m\n\(Did/)
  })

  test('NO_COLOR takes them away, and JSON never has any', () => {
    for (const shown of [show('versions --all', { NO_COLOR: '1' }), show('versions --all --json')])
      assert.ok(!shown.includes('␛'))
  })

  test('in a pipe everything is whole and plain', async () => {
    const { out } = await runCommandProcess(['versions', '--all'], variables)
    assert.ok(!out.includes('\u001b') && !out.includes('…'))
  })
})

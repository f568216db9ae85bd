import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Interruption } from '../../src/cli/command/terminal.ts'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { ON_EMBEDDED } from '../support/engine.ts'
import { runCommand, TestTerminal } from '../support/run-command.ts'

/* Command lines as functions: tests and other programs run several of them in one process. */

const NOWHERE = { OBJECTRY_DATA: join(import.meta.dirname, 'nowhere') }

/** A command line that fails without an org. */
const QUERY = ['query', 'SELECT Id FROM Account']

/** A terminal at which a signal arrives as soon as a command listens. */
class InterruptedTerminal extends TestTerminal {
  readonly #signal: Interruption

  constructor(signal: Interruption) {
    super(NOWHERE)
    this.#signal = signal
  }

  override onInterruption(listener: (signal: Interruption) => void): () => void {
    const stopListening = super.onInterruption(listener)
    this.interrupt(this.#signal)
    return stopListening
  }
}

describe('a command line in a process of others', ON_EMBEDDED, () => {
  test('leaves no listener and no exit code behind, however it ends', async () => {
    const listeners = () => [
      process.listenerCount('SIGINT'),
      process.listenerCount('SIGTERM'),
      process.stdout.listenerCount('error'),
      process.stderr.listenerCount('error'),
    ]
    const before = listeners()
    const codes: number[] = []
    for (const args of [['--version'], ['--help'], ['qery'], QUERY, ['completion', 'bash']])
      codes.push((await runCommand(args, NOWHERE)).code)
    assert.deepEqual(codes, [0, 0, 2, 1, 0])
    assert.deepEqual(listeners(), before)
    assert.equal(process.exitCode, undefined)
  })

  test('ends with the code of the signal that interrupts it, and says what went wrong as well', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const terminal = new InterruptedTerminal(signal)
      assert.equal(await runCommandLine(QUERY, terminal), code)
      assert.match(terminal.stderr.text, /^There is no org in .*nowhere yet\./)
    }
  })

  test('has colours as its environment says, not the environment of the process', async () => {
    const text = (await runCommand(QUERY, NOWHERE)).error
    const coloured = await runCommand(QUERY, { ...NOWHERE, FORCE_COLOR: '1' })
    assert.equal(coloured.error, `\u001b[31m${text.trimEnd()}\u001b[39m\n`)
    assert.ok(!text.includes('\u001b'))
  })
})

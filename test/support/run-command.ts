import { Readable, Writable } from 'node:stream'
import type { Interruption, Output, Terminal } from '../../src/cli/command/terminal.ts'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import type { Said } from './command-process.ts'
import type { Variables } from './server-process.ts'

/** Keeps what is written. */
class CapturedOutput extends Writable implements Output {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

/** The surroundings of a command in this process. */
export class TestTerminal implements Terminal {
  readonly environment: Variables
  readonly stdin: Readable
  readonly stdout = new CapturedOutput()
  readonly stderr = new CapturedOutput()
  readonly #listeners = new Set<(signal: Interruption) => void>()

  constructor(environment: Variables = {}, input = '') {
    this.environment = environment
    this.stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  }

  onInterruption(listener: (signal: Interruption) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  interrupt(signal: Interruption): void {
    for (const listener of [...this.#listeners]) listener(signal)
  }
}

/** Lines that commands print when work takes long, as nearly all work does on a slow machine. */
const WAITING = /^.+: \d+ s so far\n/gm

/** Runs a command to its end in this process. Nothing is in its environment but the settings given. */
export async function runCommand(
  args: readonly string[],
  variables?: Variables,
  input?: string,
): Promise<Said> {
  const terminal = new TestTerminal(variables, input)
  const code = await runCommandLine(args, terminal)
  return { code, out: terminal.stdout.text, error: terminal.stderr.text.replaceAll(WAITING, '') }
}

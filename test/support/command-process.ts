import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { COMMAND, ENVIRONMENT, V8_FLAGS, type Variables } from './server-process.ts'

/** The output and the end of a command. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** The command line as a process of its own. Little is in its environment but the settings given. */
export function spawnCommand(args: readonly string[], variables: Variables = {}): ChildProcess {
  const env = { ...ENVIRONMENT, ...variables }
  return spawn(process.execPath, [...V8_FLAGS, COMMAND, ...args], { env })
}

/** Runs a command to its end. */
export async function runCommandProcess(
  args: readonly string[],
  variables?: Variables,
  input = '',
): Promise<Said> {
  const child = spawnCommand(args, variables)
  child.stdin!.end(input)
  const [[code], out, error] = await Promise.all([
    once(child, 'close'),
    text(child.stdout!),
    text(child.stderr!),
  ])
  return { code, out, error }
}

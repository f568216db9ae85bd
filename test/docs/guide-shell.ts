import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { ENVIRONMENT, V8_FLAGS } from '../support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** How long a block of a page may take. */
const BLOCK_MS = 180_000

/** How long a server may take to start. */
const READY_SECONDS = 60

/** How long what a page started has to end. */
const END_MS = 10_000

/**
 * Differences from a reader's terminal: `npm` and `npx` run this checkout instead of looking for packages, `node` has
 * flags, and a command that starts a server, which a reader leaves running in a terminal of its own, runs in the background.
 * Another server takes its place. Its data folder may be one on which a server has run before: see `prepareData`.
 */
const PRELUDE = `
stop_server() {
  if [ -z "$SERVER_OF_PAGE" ]; then return 0; fi
  kill -TERM $SERVER_OF_PAGE 2> /dev/null
  wait $SERVER_OF_PAGE 2> /dev/null
  SERVER_OF_PAGE=
  return 0
}
run_objectry() {
  if [ $# -gt 0 ] && [ "$1" != serve ]; then
    node "$CHECKOUT/bin/objectry.js" "$@"
    return
  fi
  if [ "$BASH_SUBSHELL" -gt 0 ]; then exec node "$CHECKOUT/bin/objectry.js" "$@"; fi
  stop_server
  : > "$SERVER_LOG"
  node "$CHECKOUT/bin/objectry.js" "$@" > "$SERVER_LOG" 2>&1 < /dev/null &
  SERVER_OF_PAGE=$!
  # The greeting is one write, so all of it is there with this line.
  exec {log_of_page}< <(exec tail -n +1 -f "$SERVER_LOG" 2> /dev/null)
  local tail=$! line= end=$((SECONDS + ${READY_SECONDS}))
  until [[ "$line" == 'Objectry is ready'* || $SECONDS -ge $end ]] || ! kill -0 $SERVER_OF_PAGE 2> /dev/null; do
    read -r -t 0.2 -u "$log_of_page" line
  done
  kill $tail 2> /dev/null
  exec {log_of_page}<&-
  sed '/^{/d' "$SERVER_LOG"
  if kill -0 $SERVER_OF_PAGE 2> /dev/null; then return 0; fi
  wait $SERVER_OF_PAGE
}
npx() {
  if [ "$1" != objectry ]; then command npx "$@"; return; fi
  shift
  run_objectry "$@"
}
npm() {
  case "$1" in
    ci | install) return 0 ;;
    start) shift; if [ "$1" = -- ]; then shift; fi; run_objectry serve "$@" ;;
    *) command npm "$@" ;;
  esac
}
createdb() { command createdb "\${@:1:$#-1}" "$DATABASE_PREFIX\${@: -1}"; }
export -f stop_server run_objectry npx npm
`

/** The `node` of a page: the one of the tests, with flags for processes that live for a few seconds. */
const NODE = `#!/bin/sh\nexec '${process.execPath}' ${V8_FLAGS.join(' ')} "$@"\n`

interface Ran {
  /** Its standard output and error, as on a terminal. */
  readonly output: string
  /** The commands that failed, with their exit codes. */
  readonly failed: readonly string[]
}

/** The terminal of a reader: a shell in a folder. */
export class GuideShell {
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #marks: Interface
  #count = 0

  /** @param folder the page's files are in its folder `project` */
  constructor(folder: string, variables: Readonly<Record<string, string>>) {
    this.#folder = folder
    const project = join(folder, 'project')
    mkdirSync(project, { recursive: true })
    writeFileSync(join(folder, 'prelude.sh'), PRELUDE)
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/node'), NODE, { mode: 0o755 })
    const env = {
      ...ENVIRONMENT,
      PATH: `${join(folder, 'bin')}:${ENVIRONMENT.PATH}`,
      HOME: folder,
      LANG: 'C.UTF-8',
      CHECKOUT: ROOT,
      SERVER_LOG: join(folder, 'server.log'),
      ...variables,
    }
    // A group of its own, which ends with everything that the page has started.
    this.#child = spawn('bash', ['--noprofile', '--norc'], {
      cwd: project,
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    })
    this.#marks = createInterface(this.#child.stdio[3] as NodeJS.ReadableStream)
    this.#child.stdin!.write(`. ${join(folder, 'prelude.sh')}\n`)
  }

  get serverLog(): string {
    try {
      return readFileSync(join(this.#folder, 'server.log'), 'utf8')
    } catch {
      return ''
    }
  }

  /** Runs a block in the shell; what it defines is there for the next one. */
  async run(script: string): Promise<Ran> {
    const path = join(this.#folder, `block-${++this.#count}`)
    writeFileSync(`${path}.sh`, `${script}\n:\n`)
    const failures = `trap 'printf "%s: %s\\\\n" "$?" "$(sed -n "$LINENO"p ${path}.sh)" >> ${path}.failed' ERR`
    writeFileSync(`${path}.failed`, '')
    const mark = once(this.#marks, 'line')
    this.#child.stdin!.write(
      `${failures}\n. ${path}.sh > ${path}.out 2>&1 < /dev/null 3>&-\ntrap - ERR\necho ran >&3\n`,
    )
    const stopped = new AbortController()
    const ran = await Promise.race([
      mark.then(() => true),
      setTimeout(BLOCK_MS, false, { signal: stopped.signal }).catch(() => false),
    ])
    stopped.abort()
    const output = readFileSync(`${path}.out`, 'utf8')
    if (!ran) throw new Error(`it did not end within ${BLOCK_MS / 1000} s; so far: ${output}`)
    return { output, failed: readFileSync(`${path}.failed`, 'utf8').split('\n').filter(Boolean) }
  }

  /** Does the work of Ctrl-C in the terminal of the server. */
  async stopServer(): Promise<void> {
    await this.run('stop_server')
  }

  /** Ends the shell and all that it has started, whose data nobody will read. Under coverage, processes write theirs at their end. */
  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    const isCovered = process.env.NODE_V8_COVERAGE !== undefined
    for (const signal of isCovered ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)) {
      try {
        process.kill(-this.#child.pid!, signal)
      } catch {
        // All of them have ended.
        return
      }
      await Promise.race([ended, setTimeout(END_MS, undefined, { ref: false })])
      const deadline = Date.now() + END_MS
      while (isGroupAlive(this.#child.pid!) && Date.now() < deadline) await setTimeout(10)
    }
  }
}

function isGroupAlive(id: number): boolean {
  try {
    process.kill(-id, 0)
    return true
  } catch {
    return false
  }
}

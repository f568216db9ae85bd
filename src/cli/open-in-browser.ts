import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { html } from '../auth/pages/html.ts'
import type { Environment } from './command/terminal.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** An address that signs somebody in works for a minute; a page that leads to it is kept no longer. */
const KEPT_MS = 60_000

/** Removes a folder some time later, when the command has long ended. */
const REMOVER =
  'setTimeout((folder) => require("node:fs").rmSync(folder, { recursive: true, force: true }), Number(process.argv[2]), process.argv[1])'

/** Starts a program that outlives this one. Where it is not installed nothing happens. */
function launch(command: string, args: readonly string[], env: Environment): void {
  spawn(command, args, { stdio: 'ignore', detached: true, env })
    .on('error', () => {})
    .unref()
}

/**
 * Has the desktop open an address; without a desktop nothing happens. All users of a machine see the arguments of its programs, so the
 * program that opens it gets a page that only this user can read, and that leads there.
 */
export function openInBrowser(url: string, environment: Environment, keptMs = KEPT_MS): void {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-open-'))
  const page = join(folder, 'open.html')
  const lead = html`<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<title>Objectry</title><meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">Open Objectry</a>`
  writeFileSync(page, lead.text, { mode: 0o600, flag: 'wx' })
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  launch(command, [...args, page], environment)
  launch(process.execPath, ['-e', REMOVER, folder, String(keptMs)], environment)
}

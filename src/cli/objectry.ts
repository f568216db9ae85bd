#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeProgram } from './program.ts'

/** The checkout or the package, from the sources and from the bundle alike. */
const ROOT = new URL('../../', import.meta.url)

const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
const isCheckout = existsSync(new URL('src', ROOT))
await makeProgram(version, isCheckout ? `file:${fileURLToPath(ROOT)}` : undefined).parseAsync()

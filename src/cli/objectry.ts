#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { makeProgram } from './program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
await makeProgram(version).parseAsync()

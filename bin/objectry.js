#!/usr/bin/env node
// The published package is JavaScript, because Node strips no types below node_modules. Here, beside the sources, Node
// runs those.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

// A command is mostly its own start: what was compiled once is kept for the next one.
enableCompileCache()

const built = new URL('../dist/cli/objectry.js', import.meta.url)
await import(existsSync(built) ? built.href : '../src/cli/objectry.ts')

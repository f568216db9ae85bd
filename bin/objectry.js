#!/usr/bin/env node
// Runs the bundle, which starts fastest; without one, the JavaScript of the published package, because Node strips no
// types below node_modules; else the sources.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { findBundle } from './find-bundle.js'

// A command is mostly its own start: what was compiled once is kept for the next one.
enableCompileCache()

const bundle = findBundle()
const built = new URL('../dist/cli/objectry.js', import.meta.url)
await import(bundle ? pathToFileURL(bundle).href : existsSync(built) ? built.href : '../src/cli/objectry.ts')

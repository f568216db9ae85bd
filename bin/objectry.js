#!/usr/bin/env node
// Runs the bundle, which starts fastest; without one, in a checkout, the sources.
import nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'
import { findNodeProblem } from './node-version.js'

const problem = findNodeProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

// A command is mostly its own start: what was compiled once is kept for the next one.
nodeModule.enableCompileCache()

const { findBundle } = await import('./find-bundle.js')
const bundle = findBundle()
await import(bundle ? pathToFileURL(bundle).href : '../src/cli/objectry.ts')

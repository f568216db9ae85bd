#!/usr/bin/env node
import { findInstallation } from './command/installation.ts'
import { makeProgram } from './program.ts'

/** The checkout or the package is two folders above this file, in the sources and in the bundle alike. */
await makeProgram(findInstallation(new URL('../../', import.meta.url))).parseAsync()

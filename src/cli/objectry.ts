#!/usr/bin/env node
import { findInstallation } from './command/installation.ts'
import { watchOutput } from './command/tell-error.ts'
import { makeProgram } from './program.ts'

watchOutput()
await makeProgram(findInstallation()).parseAsync()

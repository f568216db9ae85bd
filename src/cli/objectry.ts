#!/usr/bin/env node
import { findInstallation } from './command/installation.ts'
import { makeProgram } from './program.ts'

await makeProgram(findInstallation()).parseAsync()

#!/usr/bin/env node
import { Command } from 'commander'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { queryCommand } from './query.ts'
import { serveCommand } from './serve.ts'
import { typesCommand } from './types.ts'

const program = new Command('objectry').description('A self-hosted record platform on PostgreSQL.')
program.addCommand(serveCommand())
program.addCommand(queryCommand())
program.addCommand(importCommand())
program.addCommand(exportCommand())
program.addCommand(typesCommand())
await program.parseAsync()

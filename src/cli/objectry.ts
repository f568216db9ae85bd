#!/usr/bin/env node
import { Command } from 'commander'
import { queryCommand } from './query.ts'
import { schemaImportCommand } from './schema-import.ts'
import { serveCommand } from './serve.ts'
import { typesCommand } from './types.ts'

const program = new Command('objectry').description('A self-hosted record platform on PostgreSQL.')
program.addCommand(serveCommand())
program.addCommand(queryCommand())
program.addCommand(typesCommand())
program.addCommand(
  new Command('schema').description('Bring objects in and out.').addCommand(schemaImportCommand()),
)
await program.parseAsync()

import { Command } from 'commander'
import { adviseCommand } from './advise.ts'
import { appCommand } from './app.ts'
import { bulkCommand } from './bulk.ts'
import { clockCommand } from './clock.ts'
import { clusterCommand } from './cluster.ts'
import { asDependency, type Installation } from './command/installation.ts'
import type { Terminal } from './command/terminal.ts'
import { refuseWrongUse } from './command/wrong-use.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { deployCommand } from './deploy.ts'
import { doctorCommand } from './doctor.ts'
import { eventsCommand } from './events.ts'
import { exportCommand } from './export.ts'
import { faultCommand } from './fault.ts'
import { formulaCommand } from './formula.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { jobCommand } from './job.ts'
import { envCommand, openCommand } from './open.ts'
import { orgCommand } from './org.ts'
import { originCommand } from './origin.ts'
import { queryCommand } from './query.ts'
import { recomputeCommand } from './recompute.ts'
import { reportCommand } from './report.ts'
import { resourceCommand } from './resource.ts'
import { schemaExportCommand } from './schema-export.ts'
import { schemaImportCommand } from './schema-import.ts'
import { serveCommand } from './serve.ts'
import { snapshotCommand } from './snapshot.ts'
import { typesCommand } from './types.ts'
import { userCommand } from './user.ts'
import { versionsCommand } from './versions.ts'
import { webhookCommand } from './webhook.ts'
import { whyCommand } from './why.ts'

/**
 * The command line: every command with its flags.
 * @param args what is typed behind `objectry`
 */
export function makeProgram(
  installation: Installation,
  terminal: Terminal,
  args: readonly string[],
): Command {
  const program = new Command('objectry').description('A self-hosted record platform on PostgreSQL.')
  program.version(installation.version, '-V, --version', 'print the version')
  program.addCommand(serveCommand(terminal), { isDefault: true })
  program.addCommand(initCommand(terminal, () => asDependency(installation)))
  program.addCommand(doctorCommand(terminal, installation))
  program.addCommand(deployCommand(terminal))
  program.addCommand(
    new Command('schema')
      .description("An org's objects as definition files.")
      .addCommand(schemaImportCommand(terminal))
      .addCommand(schemaExportCommand(terminal)),
  )
  program.addCommand(openCommand(terminal))
  program.addCommand(envCommand(terminal))
  program.addCommand(queryCommand(terminal))
  program.addCommand(snapshotCommand(terminal))
  program.addCommand(orgCommand(terminal))
  program.addCommand(clusterCommand(terminal))
  program.addCommand(userCommand(terminal))
  program.addCommand(appCommand(terminal))
  program.addCommand(originCommand(terminal))
  program.addCommand(resourceCommand(terminal))
  program.addCommand(webhookCommand(terminal))
  program.addCommand(jobCommand(terminal))
  program.addCommand(bulkCommand(terminal))
  program.addCommand(eventsCommand(terminal))
  program.addCommand(faultCommand(terminal))
  program.addCommand(clockCommand(terminal))
  program.addCommand(reportCommand(terminal))
  program.addCommand(adviseCommand(terminal))
  program.addCommand(versionsCommand(terminal))
  program.addCommand(importCommand(terminal, args))
  program.addCommand(exportCommand(terminal))
  program.addCommand(recomputeCommand(terminal))
  program.addCommand(demoCommand(terminal))
  program.addCommand(whyCommand(terminal))
  program.addCommand(formulaCommand(terminal))
  program.addCommand(typesCommand(terminal))
  program.addCommand(completionCommand(terminal, program))
  refuseWrongUse(program, terminal)
  return program
}

import { Command } from 'commander'
import { adviseCommand } from './advise.ts'
import { appCommand } from './app.ts'
import { bulkCommand } from './bulk.ts'
import { clockCommand } from './clock.ts'
import { asDependency, type Installation } from './command/installation.ts'
import { refuseWrongUse } from './command/wrong-use.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { deployCommand } from './deploy.ts'
import { doctorCommand } from './doctor.ts'
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

/** The command line: every command with its flags. */
export function makeProgram(installation: Installation): Command {
  const program = new Command('objectry').description('A self-hosted record platform on PostgreSQL.')
  program.version(installation.version, '-V, --version', 'print the version')
  program.addCommand(serveCommand(), { isDefault: true })
  program.addCommand(initCommand(() => asDependency(installation)))
  program.addCommand(doctorCommand(installation))
  program.addCommand(deployCommand())
  program.addCommand(
    new Command('schema')
      .description("An org's objects as definition files.")
      .addCommand(schemaImportCommand())
      .addCommand(schemaExportCommand()),
  )
  program.addCommand(openCommand())
  program.addCommand(envCommand())
  program.addCommand(queryCommand())
  program.addCommand(snapshotCommand())
  program.addCommand(orgCommand())
  program.addCommand(userCommand())
  program.addCommand(appCommand())
  program.addCommand(originCommand())
  program.addCommand(resourceCommand())
  program.addCommand(webhookCommand())
  program.addCommand(jobCommand())
  program.addCommand(bulkCommand())
  program.addCommand(faultCommand())
  program.addCommand(clockCommand())
  program.addCommand(reportCommand())
  program.addCommand(adviseCommand())
  program.addCommand(versionsCommand())
  program.addCommand(importCommand())
  program.addCommand(exportCommand())
  program.addCommand(recomputeCommand())
  program.addCommand(demoCommand())
  program.addCommand(whyCommand())
  program.addCommand(formulaCommand())
  program.addCommand(typesCommand())
  program.addCommand(completionCommand(program))
  refuseWrongUse(program)
  return program
}

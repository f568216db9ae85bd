import { Command } from 'commander'
import type { DeploymentBody } from '../admin/schema.ts'
import type { Config } from '../config/config.ts'
import { hasDefinitions } from '../definitions/files/has-definitions.ts'
import type { LoadedDefinitions } from '../definitions/files/load-definitions.ts'
import { UsageError } from './command/exit-codes.ts'
import { runCommand } from './command/run-command.ts'
import { addOrgFlags, configFrom, type Flags } from './command/setting-flags.ts'
import type { Terminal } from './command/terminal.ts'
import { deployToAll, stopDeployment } from './deploy/deploy-to-all.ts'
import { planText } from './deploy/plan-text.ts'
import { reachOrg } from './reach/reach-org.ts'
import type { ReachedOrg } from './reach/reached-org.ts'
import { readBody } from './reach/record-pages.ts'
import { addJsonFlag, jsonText } from './result/outcome.ts'
import { showWait } from './result/show-wait.ts'

interface DeployFlags extends Flags {
  readonly plan?: boolean
  readonly allowDestructive?: boolean
  readonly keep?: boolean
  readonly allOrgs?: boolean
  readonly stop?: boolean
}

const SCHEMA = '/setup/orgs/current/schema'

/** The definitions of the deployment folder; the rooms for them are loaded only when there is one. */
async function loadDeployment(config: Config): Promise<LoadedDefinitions> {
  const { deployment } = config
  if (deployment === undefined) {
    throw new UsageError('Which deployment? Name its folder: OBJECTRY_DEPLOYMENT=deployment objectry deploy')
  }
  if (!hasDefinitions(deployment)) {
    throw new Error(
      `There is no folder objects in ${deployment}. Write ${deployment}/objects/Project__c.yaml, or bring a schema that you have: objectry schema import`,
    )
  }
  const { loadDefinitions } = await import('../definitions/files/load-definitions.ts')
  return loadDefinitions(deployment)
}

const isDestructive = ({ kind, loses }: DeploymentBody['steps'][number]) => kind === 'destroy' || loses > 0

/** Returns why the plan cannot be carried out; undefined if it can. */
function objection({ steps }: DeploymentBody, flags: DeployFlags): string | undefined {
  if (steps.some(({ obstacles }) => obstacles.length > 0)) {
    return 'Nothing was deployed: mend the records or the definitions that are marked with ! first.'
  }
  if (steps.some(isDestructive) && !flags.allowDestructive) {
    return 'Nothing was deployed: steps marked with - lose data. Run it again with --allow-destructive if that is meant, or with --keep to leave alone what the deployment does not name.'
  }
  return undefined
}

/** Records that were there before a computed field have nothing in it yet. */
function hint(objects: LoadedDefinitions['objects'], { steps }: DeploymentBody): string {
  const isNew = (object: string, field: string) =>
    steps.some((step) => step.object === object && step.field === field)
  const lines = objects
    .filter(({ name, fields }) => fields.some((field) => field.computed === true && isNew(name, field.name)))
    .map(({ name }) => `Records that are there get its computed fields by: objectry recompute ${name}\n`)
  return lines.join('')
}

async function carryOut(
  terminal: Terminal,
  org: ReachedOrg,
  { files, objects }: LoadedDefinitions,
  flags: DeployFlags,
): Promise<void> {
  const body = { ...files, mode: flags.keep ? 'keep' : 'replace' }
  const send = (doing: string, more: object) =>
    showWait(terminal, doing, () => readBody<DeploymentBody>(org.call('PUT', SCHEMA, { ...body, ...more })))
  const planned = await send('Planning', { planOnly: true })
  // Programs get one answer: the plan, or what was deployed.
  const print = (text: string, answer?: DeploymentBody) => {
    if (flags.json !== true) terminal.stdout.write(text)
    else if (answer !== undefined) terminal.stdout.write(jsonText(answer))
  }
  const isPlan = flags.plan || planned.steps.length === 0
  print(planText(planned), isPlan ? planned : undefined)
  for (const warning of planned.warnings ?? []) terminal.stderr.write(`${warning}\n`)
  if (isPlan) return
  const refused = objection(planned, flags)
  if (refused !== undefined) throw new Error(refused)
  const deployed = await send('Deploying', { allowDestructive: flags.allowDestructive === true })
  print(`Deployed. The schema is at version ${deployed.schemaVersion}.\n${hint(objects, planned)}`, deployed)
}

/** @throws UsageError for flags that do not go together */
function checkFlags({ allOrgs, stop, plan, org }: DeployFlags): void {
  if (stop && !allOrgs)
    throw new UsageError('--stop goes with --all-orgs: a deployment to one org is over when its command is')
  if (allOrgs && plan)
    throw new UsageError('--plan is for one org, and --all-orgs for all: leave one of them out')
  if (allOrgs && org !== undefined)
    throw new UsageError('--org names one org, and --all-orgs all: leave one of them out')
}

async function deploy(terminal: Terminal, flags: DeployFlags): Promise<void> {
  await runCommand(terminal, async () => {
    const config = configFrom(terminal, flags)
    checkFlags(flags)
    const definitions = flags.stop ? undefined : await loadDeployment(config)
    const background = flags.allOrgs === true
    const org = await reachOrg(terminal, config, { org: flags.org, code: 'if it loads', background })
    try {
      if (definitions === undefined) return await stopDeployment(terminal, org, flags.json === true)
      if (!background) return await carryOut(terminal, org, definitions, flags)
      const { allowDestructive = false, keep = false } = flags
      await deployToAll(terminal, org, definitions.files, {
        allowDestructive,
        keep,
        json: flags.json === true,
      })
    } finally {
      await org.close()
    }
  })
}

/** `objectry deploy`: makes an org's objects those of the deployment's definition files. */
export function deployCommand(terminal: Terminal): Command {
  const command = new Command('deploy')
    .description("Make the org's objects those of the deployment's definition files.")
    .option('--plan', 'only print what would be done')
    .option('--allow-destructive', 'carry out steps that lose data too')
    .option('--keep', 'leave alone what the deployment does not name')
    .option(
      '--all-orgs',
      'deploy to all orgs of the server, in the background; a later run goes on where one was stopped',
    )
    .option('--stop', 'with --all-orgs: leave alone the orgs that still wait')
  return addOrgFlags(addJsonFlag(command), ['deployment']).action((flags: DeployFlags) =>
    deploy(terminal, flags),
  )
}

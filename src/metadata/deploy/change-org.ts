import { ApiError } from '../../base/api-error.ts'
import { secondsText } from '../../base/clock.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { chooseNamed, readInSlices } from '../../definitions/files/read-definitions.ts'
import { spreadActivityField } from '../../definitions/formats/activity-fields.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { planRecords } from '../../definitions/plan-records.ts'
import { followDeployment } from '../../orgs/upgrades/follow-deployment.ts'
import type { PlannedStep, SchemaChange } from '../../schema/change/deploy.ts'
import type { Db } from '../../storage/database/db.ts'
import { type Failures, findFailures, makeResults } from './component-results.ts'
import type { Outcome } from './deploy.ts'
import { leaveOut } from './leave-out.ts'
import type { DeployPlan } from './plan-deploy.ts'
import { addRefusals, type Refusal, refuseProblem, refuseText } from './refusal.ts'
import type { Running } from './running-deploy.ts'

/** Another deployment came in between: the plan is for a schema that is no more. */
export class PlanOutdated extends Error {}

const pick = <T>(
  all: Readonly<Record<string, T>> | undefined,
  names: object | undefined,
): Record<string, T> =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => Object.hasOwn(names ?? {}, name)))

/** Objects with a field whose values are in one of these sets. */
function findUsing(objects: DefinitionFiles['objects'], sets: DefinitionFiles['valueSets']) {
  const isUsing = (field: { readonly valueSet?: string | undefined } | null) =>
    field?.valueSet !== undefined && Object.hasOwn(sets, field.valueSet)
  return Object.fromEntries(
    Object.entries(objects).filter(([, file]) => Object.values(file?.fields ?? {}).some(isUsing)),
  )
}

/** Of what an archive names, the definitions that there are to be. */
const chooseChanged = ({ after, given }: DeployPlan): DefinitionFiles => ({
  objects: { ...findUsing(after.objects, given.valueSets), ...pick(after.objects, given.objects) },
  valueSets: after.valueSets,
  permissionSets: pick(after.permissionSets, given.permissionSets),
  profiles: pick(after.profiles, given.profiles),
  ...(given.settings && { settings: given.settings }),
})

/** True for steps that an archive asks for by name, and those of the objects that follow another one. */
function makeAllowed({ deletions }: DeployPlan): (step: PlannedStep) => boolean {
  const names = new Set(
    deletions
      .filter(({ state }) => state === 'deleted')
      .flatMap(({ fullName }) => spreadActivityField(fullName))
      .map((name) => name.toLowerCase()),
  )
  return ({ object, field, record }) => {
    if (record !== undefined) return names.has(record.toLowerCase())
    const name = object.toLowerCase()
    const base = name.replace(/__(?:share|history)$/, '__c')
    return (
      names.has(name) ||
      names.has(base) ||
      (field !== undefined && names.has(`${name}.${field.toLowerCase()}`))
    )
  }
}

/** How often the rest of an archive is tried without what failed. */
const MAX_ROUNDS = 10

/** The end of a deployment that the org refuses: each reason is a failure of the component that it is about. */
async function refuse(
  plan: DeployPlan,
  failures: Failures,
  others: readonly string[],
  now: string,
): Promise<Outcome> {
  return {
    status: 'Failed',
    components: await runInSlices(() => makeResults(plan, failures, { createdDate: now, isDone: false })),
    ...(others.length > 0 && { error: { code: 'INVALID_INPUT', message: others.join('; ') } }),
  }
}

/**
 * Changes the org as a plan says, all of it or nothing.
 * @returns the outcome, or why the org refuses it
 * @throws PlanOutdated
 */
async function carryOut(
  { services, org, deploy, now }: Running,
  plan: DeployPlan,
  failures: Failures,
  saveInside: (tx: Db, outcome: Outcome) => Promise<void>,
): Promise<Outcome | readonly Refusal[]> {
  const { db, runtimeOf, wakeUpgrades } = services
  const { checkOnly } = deploy.options
  const changed = chooseChanged(plan)
  // Only of those that change: what others grant may be deleted.
  const { permissionSets = {}, profiles = {} } = changed
  const { objects, problems } = await runInSlices(() =>
    readInSlices({ ...plan.after, permissionSets, profiles }),
  )
  if (problems.length > 0) return problems.map(refuseProblem)
  const deletes = plan.deletions.some(({ state }) => state === 'deleted')
  const outcome = async (): Promise<Outcome> => ({
    status: failures.size > 0 ? 'SucceededPartial' : 'Succeeded',
    components: await runInSlices(() => makeResults(plan, failures, { createdDate: now(), isDone: true })),
  })
  const listDeleted = (of: string) =>
    plan.deletions
      .filter(({ type, state }) => type === of && state === 'deleted')
      .map(({ fullName }) => fullName)
  const removed = { permissionSets: listDeleted('PermissionSet'), profiles: listDeleted('Profile') }
  const author = { userId: deploy.userId, time: secondsText(new Date(now())) }
  const further: SchemaChange['further'] = async (tx, inside, schema, planOnly) => {
    if (schema.version !== plan.version) throw new PlanOutdated()
    const { steps, carryOut } = await planRecords(changed, author, removed)(tx, inside, schema, planOnly)
    return {
      steps,
      async carryOut() {
        await carryOut()
        await saveInside(tx, await outcome())
      },
    }
  }
  try {
    const { steps } = await runtimeOf(org).snapshots.deploy(db, {
      ...(deletes
        ? { objects, mode: 'replace' as const }
        : { objects: chooseNamed(changed, objects), mode: 'keep' as const }),
      allowDestructive: makeAllowed(plan),
      planOnly: checkOnly,
      afterwards: followDeployment,
      further,
    })
    if (steps.length > 0 && !checkOnly) wakeUpgrades()
    const obstacles = steps.flatMap(({ object, field, obstacles }) =>
      obstacles.map(({ message }) => `${object}${field === undefined ? '' : `.${field}`}: ${message}`),
    )
    return checkOnly && obstacles.length > 0 ? obstacles.map(refuseText) : outcome()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'DEPLOYMENT_REFUSED') throw error
    return error.items.map(({ message }) => refuseText(message))
  }
}

/**
 * Changes the org as an archive says, all of it or nothing, or all that can be deployed where the archive says so: what the org refuses is
 * left out with what needs it, and the rest is tried again.
 * @param saveInside stores the outcome in the transaction of the change; not called if there is none
 * @throws PlanOutdated
 */
export async function changeOrg(
  running: Running,
  planned: DeployPlan,
  saveInside: (tx: Db, outcome: Outcome) => Promise<void>,
): Promise<Outcome> {
  const { services, deploy, now } = running
  const { rollbackOnError, ignoreWarnings } = deploy.options
  const onlyWarns = services.config.unsupportedMetadata === 'warn'
  const failures = findFailures(planned, { onlyWarns, ignoreWarnings })
  if (failures.size > 0 && rollbackOnError) return refuse(planned, failures, [], now())
  for (let round = 1; ; round++) {
    const plan = failures.size > 0 ? await runInSlices(() => leaveOut(planned, failures)) : planned
    const ended = await carryOut(running, plan, failures, saveInside)
    if ('status' in ended) return ended
    const { areMore, others } = addRefusals(planned, ended, failures)
    const goesOn = !rollbackOnError && areMore && others.length === 0 && round < MAX_ROUNDS
    if (!goesOn) return refuse(plan, failures, others, now())
  }
}

import { ApiError } from '../base/api-error.ts'
import { secondsText } from '../base/clock.ts'
import { holdExit } from '../base/exit-hold.ts'
import { runInSlices } from '../base/run-in-slices.ts'
import { type Envelope, readEnvelope } from '../calls/envelope.ts'
import type { Reply } from '../calls/reply.ts'
import { type Handler, type Route, route } from '../calls/route.ts'
import { findMissingUsers } from '../customrest/missing-users.ts'
import { nameLocation, type Problem } from '../definitions/checks/problem.ts'
import { DEFINITION_KINDS } from '../definitions/files/has-definitions.ts'
import { loadFiles } from '../definitions/files/load-files.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { findRevealed } from '../definitions/permissions/find-revealed.ts'
import { planRecords } from '../definitions/plan-records.ts'
import { followDeployment } from '../orgs/upgrades/follow-deployment.ts'
import type { Deployed } from '../schema/change/deploy.ts'
import type { ObjectDefinition } from '../schema/definitions/definition.ts'
import { checkOrg } from './orgs.ts'
import type { Platform } from './platform.ts'

/** Changes that a deployment made, or would make. */
export interface DeploymentBody {
  /** Version of the current schema. */
  readonly schemaVersion: number
  readonly steps: Deployed['steps']
  /** Warnings of what would fail later or shows more than it should; absent if there are none. */
  readonly warnings?: readonly string[]
}

const exportSchema: Handler<{ org: string }> = async (ctx, _call, { org }): Promise<Reply> => {
  await checkOrg(ctx, org)
  return { status: 200, body: await loadFiles(ctx.db, ctx.org, ctx.schema, ctx.deadline()) }
}

const problemError = (problem: Problem) =>
  new ApiError('DEPLOYMENT_REFUSED', `${nameLocation(problem)}: ${problem.message}`)

const MEMBERS = [...DEFINITION_KINDS, 'mode', 'allowDestructive', 'planOnly'] as const

/** Default `replace`. */
export function readMode(envelope: Envelope): 'replace' | 'keep' {
  const mode = envelope.text('mode') ?? 'replace'
  if (mode === 'replace' || mode === 'keep') return mode
  throw envelope.refusal('mode is replace or keep', 'mode')
}

/** Reads an object from the body. Its content is checked later. */
function mapIn(envelope: Envelope, name: string): Readonly<Record<string, never>> {
  const value = envelope.value(name) ?? {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, never>>
  throw envelope.refusal(`${name} is a map of names to definitions`, name)
}

/** Reads definition files from the body, and the objects that they make. */
export async function readFiles(
  envelope: Envelope,
  deadline: AbortSignal,
): Promise<{ readonly files: DefinitionFiles; readonly objects: readonly ObjectDefinition[] }> {
  const files: DefinitionFiles = {
    objects: mapIn(envelope, 'objects'),
    valueSets: mapIn(envelope, 'valueSets'),
    permissionSets: mapIn(envelope, 'permissionSets'),
    profiles: mapIn(envelope, 'profiles'),
    settings: mapIn(envelope, 'settings'),
  }
  const { readInSlices } = await import('../definitions/files/read-definitions.ts')
  const { objects, problems } = await runInSlices(() => readInSlices(files), deadline)
  if (problems.length > 0) throw ApiError.all(problems.map(problemError))
  return { files, objects }
}

/** Reads and changes the schema of an org as definition files in JSON. */
export const schemaRoutes = ({ runtimes, code, wakeUpgrades }: Platform): readonly Route[] => {
  const deploy: Handler<{ org: string }> = async (ctx, call, { org }) => {
    await checkOrg(ctx, org)
    const envelope = readEnvelope(call, MEMBERS)
    const { files, objects } = await readFiles(envelope, ctx.deadline())
    const { chooseNamed } = await import('../definitions/files/read-definitions.ts')
    const allowDestructive = envelope.flag('allowDestructive')
    const planOnly = envelope.flag('planOnly')
    const mode = readMode(envelope)
    const { schema, planned, steps } = await runtimes.of(ctx.org).snapshots.deploy(ctx.db, {
      objects: mode === 'keep' ? chooseNamed(files, objects) : objects,
      mode,
      ...(allowDestructive !== undefined && { allowDestructive }),
      ...(planOnly !== undefined && { planOnly }),
      afterwards: followDeployment,
      further: planRecords(files, { userId: ctx.principal.userId, time: secondsText(ctx.clock()) }),
    })
    if (steps.length > 0 && planOnly !== true) wakeUpgrades()
    const warnings = [
      ...(await findMissingUsers(ctx.db, ctx.org, code.current)),
      ...(steps.length > 0 ? await findRevealed(ctx.db, ctx.org, planned, files) : []),
    ]
    const body: DeploymentBody = {
      schemaVersion: schema.version,
      steps,
      ...(warnings.length > 0 && { warnings }),
    }
    return { status: 200, body }
  }
  return [
    route('GET', '/orgs/:org/schema', 'setup', exportSchema),
    // Validating many definitions takes time too, before the change begins.
    route('PUT', '/orgs/:org/schema', 'setup', (...call) => holdExit(() => deploy(...call))),
  ]
}

import { ApiError } from '../../base/api-error.ts'
import { runInSlices } from '../../base/run-in-slices.ts'
import { DefinitionError } from '../../definitions/checks/problem.ts'
import { loadFiles } from '../../definitions/files/load-files.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import type { ProfileFile } from '../../definitions/formats/permission-file.ts'
import type { Imported } from '../../importers/imported.ts'
import { NotePad } from '../../importers/notes.ts'
import { importInSlices } from '../../importers/source-format/import-source-format.ts'
import { isRead } from '../../importers/source-format/project/source-file.ts'
import { hasProblem, type ParsedFile } from '../archive/parse-files.ts'
import { type Manifest, readDeletions } from '../archive/read-manifests.ts'
import { ComponentPlaces } from '../components/component-places.ts'
import { type Component, findComponents } from '../components/find-components.ts'
import { judgeNotes, type Remark } from '../components/judge-notes.ts'
import { type Deletion, removeNamed } from './deletions.ts'
import type { Running } from './running-deploy.ts'

/** The changes that an archive makes to an org. */
export interface DeployPlan {
  /** Of the schema that it was planned for. */
  readonly version: number
  readonly before: DefinitionFiles
  readonly after: DefinitionFiles
  /** The definitions that the archive brings, without those that are not possible here. */
  readonly given: DefinitionFiles
  readonly components: readonly Component[]
  readonly deletions: readonly Deletion[]
  /** By undefined those about no component. */
  readonly remarks: ReadonlyMap<Component | undefined, readonly Remark[]>
  readonly places: ComponentPlaces
}

/** A profile of an archive adds what it grants: archives have parts of profiles, about the rest of what they have. */
function joinProfiles(known: ProfileFile | null | undefined, given: ProfileFile | null): ProfileFile {
  const list = <T>(...lists: (readonly T[] | undefined)[]) => [...new Set(lists.flatMap((one) => one ?? []))]
  const system = list(known?.system, given?.system)
  const customPermissions = list(known?.customPermissions, given?.customPermissions)
  const objects = { ...known?.objects, ...given?.objects }
  const fields = { ...known?.fields, ...given?.fields }
  return {
    ...known,
    ...given,
    ...(system.length > 0 && { system }),
    ...(customPermissions.length > 0 && { customPermissions }),
    ...(Object.keys(objects).length > 0 && { objects }),
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}

const withJoinedProfiles = (files: DefinitionFiles, known: DefinitionFiles): DefinitionFiles => ({
  ...files,
  profiles: Object.fromEntries(
    Object.entries(files.profiles ?? {}).map(([name, file]) => [
      name,
      joinProfiles(known.profiles?.[name], file),
    ]),
  ),
})

const put = (before: DefinitionFiles, given: DefinitionFiles): DefinitionFiles => ({
  objects: { ...before.objects, ...given.objects },
  valueSets: { ...before.valueSets, ...given.valueSets },
  permissionSets: { ...before.permissionSets, ...given.permissionSets },
  profiles: { ...before.profiles, ...given.profiles },
  settings: { ...before.settings, ...given.settings },
})

/** @throws ApiError INVALID_INPUT for what an archive deletes and brings */
function checkDeletions(components: readonly Component[], manifest: Manifest): void {
  const brought = new Set(components.map(({ type, fullName }) => `${type} ${fullName}`.toLowerCase()))
  for (const [type, names] of manifest) {
    const both = names.find((name) => brought.has(`${type} ${name}`.toLowerCase()))
    if (both === undefined) continue
    const text = `${type} ${both} is deleted and deployed by one archive, which is one change here: use two archives.`
    throw new ApiError('INVALID_INPUT', text)
  }
}

/** @throws ApiError INVALID_INPUT */
async function importFiles(files: readonly ParsedFile[], known: DefinitionFiles): Promise<Imported> {
  const readable = files.flatMap(({ path, content }) =>
    content === undefined || hasProblem(content) || !isRead(path) ? [] : [{ path, text: '', root: content }],
  )
  try {
    return await runInSlices(() => importInSlices(readable, known, new NotePad(), true))
  } catch (error) {
    if (error instanceof DefinitionError) throw new ApiError('INVALID_INPUT', error.message.slice(0, 2000))
    throw error
  }
}

/**
 * Plans what an archive changes.
 * @throws ApiError INVALID_INPUT
 */
export async function planDeploy(
  { services: { db, runtimeOf }, org }: Pick<Running, 'services' | 'org'>,
  files: readonly ParsedFile[],
): Promise<DeployPlan> {
  const components = await runInSlices(() => findComponents(files))
  const schema = await runtimeOf(org).snapshots.reload(db)
  const before = await loadFiles(db, org, schema)
  const imported = await importFiles(files, before)
  const given = withJoinedProfiles(imported.files, before)
  const named = readDeletions(files)
  checkDeletions(components, named)
  const { files: after, deletions } = await runInSlices(() => removeNamed(put(before, given), named))
  const places = new ComponentPlaces(files)
  const remarks = await runInSlices(() => judgeNotes(components, imported.notes, places))
  return { version: schema.version, before, after, given, components, deletions, remarks, places }
}

import { ApiError } from '../../base/api-error.ts'
import { same } from '../../definitions/checks/checking.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { changeEventName, isCustomChannel, OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'

/** An object whose events a channel has. */
interface Member {
  readonly object: string
  readonly channel: string
}

function listMembers({ objects }: DefinitionFiles): Member[] {
  return Object.entries(objects).flatMap(([object, file]) => {
    const channels = new Set(Object.keys(file?.channels ?? {}))
    if (file?.changeEvents === true) channels.add(OWN_CHANNELS)
    return [...channels].map((channel) => ({ object, channel }))
  })
}

/** Names have single underscores, whatever they are made of. */
const simplify = (name: string) => name.replaceAll(/_+/g, '_').toLowerCase()

/** The names that files of a member have: `Partner_AccountChangeEvent` in a retrieved archive, `Partner_chn_AccountChangeEvent` elsewhere. */
function namesOf({ object, channel }: Member): string[] {
  const entity = isEventObject(object) ? object : changeEventName(object)
  return [channel, channel.replace(/__chn$/, '')].map((one) => simplify(`${one}_${entity}`))
}

function without(files: DefinitionFiles, { object, channel }: Member): DefinitionFiles {
  const { channels: { [channel]: _gone, ...channels } = {}, changeEvents, ...rest } = files.objects[object]!
  const file: ObjectFile = {
    ...rest,
    ...(changeEvents !== undefined && channel !== OWN_CHANNELS && { changeEvents }),
    ...(Object.keys(channels).length > 0 && { channels }),
  }
  return { ...files, objects: { ...files.objects, [object]: file } }
}

/** Removes a channel with all of its members; undefined: it is not there. */
export function removeChannel(files: DefinitionFiles, name: string): DefinitionFiles | undefined {
  const members = listMembers(files).filter(({ channel }) => isCustomChannel(channel) && same(channel, name))
  return members.length === 0 ? undefined : members.reduce(without, files)
}

/**
 * Removes a member of a channel by the name of its file; undefined: it is not there.
 * @throws ApiError INVALID_INPUT for a name that several may have
 */
export function removeMember(files: DefinitionFiles, name: string): DefinitionFiles | undefined {
  const members = listMembers(files).filter((member) => namesOf(member).includes(simplify(name)))
  if (members.length > 1) {
    const found = members.map(({ object, channel }) => `${object} of ${channel}`).join(', ')
    const text = `PlatformEventChannelMember ${name} is the name of several: ${found}. Write the whole name of the channel: Partner_chn_AccountChangeEvent.`
    throw new ApiError('INVALID_INPUT', text)
  }
  return members[0] && without(files, members[0])
}

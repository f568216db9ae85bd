import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { changeEventName, isCustomChannel, OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
import type { ExportedFiles } from './export-object.ts'
import { writeXml } from './write-xml.ts'

/** Writes a file for each channel of events, and one for each object that has events on it. */
export function exportChannels({ objects }: DefinitionFiles, files: ExportedFiles): void {
  for (const [name, file] of Object.entries(objects)) {
    const isEvent = isEventObject(name)
    const channels = { ...(file?.changeEvents === true && { [OWN_CHANNELS]: [] }), ...file?.channels }
    for (const [channel, enriched] of Object.entries(channels)) {
      const selectedEntity = isEvent ? name : changeEventName(name)
      const base = channel.replace(/__chn$/, '')
      files.set(
        `platformEventChannelMembers/${base}_${selectedEntity}.platformEventChannelMember-meta.xml`,
        writeXml('PlatformEventChannelMember', {
          enrichedFields: enriched.map((field) => ({ name: field })),
          eventChannel: channel,
          selectedEntity,
        }),
      )
      if (isCustomChannel(channel))
        files.set(
          `platformEventChannels/${channel}.platformEventChannel-meta.xml`,
          writeXml('PlatformEventChannel', {
            channelType: isEvent ? 'event' : 'data',
            label: makeLabel(base),
          }),
        )
    }
  }
}

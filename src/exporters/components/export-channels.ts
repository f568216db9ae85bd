import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { changeEventName, isCustomChannel, OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
import type { Component } from './component.ts'

/** Makes a component for each channel of events, and one for each object that has events on it. */
export function* exportChannels({ objects }: DefinitionFiles): Generator<Component> {
  const own = new Map<string, Component>()
  for (const [name, file] of Object.entries(objects)) {
    const isEvent = isEventObject(name)
    const channels = { ...(file?.changeEvents === true && { [OWN_CHANNELS]: [] }), ...file?.channels }
    for (const [channel, enriched] of Object.entries(channels)) {
      const selectedEntity = isEvent ? name : changeEventName(name)
      const base = channel.replace(/__chn$/, '')
      yield {
        type: 'PlatformEventChannelMember',
        fullName: `${base}_${selectedEntity}`,
        content: {
          enrichedFields: enriched.map((field) => ({ name: field })),
          eventChannel: channel,
          selectedEntity,
        },
        children: [],
      }
      if (isCustomChannel(channel))
        own.set(channel, {
          type: 'PlatformEventChannel',
          fullName: channel,
          content: { channelType: isEvent ? 'event' : 'data', label: makeLabel(base) },
          children: [],
        })
    }
  }
  yield* own.values()
}

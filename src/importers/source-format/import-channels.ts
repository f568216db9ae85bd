import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectFile } from '../../definitions/formats/object-file.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { NotePad } from '../notes.ts'
import type { Project } from './fields/field-source.ts'
import type { MetadataElement } from './project/metadata-element.ts'

/** `Account` of AccountChangeEvent, `Employee__c` of Employee__ChangeEvent; a platform event is itself. */
function findObject(entity: string): string {
  if (isEventObject(entity)) return entity
  const name = entity.replace(/ChangeEvent$/, '')
  return name.endsWith('__') ? `${name}c` : name
}

/** The object whose events a channel has, and the channel; `OWN_CHANNELS` where the file names none. */
export const readMember = (xml: MetadataElement) => ({
  object: findObject(xml.text('selectedEntity') ?? ''),
  channel: xml.text('eventChannel') ?? OWN_CHANNELS,
})

/** Reads which objects tell their events on which channels, and what these always have. */
function readMembers(
  members: ReadonlyMap<string, MetadataElement>,
  isHere: (object: string) => boolean,
  pad: NotePad,
): ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> {
  const channels = new Map<string, Record<string, string[]>>()
  for (const [name, xml] of members) {
    const { object: entity, channel } = readMember(xml)
    const object = findStandardObject(entity)?.name ?? entity
    if (!isHere(object)) {
      pad.add('reference', `channel member ${name}`, `without ${object}, which is not here`)
      continue
    }
    const enriched = xml.all('enrichedFields').flatMap((one) => one.texts('name'))
    getOrInsert(channels, object, (): Record<string, string[]> => ({}))[channel] = enriched
    if (xml.text('filterExpression') !== undefined)
      pad.add('channel', `channel member ${name}`, 'has all events: its filter is not imported')
    for (const unread of xml.unread()) pad.collect('channel', `channel member ${name}`, unread)
  }
  return channels
}

/** The part of an object file about its channels. */
function writeChannels(object: string, channels: Readonly<Record<string, readonly string[]>>): ObjectFile {
  const isOwn = Object.hasOwn(channels, OWN_CHANNELS)
  const told = Object.entries(channels).filter(
    ([channel, enriched]) => channel !== OWN_CHANNELS || enriched.length > 0,
  )
  return {
    ...(isOwn && !isEventObject(object) && { changeEvents: true }),
    ...(told.length > 0 && {
      channels: Object.fromEntries(told.map(([channel, enriched]) => [channel, [...enriched]])),
    }),
  }
}

/**
 * Adds the channels of events to the files of their objects.
 * @param imported changed
 * @param kept the file of an object that is there already
 */
export function importChannels(
  parts: {
    readonly channels: ReadonlyMap<string, MetadataElement>
    readonly channelMembers: ReadonlyMap<string, MetadataElement>
  },
  imported: Map<string, ObjectFile>,
  { kept, pad }: Pick<Project, 'kept' | 'pad'>,
): void {
  for (const [name, xml] of parts.channels) {
    for (const known of ['channelType', 'label']) xml.all(known)
    for (const unread of xml.unread()) pad.collect('channel', `channel ${name}`, unread)
  }
  const isHere = (object: string) =>
    imported.has(object) || findStandardObject(object) !== undefined || kept(object) !== undefined
  for (const [object, channels] of readMembers(parts.channelMembers, isHere, pad))
    imported.set(object, { ...imported.get(object), ...writeChannels(object, channels) })
}

import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ObjectFile } from '../../definitions/formats/object-file.ts'
import { isEventObject } from '../../schema/definitions/custom-name.ts'
import { OWN_CHANNELS } from '../../schema/definitions/event-channels.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { NotePad } from '../notes.ts'
import type { XmlElement } from './project/xml-element.ts'

/** `Account` of AccountChangeEvent, `Employee__c` of Employee__ChangeEvent; a platform event is itself. */
function findObject(entity: string): string {
  if (isEventObject(entity)) return entity
  const name = entity.replace(/ChangeEvent$/, '')
  return name.endsWith('__') ? `${name}c` : name
}

/** Reads which objects tell their events on which channels, and what these always have. */
function readMembers(
  members: ReadonlyMap<string, XmlElement>,
  pad: NotePad,
): ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> {
  const channels = new Map<string, Record<string, string[]>>()
  for (const [name, xml] of members) {
    const object = findObject(xml.text('selectedEntity') ?? '')
    const channel = xml.text('eventChannel') ?? OWN_CHANNELS
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
 */
export function importChannels(
  parts: {
    readonly channels: ReadonlyMap<string, XmlElement>
    readonly channelMembers: ReadonlyMap<string, XmlElement>
  },
  imported: Map<string, ObjectFile>,
  pad: NotePad,
): void {
  for (const [name, xml] of parts.channels) {
    for (const known of ['channelType', 'label']) xml.all(known)
    for (const unread of xml.unread()) pad.collect('channel', `channel ${name}`, unread)
  }
  for (const [object, channels] of readMembers(parts.channelMembers, pad)) {
    const name = findStandardObject(object)?.name ?? object
    const file = imported.get(name)
    if (file === undefined && findStandardObject(name) === undefined)
      pad.add('channel', Object.keys(channels).join(', '), `without ${name}, which is not here`)
    else imported.set(name, { ...file, ...writeChannels(name, channels) })
  }
}

import type { ObjectDefinition } from './definition.ts'

/** Stands for the channels that every selected object has of its own: `/data/ChangeEvents`, `/data/AccountChangeEvent`. */
export const OWN_CHANNELS = 'ChangeEvents'

/** True for the name of a channel that brings events of several objects together: `Partner__chn`. */
export const isCustomChannel = (name: string): boolean => name.endsWith('__chn')

/** True if changes of the object are told by any channel. */
export const tellsChanges = ({ changeEvents, channels }: ObjectDefinition): boolean =>
  changeEvents === true || (channels !== undefined && Object.keys(channels).some(isCustomChannel))

/** The fields that events of the object have on one of its channels, whether they changed or not. */
export const enrichedFields = ({ channels }: ObjectDefinition, channel: string): readonly string[] =>
  channels !== undefined && Object.hasOwn(channels, channel) ? channels[channel]! : []

/** The name of the change events of an object: `AccountChangeEvent`, `Employee__ChangeEvent`. */
export const changeEventName = (object: string): string =>
  object.endsWith('__c') ? `${object.slice(0, -1)}ChangeEvent` : `${object}ChangeEvent`

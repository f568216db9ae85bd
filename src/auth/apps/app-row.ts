import type { AppSettings } from '../oauth/connected-app.ts'
import type { AppRow } from './apps.sql.ts'

const splitParts = (text: unknown, separator: RegExp) =>
  String(text ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Converts an app's record to its settings. */
export function readSettings({ callbackUrls, scopes, ...row }: AppRow): AppSettings {
  return {
    ...(row as unknown as Omit<AppSettings, 'callbackUrls' | 'scopes'>),
    callbackUrls: splitParts(callbackUrls, /[\r\n]+/),
    scopes: splitParts(scopes, /;/),
  }
}

export function makeRow({ callbackUrls, scopes, ...settings }: AppSettings): AppRow {
  const joined = (parts: readonly string[], separator: string) =>
    parts.length === 0 ? null : parts.join(separator)
  return { ...settings, callbackUrls: joined(callbackUrls, '\n'), scopes: joined(scopes, ';') }
}

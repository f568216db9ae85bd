import { data } from '../../api/client.ts'
import { newTab, type Tab } from '../../components/tabs/use-tabs.ts'
import { kindOf } from './composite.ts'
import { type CallDraft, withoutToken } from './sent-call.ts'

/** The step whose parts are shown. */
export interface OpenStep {
  readonly key: string
  /** A body of it that is no JSON yet. */
  readonly text?: string | undefined
}

export type CallView = 'body' | 'steps' | 'headers'

export interface CallTab extends CallDraft, Tab {
  readonly view: CallView
  readonly step?: OpenStep | undefined
}

/** How a call that is opened is seen first. */
export const firstView = (method: string, path: string): CallView =>
  kindOf(method, path) === undefined ? 'body' : 'steps'

export const makeTab = (call: Partial<CallDraft> = {}): CallTab => {
  const { method = 'GET', path = data('/limits'), body = '', headers = '' } = call
  return { ...newTab(), method, path, body, headers, view: firstView(method, path) }
}

/** The title of a tab: its own name, or the method and the end of the address. */
export function nameOf({ name, method, path }: CallTab): string {
  if (name !== undefined && name !== '') return name
  const [address] = path.split('?') as [string]
  return `${method} ${address.replace(/^\/services\/(data\/v[\d.]+\/)?/, '')}`
}

export const CALL_TABS = {
  screen: 'explorer',
  makeFirst: makeTab as () => CallTab,
  withoutSecrets: (tab: CallTab): CallTab => ({ ...tab, headers: withoutToken(tab.headers) }),
} as const

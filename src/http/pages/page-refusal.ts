import { errorPage } from '../../auth/pages/page.ts'
import type { PageReply } from './page-context.ts'

interface RefusalDetails {
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A refusal with a message for the person in front of the browser. */
export class PageRefusal extends Error {
  readonly status: number
  readonly heading: string
  readonly details: RefusalDetails

  constructor(status: number, heading: string, message: string, details: RefusalDetails = {}) {
    super(message)
    this.status = status
    this.heading = heading
    this.details = details
  }
}

export function makeRefusalReply({ status, heading, message, details }: PageRefusal): PageReply {
  return { status, html: errorPage({ heading, message, code: details.code }), headers: details.headers }
}

/** Too many passwords or codes were wrong. */
export function tooManyAttempts(seconds: number): PageRefusal {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new PageRefusal(429, 'Too many attempts', `Wait ${wait}, then try again.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

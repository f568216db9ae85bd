import { type Html, html } from './html.ts'
import { page } from './page.ts'

interface ErrorPage {
  readonly heading: string
  readonly message: string
  /** The error code for the developer of an app: `redirect_uri_mismatch`. */
  readonly code?: string | undefined
}

/** A page for errors that the user cannot resolve there. */
export function errorPage({ heading, message, code }: ErrorPage): Html {
  const content = html`<h1>${heading}</h1>
<div role="alert">
<p class="lead">${message}</p>
</div>${code !== undefined && html`\n<p class="small">Error: <span class="code-shown">${code}</span></p>`}`
  return page({ title: heading, content })
}

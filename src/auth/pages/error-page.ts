import { type Html, html } from '../../base/html.ts'
import { page } from './page.ts'

interface ErrorPage {
  readonly heading: string
  readonly message: string
  /** What the developer of an app looks for, `redirect_uri_mismatch`. */
  readonly code?: string | undefined
}

/** Where nothing can be done but to read what is wrong. */
export function errorPage({ heading, message, code }: ErrorPage): Html {
  const content = html`<h1>${heading}</h1>
<div role="alert">
<p class="lead">${message}</p>
</div>${code !== undefined && html`\n<p class="small">Error: <span class="code-shown">${code}</span></p>`}`
  return page({ title: heading, content })
}

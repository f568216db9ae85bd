import { Html, type HtmlPart, html } from './html.ts'
import { STYLE } from './style.ts'

/** The parts of a page. */
interface PageFrame {
  /** Title of the window; the heading is in the content. */
  readonly title: string
  /** The org of the page; undefined if none is concerned. */
  readonly orgName?: string | undefined
  readonly content: Html
}

// The style is not user input, and the policy contains its hash, so it must not be escaped.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`)

const BRAND = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark" width="32" height="32" rx="9"/><g class="lines" fill="none" stroke-width="2.6" stroke-linecap="round"><ellipse cx="16" cy="10.5" rx="7.5" ry="3"/><path d="M8.5 10.5v11c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3v-11M8.5 16c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3"/></g></svg>`

/** A complete page, without scripts or external resources. */
export function page({ title, orgName, content }: PageFrame): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Objectry</title>
${STYLE_ELEMENT}
</head>
<body>
<div class="brand">${BRAND}<span>Objectry</span>${orgName !== undefined && orgName !== 'Objectry' && html`<span class="org">${orgName}</span>`}</div>
<main>
${content}
</main>
</body>
</html>
`
}

/** An error message, announced by screen readers. */
export const makeAlert = (message: string | undefined): HtmlPart =>
  message !== undefined && html`<div class="alert" role="alert" id="problem"><p>${message}</p></div>\n`

/** Hidden fields of a form. */
export const hiddenFields = (values: Iterable<readonly [string, string]>): HtmlPart =>
  [...values].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/** Links an invalid field to the error message. */
export const invalid = (isWrong: boolean): HtmlPart =>
  isWrong && html` aria-invalid="true" aria-describedby="problem"`

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

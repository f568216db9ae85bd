/** HTML as a value. It is made by `html`, which escapes all other text. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Values that a template accepts. Undefined and false render as nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Makes text safe between tags and in quoted attribute values. Removes control characters that HTML does not allow. */
function escapeHtml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
      .replaceAll(/[&<>"'`]/g, (character) => ESCAPES[character]!)
  )
}

function renderPart(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(renderPart).join('')
  return escapeHtml(String(part))
}

/** `html\`<p>${name}</p>\`` escapes every part that is not `Html`. Put attribute values in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((piece, index) => piece + renderPart(parts[index])).join(''))
}

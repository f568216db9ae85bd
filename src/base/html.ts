/** HTML as a value: text that went through `html` and so holds nothing that somebody else wrote as markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template: nothing is shown for undefined and false. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Safe between tags and in attribute values that stand in quotes. NUL and its kin are no HTML at all. */
function escapeHtml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
      .replaceAll(/[&<>"'`]/g, (character) => ESCAPES[character]!)
  )
}

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(textOf).join('')
  return escapeHtml(String(part))
}

/** `html\`<p>${name}</p>\``: every part is escaped but what is `Html` already. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((piece, index) => piece + textOf(parts[index])).join(''))
}

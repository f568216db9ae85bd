import type { NotePad } from '../../notes.ts'
import type { XmlElement } from '../project/xml-element.ts'

/** Placeholders of a format for parts of the date: `{MMDDYY}`. They are not supported and would be plain text. */
const DAY = /\{[YMD]+\}[-_/. ]?/gi

/** Reads the display format of an autonumber. */
export function readAutonumberFormat(xml: XmlElement, location: string, pad: NotePad): string {
  const source = xml.text('displayFormat') ?? '{0}'
  const format = source.replaceAll(DAY, '')
  if (format !== source) pad.add('autonumber', location, `${source} names the day: the format is ${format}`)
  const first = xml.number('startingNumber')
  if (first !== undefined && first !== 1) pad.add('autonumber', location, `starts at 1, not at ${first}`)
  return format
}

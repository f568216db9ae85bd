import type { NotePad } from '../notes.ts'
import type { XmlElement } from './xml-element.ts'

/** Parts of a format that stand for the day: here they would be plain text. */
const DAY = /\{(?:YYYY|YY|MM|DD)\}[-_/. ]?/gi

/** The display format of an autonumber that `xml` describes, as it counts here. */
export function readAutonumberFormat(xml: XmlElement, location: string, pad: NotePad): string {
  const said = xml.text('displayFormat') ?? '{0}'
  const format = said.replaceAll(DAY, '')
  if (format !== said) pad.add('autonumber', location, `${said} names the day: the format is ${format}`)
  const first = xml.number('startingNumber')
  if (first !== undefined && first !== 1) pad.add('autonumber', location, `starts at 1, not at ${first}`)
  return format
}

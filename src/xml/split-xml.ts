import { malformed, parseXmlText } from './parse-xml.ts'
import type { XmlElement } from './xml-element.ts'

/** Children are parsed together up to this length, which takes a few milliseconds. */
const GROUP_CHARACTERS = 32 * 1024

/** Of all tags in a child, which take longer than texts, and of the outermost one, which is parsed with each group. */
const MAX_TAG_CHARACTERS = 100_000
const MAX_OUTER_CHARACTERS = 2000

/** So many tags are looked at until others may have a turn. */
const TAGS_PER_STEP = 500

const QUOTES = [34, 39]
const LESS = 60
const GREATER = 62

/** Markup that begins like a tag and is none, and how it ends. */
const SKIPPED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Where the tag that begins at `start` ends: values of attributes may have any character but a less-than sign. */
function findTagEnd(text: string, start: number): number {
  const most = Math.min(text.length, start + MAX_TAG_CHARACTERS)
  for (let at = start + 1; at < most; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER) return at
    if (code === LESS) break
    if (!QUOTES.includes(code)) continue
    at = text.indexOf(text[at]!, at + 1)
    if (at < 0) break
  }
  throw malformed('a tag is not closed, or too long')
}

interface Tag {
  readonly start: number
  /** Behind it. */
  readonly end: number
}

/** Returns the next tag from a position on, or undefined if there is none. */
function findTag(text: string, from: number): Tag | undefined {
  for (let at = from; ; ) {
    const start = text.indexOf('<', at)
    if (start < 0) return undefined
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, start))
    if (skipped === undefined) {
      if (text[start + 1] === '!') throw malformed('it has a DOCTYPE, which is not allowed here')
      return { start, end: findTagEnd(text, start) + 1 }
    }
    const end = text.indexOf(skipped[1], start + skipped[0].length)
    if (end < 0) throw malformed(`${skipped[0]} is not closed`)
    at = end + skipped[1].length
  }
}

/**
 * Parses a document child by child of its outermost element: some of these at a time, so that a long one can be read in slices.
 * Yields nothing where others may have a turn.
 * @param maxCharacters of a child
 * @throws ApiError XML_PARSER_ERROR
 */
export function* splitXml(
  text: string,
  maxCharacters: number,
): Generator<readonly XmlElement[] | undefined, void> {
  let opening = ''
  let closing = ''
  let [depth, tags, start, groupStart, inTags] = [0, 0, 0, 0, 0]
  const parseGroup = (end: number) => parseXmlText(opening + text.slice(groupStart, end) + closing).children
  for (let tag = findTag(text, 0); tag !== undefined; tag = findTag(text, tag.end)) {
    if (++tags % TAGS_PER_STEP === 0) yield undefined
    const closes = text[tag.start + 1] === '/'
    const isEmpty = text[tag.end - 2] === '/'
    inTags += tag.end - tag.start
    if (inTags > MAX_TAG_CHARACTERS) {
      throw malformed(`the tags of an element have more than ${MAX_TAG_CHARACTERS} characters`)
    }
    if (depth === 0) {
      if (opening !== '' || closes) throw malformed('it has not exactly one outermost element')
      opening = text.slice(tag.start, isEmpty ? tag.end - 2 : tag.end - 1).concat('>')
      closing = `</${/^<([^\s/>]*)/.exec(opening)![1]}>`
      groupStart = tag.end
      if (opening.length > MAX_OUTER_CHARACTERS) throw malformed('its outermost tag is too long')
      if (isEmpty) parseXmlText(opening + closing)
    } else if (depth === 1 && !closes) {
      start = tag.start
      inTags = tag.end - tag.start
    }
    if (closes) depth--
    else if (!isEmpty) depth++
    if (depth === 1 && tag.end - start > maxCharacters && start > 0) {
      throw malformed(`an element has more than ${maxCharacters} characters`)
    }
    const isLast = closes && depth === 0
    if (isLast && text.slice(tag.start, tag.end).replaceAll(/\s/g, '') !== closing) {
      throw malformed('the outermost element is closed by another name')
    }
    const isWhole = depth === 1 && tag.end - groupStart >= GROUP_CHARACTERS
    if (!isLast && !isWhole) continue
    yield parseGroup(isLast ? tag.start : tag.end)
    groupStart = tag.end
  }
  if (opening === '' || depth !== 0) throw malformed('an element is not closed')
}

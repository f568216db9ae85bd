import { readFileSync } from 'node:fs'

/** A fenced block of a page, or the fixture that a comment names. */
export interface Block {
  /** The word behind the fence: `http`, `json`, `soql`, `graphql`, ...; `fixture` for a comment. */
  readonly language: string
  readonly text: string
  /** The comment on the line above, such as `file: resources/hello.ts`, `eventually` or `not run: <reason>`. */
  readonly note: string | undefined
  /** Line of the page on which the block begins, counted from 1. */
  readonly line: number
}

/** Languages of blocks that show what a command prints. */
const OUTPUTS = ['', 'text', 'json', 'csv', 'sql', 'xml']

/** True if a block is the output of the one before it, provided that is a command. */
export const isOutput = (block: Block | undefined): block is Block =>
  block !== undefined && OUTPUTS.includes(block.language) && block.note === undefined

interface Link {
  readonly target: string
  readonly line: number
}

export interface Page {
  readonly blocks: readonly Block[]
  /** Anchors of the headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>
  readonly links: readonly Link[]
}

/** The anchor that GitHub gives a heading; repeated headings get a number. */
function makeAnchor(heading: string, taken: ReadonlySet<string>): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
  const anchor = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
  if (!taken.has(anchor)) return anchor
  let count = 1
  while (taken.has(`${anchor}-${count}`)) count++
  return `${anchor}-${count}`
}

/** Blocks of a list are indented. */
const FENCE = /^( *)```(\w*)\s*$/
const NOTE = /^ *<!-- (file: \S+|eventually|not run: .+|in the log|after Ctrl-C|on PostgreSQL) -->$/
const FIXTURE = /^<!-- fixture: ([\w-]+) -->$/

export function parsePage(markdown: string): Page {
  const blocks: Block[] = []
  const anchors = new Set<string>()
  const links: Link[] = []
  const lines = markdown.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const number = index + 1
    const fence = FENCE.exec(line)
    if (fence !== null) {
      const note = NOTE.exec(lines[index - 1] ?? '')?.[1]
      const [, indent = '', language = ''] = fence
      const start = index + 1
      do index++
      while (index < lines.length && lines[index] !== `${indent}\`\`\``)
      if (index === lines.length) throw new Error(`The block on line ${number} has no end.`)
      const text = lines.slice(start, index).map((inner) => inner.slice(indent.length))
      blocks.push({ language, text: text.join('\n'), note, line: number })
      continue
    }
    const fixture = FIXTURE.exec(line)
    if (fixture !== null) {
      blocks.push({ language: 'fixture', text: fixture[1]!, note: undefined, line: number })
    }
    const heading = /^#{1,6}\s+(.*)$/.exec(line)
    if (heading !== null) anchors.add(makeAnchor(heading[1]!, anchors))
    const prose = line.replace(/`[^`]*`/g, '')
    for (const match of prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)) {
      links.push({ target: match[1]!, line: number })
    }
  }
  return { blocks, anchors, links }
}

export const readPage = (path: string): Page => parsePage(readFileSync(path, 'utf8'))

import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/** A location in a JavaScript file: `file:///objectry/build/server/objectry.js:12:34`. */
const LOCATION = /(file:\/\/[^\s:()]+\.js):(\d+):(\d+)/g

/** By the URL of the JavaScript file; undefined: it has no source map. */
const maps = new Map<string, SourceMap | undefined>()

function openMap(url: string): SourceMap | undefined {
  if (maps.has(url)) return maps.get(url)
  const file = new URL(`${url}.map`)
  const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined
  maps.set(url, map)
  return map
}

/**
 * A stack trace with the locations in a bundle replaced by those in its sources. Node can do that itself, but then reads
 * all source maps at the start.
 */
export function nameSources(stack: string): string {
  return stack.replace(LOCATION, (location, url: string, line: string, column: string) => {
    const origin = openMap(url)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return location
    return `${new URL(origin.fileName, url).href}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Config } from '../../config/config.ts'
import { makeRefusalReply, PageRefusal } from '../pages/page-refusal.ts'
import { sendPage } from '../pages/send-page.ts'
import { BuiltFiles } from './built-files.ts'
import { findBuilt, isBuilt } from './console-files.ts'
import { contentPolicy } from './content-policy.ts'
import { sendFile } from './send-file.ts'

/** Where the documentation is, below the address of the server. */
const DOCS_PATH = '/docs/'

/** The texts of the scripts that stand in a page. */
function* findScripts(page: string): Generator<string> {
  for (let at = page.indexOf('<script'); at >= 0; at = page.indexOf('<script', at)) {
    const start = page.indexOf('>', at) + 1
    const end = page.indexOf('</script>', start)
    if (start === 0 || end < 0) return
    if (!page.slice(at, start).includes(' src=')) yield page.slice(start, end)
    at = end
  }
}

/** The scripts that stand in the page are allowed by what they are, and no others. */
function makePolicy(page: string): string {
  const hashes = [...findScripts(page)].map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return contentPolicy(hashes, ["'unsafe-inline'"])
}

const notBuilt = () =>
  new PageRefusal(
    404,
    'The documentation is not built',
    'Run "npm run docs:build" in the folder of the server and load this page again, or read the folder docs there.',
  )

function openFiles(folder = findBuilt('site/dist', 'build/site')): BuiltFiles | undefined {
  return folder !== undefined && isBuilt(folder) ? new BuiltFiles(folder) : undefined
}

/**
 * Adds the documentation as web pages, of the version that runs; they are public. Until somebody opens it nothing of it is read.
 * (docs/how-to/open-the-console.md#documentation)
 * @param folder with the built pages; default where the build puts them
 */
export function routeDocs(
  server: FastifyInstance,
  { console: isServed }: Pick<Config, 'console'>,
  folder?: string,
): void {
  if (!isServed) return
  let files: BuiltFiles | undefined
  const policies = new Map<string, string>()
  for (const url of ['/docs', `${DOCS_PATH}*`]) {
    server.route({
      url,
      method: ['GET', 'HEAD'],
      config: { endpoint: 'docs' },
      async handler(request, response) {
        files ??= openFiles(folder)
        if (files === undefined) {
          await sendPage(response, makeRefusalReply(notBuilt()))
          return response
        }
        const path = (request.params as { readonly '*'?: string })['*'] ?? ''
        const name = path === '' ? 'index.html' : path
        const page = name.endsWith('.html') ? files.find(name, 'identity') : undefined
        const headers =
          page === undefined
            ? undefined
            : {
                'Content-Security-Policy': getOrInsert(policies, name, () =>
                  makePolicy(page.bytes.toString()),
                ),
                'Referrer-Policy': 'no-referrer',
              }
        await sendFile(request, response, files, name, headers)
        return response
      },
    })
  }
}

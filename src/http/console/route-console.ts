import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_PATH } from '../../auth/authorize/return-path.ts'
import type { Config } from '../../config/config.ts'
import { makeRefusalReply, PageRefusal } from '../pages/page-refusal.ts'
import { sendPage } from '../pages/send-page.ts'
import { type ConsoleFiles, openConsoleFiles } from './console-files.ts'
import { contentPolicy } from './content-policy.ts'
import { ASSETS, sendFile } from './send-file.ts'

const METHODS = ['GET', 'HEAD']

/** Stands in the built page for a value that is another one in each reply. */
const NONCE_PLACE = '__CSP_NONCE__'

/** All that the page loads comes from this server; styles that its code adds carry the nonce. */
const makePolicy = (nonce: string) => contentPolicy([], [`'nonce-${nonce}'`], ["worker-src 'self'"])

const notBuilt = () =>
  new PageRefusal(
    404,
    'The console is not built',
    'Run "npm run console:build" in the folder of the server, then load this page again.',
  )

async function sendConsolePage(response: FastifyReply, { page }: ConsoleFiles): Promise<void> {
  const nonce = randomBytes(18).toString('base64')
  await response
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': makePolicy(nonce),
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    })
    .send(page.replaceAll(NONCE_PLACE, nonce))
}

/** The screen for a page of the platform: `/lightning/r/Account/001…/view`, `/lightning/o/Account/list`. */
function findScreen(path: string): string {
  const [, kind, object, id] = path.split('?', 1)[0]!.split('/').slice(1)
  const isNamed = object !== undefined && /^\w+$/.test(object)
  if (kind === 'o' && isNamed) return `${CONSOLE_PATH}records/${object}`
  const isRecord = kind === 'r' && isNamed && id !== undefined && /^\w+$/.test(id) && id !== 'view'
  return isRecord ? `${CONSOLE_PATH}records/${object}/${id}` : CONSOLE_PATH
}

/** The answer to programs at the bare address. */
const NO_PAGE = {
  message: `Nothing is here: the API is at /services/data, tokens are at /services/oauth2/token, and the console is at ${CONSOLE_PATH}`,
  errorCode: 'NOT_FOUND',
  fields: [],
}

/** True if a person asks with a browser; programs take anything. */
const isBrowser = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html')

/**
 * Adds the web console, which is a page and its files: what it shows it asks the API for. Until it is opened nothing of it is
 * read. (docs/how-to/open-the-console.md)
 * @param folder with the built console; default where the build puts it
 */
export function routeConsole(
  server: FastifyInstance,
  { console: isServed }: Pick<Config, 'console'>,
  folder?: string,
): void {
  if (!isServed) return
  const options = { config: { endpoint: 'console' }, method: METHODS } as const
  let files: ConsoleFiles | undefined

  async function answer(request: FastifyRequest, response: FastifyReply): Promise<FastifyReply> {
    files ??= openConsoleFiles(folder)
    const name = (request.params as { readonly '*'?: string })['*'] ?? ''
    if (files === undefined) await sendPage(response, makeRefusalReply(notBuilt()))
    // Every other address is one of a screen, which the page itself shows.
    else if (name.startsWith(ASSETS) || /\.[a-z0-9]+$/.test(name))
      await sendFile(request, response, files, name)
    else await sendConsolePage(response, files)
    return response
  }

  for (const url of ['/console', `${CONSOLE_PATH}*`]) server.route({ ...options, url, handler: answer })
  // Clients of the platform open its pages.
  for (const url of ['/lightning', '/lightning/*'])
    server.route({
      ...options,
      url,
      handler: (request, response) =>
        response
          .code(302)
          .headers({ Location: findScreen(request.raw.url ?? ''), 'Cache-Control': 'no-store' })
          .send(),
    })
  server.route({
    ...options,
    url: '/',
    async handler(request, response) {
      response.header('Vary', 'Accept')
      if (!isBrowser(request)) return response.code(404).send([NO_PAGE])
      const mark = request.raw.url?.indexOf('?') ?? -1
      const query = mark < 0 ? '' : request.raw.url!.slice(mark)
      return response
        .code(302)
        .headers({ Location: `${CONSOLE_PATH}${query}`, 'Cache-Control': 'no-store' })
        .send()
    },
  })
}

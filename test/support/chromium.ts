import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Texts } from '../../src/config/config.ts'
import { type BrowserClient, openBrowserClient } from './browser-client.ts'
import { openPort } from './real-port.ts'

const CHROMIUM = process.env.OBJECTRY_CHROMIUM ?? '/usr/bin/chromium'

/** Options of the suites that need a browser. */
export const CHROMIUM_NEEDED = {
  skip: !existsSync(CHROMIUM) && `there is no browser at ${CHROMIUM}; OBJECTRY_CHROMIUM names another one`,
}

/** Where apps get their answers: a server that writes down what comes. */
export interface CallbackServer {
  readonly address: string
  /** Paths with their queries, in the order in which they came. */
  readonly came: string[]
  close(): Promise<void>
}

/** @param body what every page of the server shows */
export async function openCallbackServer(body = '<h1>Back in the app</h1>'): Promise<CallbackServer> {
  const came: string[] = []
  const server: Server = createServer((request, response) => {
    came.push(request.url ?? '')
    // No picture for the tab is asked for: it is not what is tested.
    response.setHeader('Content-Type', 'text/html').end(`<link rel="icon" href="data:,">${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    came,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A browser without a screen sometimes has no picture yet, and says so. */
export async function takePicture(page: Page, tries = 5): Promise<Buffer> {
  try {
    return await page.screenshot()
  } catch (error) {
    if (tries === 1 || !String(error).includes('Unable to capture')) throw error
    return takePicture(page, tries - 1)
  }
}

/** A page in a browser of its own, and what the browser complained about. */
interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
}

/** Chromium in front of an org over a real port. */
export interface ChromiumClient {
  readonly o: BrowserClient
  /** The org under its own host: `http://org-1.localhost:43217`. */
  readonly address: string
  readonly callback: CallbackServer
  open(options?: Parameters<Browser['newContext']>[0]): Promise<OpenPage>
  close(): Promise<void>
}

/** A browser without a window. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath: CHROMIUM,
    // Containers give little shared memory, and have no graphics card.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage', '--disable-gpu'],
  })
}

/** @param settings of the server, by their names, as texts */
export async function openChromiumClient(settings: Texts = {}): Promise<ChromiumClient> {
  const o = await openBrowserClient({ settings })
  const [port, callback, browser] = await Promise.all([
    openPort(undefined, settings),
    openCallbackServer(),
    launchChromium(),
  ])
  return {
    o,
    address: `http://${o.host}:${new URL(port.address).port}`,
    callback,
    async open(options) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      return { page, context, complaints }
    },
    async close() {
      await browser.close()
      await port.close()
      await callback.close()
    },
  }
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Texts } from '../../src/config/config.ts'
import { PASSWORD, USERNAME } from './browser-client.ts'
import { type ChromiumClient, openChromiumClient } from './chromium.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** A page of the console, with a user who has logged in. */
interface ConsolePage {
  readonly page: Page
  /** Opens an address below `/console`. */
  open(path: string): Promise<void>
  /** Nothing that the policy of the page forbids was tried, and nothing went wrong in its code. */
  assertQuiet(): void
  /** axe finds nothing serious. */
  assertAccessible(): Promise<void>
}

/** The built console in Chromium, in front of an org of its own. */
/** Waits for what moves and comes to an end. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => {})`

export interface ConsoleClient extends ChromiumClient {
  logIn(options?: {
    readonly username?: string
    readonly colorScheme?: 'light' | 'dark'
    readonly width?: number
  }): Promise<ConsolePage>
}

/** @param settings of the server, by their names, as texts */
export async function openConsoleClient(settings?: Texts): Promise<ConsoleClient> {
  const client = await openChromiumClient(settings)
  return {
    ...client,
    async logIn({ username = USERNAME, colorScheme = 'light', width = 1280 } = {}) {
      const { page, context } = await client.open({
        viewport: { width, height: 800 },
        colorScheme,
        acceptDownloads: true,
        // Pictures of moving parts would be compared half-way.
        reducedMotion: 'reduce',
      })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: client.address })
      page.setDefaultTimeout(45_000)
      const wrongs: string[] = []
      page.on('pageerror', (error) => wrongs.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy|Refused to/.test(message.text())) wrongs.push(message.text())
      })
      await page.goto(`${client.address}/console/`)
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('navigation', { name: 'Screens' }).waitFor()
      return {
        page,
        async open(path) {
          await page.goto(`${client.address}/console${path}`)
          await page.getByRole('navigation', { name: 'Screens' }).waitFor()
        },
        assertQuiet: () => assert.deepEqual(wrongs, []),
        async assertAccessible() {
          // What fades in has other colours until then.
          await page.evaluate(STILL)
          await page.evaluate(AXE)
          const violations = await page.evaluate(async () => {
            const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
            return (await axe.run()).violations
          })
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
          assert.deepEqual(
            serious.map(({ id, nodes }) => [
              id,
              nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 300)} ${failureSummary}`),
            ]),
            [],
          )
        },
      }
    },
  }
}

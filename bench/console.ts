import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { type ConsoleClient, openConsoleClient } from '../test/support/console-client.ts'
import { median } from './median.ts'

/*
 * Measures what people feel of the console, in Chromium without a window and without a graphics card:
 *
 *   NODE_ENV=test node bench/console.ts --rows 100000
 *
 * - the time from a reload, with the files in the browser's cache, to the first words of a screen
 * - frames per second, and the longest time between two, while the wheel scrolls through a result that was read to its end
 *
 * A frame is a call of requestAnimationFrame; a display of 60 Hz asks for one each 16.7 ms.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
})
const ROWS = Number(values.rows)
const ROUNDS = Number(values.rounds)

/** As many as a call takes. */
const BATCH = 200
const AT_ONCE = 4

async function fill({ o }: ConsoleClient): Promise<void> {
  const calls = Math.ceil(ROWS / BATCH)
  let made = 0
  const work = async () => {
    while (made < calls) {
      const call = made++
      const records = Array.from({ length: Math.min(BATCH, ROWS - call * BATCH) }, (_, index) => ({
        attributes: { type: 'Account' },
        Name: `Account ${String(call * BATCH + index).padStart(6, '0')}`,
        NumberOfEmployees: index,
        Phone: `+49 30 ${call}${index}`,
        BillingCity: 'Berlin',
      }))
      const { status, text } = await o.call('POST', '/composite/sobjects', { body: { records } })
      if (status !== 200) throw new Error(text)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

interface Frames {
  readonly perSecond: number
  readonly longestMs: number
  /** Rows that came by. */
  readonly rows: number
}

/** Turns the wheel for three seconds, and counts what is drawn meanwhile. */
async function scroll(page: Page, stepPx: number): Promise<Frames> {
  const box = (await page.getByRole('grid', { name: 'Result' }).boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(`
    globalThis.frames = []
    globalThis.isOver = false
    requestAnimationFrame(function frame(at) {
      globalThis.frames.push(at)
      if (!globalThis.isOver) requestAnimationFrame(frame)
    })`)
  const begun = performance.now()
  while (performance.now() - begun < 3000) await page.mouse.wheel(0, stepPx)
  const { frames, top } = await page.evaluate<{ frames: number[]; top: number }>(`
    globalThis.isOver = true,
    ({ frames: globalThis.frames, top: document.querySelector('[role=grid]').scrollTop })`)
  const gaps = frames.slice(1).map((at, index) => at - frames[index]!)
  return {
    perSecond: (gaps.length * 1000) / (frames.at(-1)! - frames[0]!),
    longestMs: Math.max(...gaps),
    rows: Math.round(top / 31),
  }
}

async function timeScreen(page: Page, address: string, awaited: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await page.getByText(awaited, { exact: true }).first().waitFor()
    times.push(performance.now() - begun)
  }
  return median(times)
}

const client = await openConsoleClient()
try {
  const { page, open } = await client.logIn()
  console.log('| screen | ms until its first words |\n|---|---|')
  for (const [path, awaited] of [
    ['/', 'Try first'],
    ['/query', 'Run'],
    ['/records', 'Accounts'],
    ['/calls', 'Live: new calls come by themselves.'],
  ] as const) {
    const ms = await timeScreen(page, `${client.address}/console${path}`, awaited)
    console.log(`| ${path} | ${Math.round(ms)} |`)
  }
  await fill(client)
  page.setDefaultTimeout(300_000)
  await open('/query')
  await page.getByLabel('Query', { exact: true }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(
    'SELECT Id, Name, NumberOfEmployees, Phone, BillingCity, Owner.Name, CreatedDate FROM Account ORDER BY Name',
  )
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^2,000 of/).waitFor()
  const begun = performance.now()
  await page.getByRole('button', { name: 'All pages' }).click()
  await page.getByText(new RegExp(`^${ROWS.toLocaleString('en-GB')} rows`)).waitFor()
  console.log(`\n${ROWS} rows read in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  console.log('\n| wheel, px a turn | rows passed | frames/s | longest gap, ms |\n|---|---|---|---|')
  for (const step of [100, 1000, 20_000]) {
    const { perSecond, longestMs, rows } = await scroll(page, step)
    console.log(`| ${step} | ${rows} | ${perSecond.toFixed(1)} | ${longestMs.toFixed(0)} |`)
  }
} finally {
  await client.close()
}
process.exit()

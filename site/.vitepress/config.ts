import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const PAGES = join(import.meta.dirname, '../pages')

/** The pages of a folder by their titles. */
function itemsOf(folder: string) {
  return globSync('*.md', { cwd: join(PAGES, folder) })
    .map((file) => {
      const [, title = file] = /^# (.+)$/m.exec(readFileSync(join(PAGES, folder, file), 'utf8')) ?? []
      return { text: title.replaceAll('`', ''), link: `/${folder}/${file.replace(/\.md$/, '')}` }
    })
    .sort((a, b) => a.text.localeCompare(b.text, 'en', { numeric: true }))
}

/** The anchor of a heading as GitHub makes it, which the links between pages are written for. */
const slugify = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

export default defineConfig({
  title: 'Objectry',
  description: 'A record platform that you host yourself',
  // Where the server has it; `SITE_BASE=/` for a host of its own.
  base: process.env.SITE_BASE ?? '/docs/',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './node_modules/.vitepress',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { html: false, anchor: { slugify } },
  // A link to an example leads to a file, not to a page.
  ignoreDeadLinks: ['localhostLinks', /^http:\/\/localhost/, /^\/examples\//, /^\/LICENSE$/],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/tutorials/first-records' },
      { text: 'API', link: '/reference/api/README' },
      { text: 'Command line', link: '/reference/command-line' },
      { text: 'What changed', link: '/CHANGELOG' },
    ],
    sidebar: [
      { text: 'Tutorials', items: itemsOf('tutorials') },
      { text: 'How to', items: itemsOf('how-to') },
      { text: 'Reference', items: itemsOf('reference') },
      { text: 'Reference: the API', collapsed: true, items: itemsOf('reference/api') },
      { text: 'Explanation', items: itemsOf('explanation') },
      { text: 'Decisions', collapsed: true, items: itemsOf('adr') },
    ],
  },
})

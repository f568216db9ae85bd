import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { build } from 'vitepress'

/*
 * Builds the documentation as web pages into `site/dist`: the Markdown files of the repository as they are, with their links made those of pages.
 * `npm run docs:build`.
 */

const SITE = import.meta.dirname
const ROOT = join(SITE, '..')
const PAGES = join(SITE, 'pages')

/** The page of a Markdown file, by its path in the repository. */
const pageOf = (path: string) => (path === 'README.md' ? 'index.md' : path.replace(/^docs\//, ''))

const FILES = ['{README,CHANGELOG,SECURITY}.md', 'docs/**/*.md', 'examples/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((file) => file.replaceAll('\\', '/'))

/** Folders that a link may lead to, by the page that stands for each. */
const FIRST_PAGES: Readonly<Record<string, string>> = {
  'docs/adr': 'docs/adr/0001-architecture.md',
  examples: 'examples/README.md',
}

/**
 * Where a link leads on the site. What is no page is a file beside the pages, for those who follow a link to an example.
 * @returns undefined: what it leads to is for those who work on the code, and not on the site
 */
function targetOf(target: string, from: string): string | undefined {
  if (/^[a-z]+:|^#/.test(target)) return target
  const [file = '', anchor] = target.split('#')
  const linked = posix.join(posix.dirname(from), file)
  const path = FIRST_PAGES[linked] ?? linked
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (FILES.includes(path) || path.startsWith('docs/images/')) return relative(from, path) + hash
  return path.startsWith('examples/') || path === 'LICENSE' ? `/${path}` : undefined
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(pageOf(from)), pageOf(to))
  return path.startsWith('.') ? path : `./${path}`
}

const CODE = /^( *)```[\s\S]*?^\1```$|`[^`\n]*`/gm

/** Does something to the text of a page and not to the code on it. */
function changeProse(markdown: string, change: (text: string) => string): string {
  let changed = ''
  let end = 0
  for (const match of markdown.matchAll(CODE)) {
    changed += change(markdown.slice(end, match.index)) + match[0]
    end = match.index + match[0].length
  }
  return changed + change(markdown.slice(end))
}

function makePage(path: string): string {
  const markdown = readFileSync(join(ROOT, path), 'utf8')
  // The text of a link may be code, so links are changed as a whole.
  const linked = markdown.replaceAll(
    /\[((?:`[^`]*`|[^\][])*)\]\(([^)\s]+)\)/g,
    (_, text: string, target: string) => {
      const leads = targetOf(target, path)
      return leads === undefined ? text : `[${text}](${leads})`
    },
  )
  // Comments are for the tests of the pages.
  return changeProse(linked, (text) => text.replaceAll(/<!--[\s\S]*?-->\n?/g, ''))
}

rmSync(PAGES, { recursive: true, force: true })
for (const path of FILES) {
  const page = join(PAGES, pageOf(path))
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, makePage(path))
}
cpSync(join(ROOT, 'docs/images'), join(PAGES, 'images'), { recursive: true })
for (const name of ['examples', 'LICENSE']) {
  cpSync(join(ROOT, name), join(PAGES, 'public', name), {
    recursive: true,
    filter: (file) => !file.endsWith('.md'),
  })
}
await build(SITE)

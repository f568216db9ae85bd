import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `npm run console:dev` finds a server. */
const SERVER = process.env.OBJECTRY_SERVER ?? 'http://127.0.0.1:8080'

/** What the server answers itself. */
const SERVER_PATHS =
  '^/(services|setup|secur|id|login|logout|change-password|healthz|readyz|metrics|\\.well-known)(/|\\?|$)'

/** Libraries that several screens load when they are first opened, each as a file of its own; the last takes what several need. */
const SHARED: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['graphql-editor', /node_modules\/(graphql|cm6-graphql|graphql-language-service)\//],
  [
    'editor',
    /node_modules\/(@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)\/|\/src\/components\/editor\//,
  ],
  ['grid', /node_modules\/@tanstack\/(react-virtual|virtual-core)\/|\/src\/components\/grid\//],
]

/** Puts the links of the styles behind the skeleton of the page, which is drawn before they have come. */
const stylesLast: Plugin = {
  name: 'styles-last',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
      const rest = links.reduce((page, link) => page.replace(link, ''), html)
      return rest.replace('  </body>', () => `${links.join('')}  </body>`)
    },
  },
}

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  plugins: [react(), stylesLast],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2023',
    // Those that know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts and pictures in data: addresses are no part of the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      // Mantine's files say "use client", which means nothing here.
      onLog: (level, log, print) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log)
      },
      output: {
        codeSplitting: {
          groups: [
            ...SHARED.map(([name, test], index) => ({ name, test, priority: index })),
            // What several files need, before anything that needs it: one file instead of dozens, each of which is a request.
            {
              name: 'common',
              test: (id: string) => !SHARED.some(([, pattern]) => pattern.test(id)),
              minShareCount: 2,
              priority: SHARED.length,
            },
          ],
        },
      },
    },
  },
  server: {
    // The origin that --console-origin names.
    host: 'localhost',
    port: 5173,
    strictPort: true,
    proxy: { [SERVER_PATHS]: { target: SERVER, changeOrigin: false } },
  },
})

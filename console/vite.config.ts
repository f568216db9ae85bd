import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run console:dev` finds a server. */
const SERVER = process.env.OBJECTRY_SERVER ?? 'http://127.0.0.1:8080'

/** What the server answers itself. */
const SERVER_PATHS =
  '^/(services|setup|secur|id|login|logout|change-password|healthz|readyz|metrics|\\.well-known)(/|\\?|$)'

/** Libraries that several screens load when they are first opened, each as a file of its own; the last takes what several need. */
const SHARED: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['graphql-editor', /node_modules\/(graphql|cm6-graphql|graphql-language-service)\//],
  ['editor', /node_modules\/(@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)\//],
]

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  plugins: [react()],
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
        codeSplitting: { groups: SHARED.map(([name, test], index) => ({ name, test, priority: index })) },
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

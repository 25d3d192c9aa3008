import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { join } from 'node:path'
import { pageFiles } from './page-files.ts'
import { precompress } from './precompress.ts'
import { reachable } from './reachable.ts'

/** The server that `npm run dev` also starts. */
const server = 'http://127.0.0.1:4000'

const modulesOf = (...paths: string[]): Set<string> => new Set(paths.flatMap((path) => [...reachable(join(import.meta.dirname, path))]))
/** The modules that a visitor needs first. */
const start = modulesOf('main.tsx', 'auth/sign-in-page.tsx')
/** The modules of pages that need little more than the start. */
const small = modulesOf(
  ...['home/home-page', 'auth/forgot-password-page', 'auth/reset-password-page', 'auth/invitation-page'].map((name) => `${name}.tsx`),
)
/** The modules of the frame around all pages of an organization. */
const frame = modulesOf('shell/organization-frame.tsx')
const isSdk = (id: string): boolean => id.includes('/sdk/')

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), pageFiles(), precompress()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  // The server replaces this placeholder with a nonce in each response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2023',
    // verify.html is the page /verify, without the dashboard's code.
    rolldownOptions: {
      input: ['index.html', 'verify.html'].map((name) => join(import.meta.dirname, name)),
      // The first load names all files: without their names, it is 4 kB smaller.
      output: {
        chunkFileNames: 'assets/[hash].js',
        // Modules that most pages share are one file. As forty small files, the first load is 14 kB larger. The SDK stays outside,
        // because the page /verify loads a part of it and nothing else.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // With its dependencies, because the files would import each other otherwise.
            { name: 'common', priority: 3, minShareCount: 28, includeDependenciesRecursively: true, test: (id) => !isSdk(id) },
            { name: 'frame', priority: 2, test: (id) => frame.has(id) && !start.has(id) },
            // One file for what few pages share would be smaller for each of them, but 15 more requests.
            { name: 'pages', priority: 1, minShareCount: 4, test: (id) => !isSdk(id) && !start.has(id) && !small.has(id) },
          ],
        },
      },
    },
    // The content security policy blocks inlined assets.
    assetsInlineLimit: 0,
    // dashboard/first-load.test.ts limits the size of the first load, so chunk sizes do not matter.
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': server, '/auth': server } },
})

import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { join } from 'node:path'
import { precompress } from './precompress.ts'

/** The server that `npm run dev` also starts. */
const server = 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), precompress()],
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
          groups: [{ name: 'common', minShareCount: 28, test: (id) => !id.includes('/sdk/') }],
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

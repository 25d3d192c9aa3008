import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { precompress } from './precompress.ts'

/** The program that `npm run dev` starts beside this server. */
const program = 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), precompress()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  // The program puts the nonce of each answer in its place.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2023',
    // What is inlined would be refused by the page's policy.
    assetsInlineLimit: 0,
    // Pages differ in size; what counts is the first load, which dashboard/first-load.test.ts bounds.
    chunkSizeWarningLimit: 1000,
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': program, '/auth': program } },
})

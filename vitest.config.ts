import { defineConfig } from 'vitest/config'

/** What knows nothing of the store, and what is about documents, pages and browsers: one store is enough for them. */
const onceOnly = [
  '{api,sdk,cli,bench,dashboard}/**',
  'server/{lib,outbound,storage,db/embedded}/**',
  'server/knowledge/{extract,chunk,embed,render,video}/**',
  'e2e/dashboard/**',
  'e2e/{build,every-kind,hostile,rendering,walls,youtube}.test.ts',
  'e2e/{fresh-clone,outbound-connections}.full.test.ts',
]

/** Tests that take longer than 20 s, or need root or long load: run by `npm run test:full`, or where the command names them. */
const fullOnly = ['**/*.full.test.ts']
const namesFull = process.argv.some((word) => word.includes('.full.test'))

export default defineConfig(({ mode }) => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{api,server,sdk,cli,dashboard,e2e,bench}/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      ...(mode === 'full' || namesFull ? [] : fullOnly),
      ...(process.env['TEST_DATABASE_URL'] === undefined ? [] : onceOnly),
    ],
    globalSetup: ['server/testing/template.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // They offer their TypeScript under the condition `source`, which Node would not read.
    server: { deps: { inline: [/@modelcontextprotocol/, /eventsource/] } },
  },
}))

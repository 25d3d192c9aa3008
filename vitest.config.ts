import { defineConfig } from 'vitest/config'

/** What knows nothing of the store, and what is about documents, pages and browsers: one store is enough for them. */
const onceOnly = [
  '{api,sdk,cli,bench,dashboard}/**',
  'server/{lib,outbound,storage,db/embedded}/**',
  'server/knowledge/{extract,chunk,embed,render,video}/**',
  'e2e/dashboard/**',
  'e2e/{every-kind,hostile,rendering,youtube}.test.ts',
]

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{api,server,sdk,cli,dashboard,e2e,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(process.env['TEST_DATABASE_URL'] === undefined ? [] : onceOnly)],
    globalSetup: ['server/testing/template.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // They offer their TypeScript under the condition `source`, which Node would not read.
    server: { deps: { inline: [/@modelcontextprotocol/, /eventsource/] } },
  },
})

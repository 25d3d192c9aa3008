import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['{api,server,sdk,cli,dashboard,e2e,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/testing/template.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // They offer their TypeScript under the condition `source`, which Node would not read.
    server: { deps: { inline: [/@modelcontextprotocol/, /eventsource/] } },
  },
})

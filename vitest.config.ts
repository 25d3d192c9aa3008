import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests without a database, and tests of documents, pages, browsers, clients, protocols and other servers, whose queries further tests
 * cover: the embedded engine is enough for them.
 */
const onceOnly = [
  '{api,sdk,cli,bench,dashboard}/**',
  'server/{lib,outbound,pdf,storage,db/embedded}/**',
  'server/knowledge/{extract,chunk,embed,render,video}/**',
  'server/knowledge/crawl/{address,crawl,glob,merge,robots,site-peer}.test.ts',
  'server/knowledge/{evaluations/measure,index/{analyze,inverted-index,lower-bound,rank,vectors},ingest/page,rerank/remote,search/citations}.test.ts',
  'server/{events/upgrades,http/accept,http/client,http/file,http/serve-dashboard}.test.ts',
  'server/{proposals/pdf/sealed-pdf,proposals/same-figures,proposals/content-hash,proposals/states,proposals/totals,tokens/secret,tokens/secret-scanning,webhooks/guide}.test.ts',
  'e2e/dashboard/**',
  'server/http/{allowed-bodies,isolation-guard,messages}.test.ts',
  'server/integrations/**',
  'server/identity/{auth-error,session,oidc/oidc}.test.ts',
  'server/audit/every-change.test.ts',
  'server/{config,deployment,security-page}.test.ts',
  'server/{files,guides,tracing,widget}/**',
  'server/http/{cors,docs,exchanges,https,precompressed,proposal-choices,proposal-pages,send-text,serve-metrics}.test.ts',
  'server/knowledge/{answers,preview,rerank}/**',
  'server/knowledge/{index/{compounds,index-files,search-threads},ingest/poison,reindex/together}.test.ts',
  'server/knowledge/search/{confidence,conversation,explain,highlights,latency-budget,neighbours,partial,passage-units,passage-words,query-competence,rerank}.test.ts',
  'server/proposals/{page,pdf,sections,words}/**',
  'server/proposals/{money,money-docs,preview,preview-page}.test.ts',
  'server/proposals/mail/{add-days,reminder-days,template}.test.ts',
  'server/{contacts/search-quality,contact-duplicates/quality}.test.ts',
  'e2e/{build,contributing,contributing-commands,dependencies,every-kind,hostile,npm-start,package,real-documents,rendering,sdk-package,walls,youtube}.test.ts',
  'e2e/{administer,command-line,groundwork,guides,installation,key-rotation,metrics,model-change,operation-pages,proposal-page,proxy,remote-embedder,reranker,sdk,tokens,tour,tracing,upgrade,widget}.test.ts',
  'e2e/{fresh-clone,outbound-connections}.full.test.ts',
]

/**
 * Tests of backups, which use both engines on PostgreSQL, of several processes, and of the policies that keep organizations apart.
 * `npm run test:slow` leaves them to `npm run test:pg`; on the embedded engine, they run by name and in `npm run test:full`.
 */
const onServerOnly = ['e2e/{drain,object-storage,roles}.test.ts', 'server/backup/backup.test.ts', 'server/http/isolation.test.ts']

/**
 * Thousands of requests, many documents at once, repeated kills and starts of the program, the package, the commands of the guides, and
 * examples in other languages: run by `npm run test:full` alone. Shorter tests of the same behavior are beside them or in the modules.
 */
const longRuns = [
  'server/contact-duplicates/quality.test.ts',
  'server/http/{allowed-bodies,isolation-guard,messages,naughty-strings}.test.ts',
  'e2e/{administer,backup,certificates,contact-kills,contributing-commands,crawl,former-versions,hostile,index-files,installation,key-rotation,mail-kills,model-change,move-organization,operation-pages,package,proposal-numbers,reindex,rendering,repeated-kills,webhooks,youtube}.test.ts',
  'server/knowledge/{crawl/site-peer,ingest/large-source}.test.ts',
  'server/webhooks/guide.test.ts',
]

/** On PostgreSQL, `npm run test:full` alone runs these too. */
const longOnPostgres = ['server/http/fuzz.test.ts', 'e2e/kill.test.ts']

/** Tests of the built program, of a browser, of whole models, of kills, of many documents, of many requests or of many random cases: `npm test` leaves them to `npm run test:slow`. */
const slowOnly = [
  'api/totals-properties.test.ts',
  'bench/extract.test.ts',
  'e2e/**/!(contributing).test.ts',
  'server/http/{fuzz,isolation}.test.ts',
  'server/contacts/search-quality.test.ts',
  'server/knowledge/{ingest/poison,reindex/together}.test.ts',
  'sdk/verify-certificates.test.ts',
  'server/backup/backup.test.ts',
  'server/db/embedded/{durability,lock,restart}.test.ts',
  'server/knowledge/embed/folder/folder-embedder.test.ts',
  'server/{lib/processor-deadline,pdf/renderer,proposals/sections/hostile,proposals/pdf/sealed-pdf,proposals/same-figures}.test.ts',
  'server/knowledge/{crawl/crawl,extract/{damaged,extractor,large-tables,parse},render/renderer,search/citations}.test.ts',
]

/** Tests that need root, long load, or a server that they restart: run by `npm run test:full` alone. */
const fullOnly = ['**/*.full.test.ts']

/** Files of many seconds. They begin first: a file that begins last would run alone. */
const longest =
  /(?:e2e\/(?:backup|move-organization|contributing-commands|certificates|kill|repeated-kills|installation|reindex|webhooks|crawl|mail-kills|roles|hostile|rendering|drain|groundwork|sdk|object-storage|former-versions|key-rotation|dashboard\/(?:forms|frame|home|playground|contacts|contacts-list|contacts-import|knowledge|proposals|sign-in))|server\/(?:backup\/backup|http\/(?:isolation|isolation-guard|messages|fuzz|naughty-strings)|pdf\/renderer|proposals\/(?:same-figures|pdf\/sealed-pdf)|jobs\/jobs|db\/embedded\/durability|knowledge\/(?:crawl\/(?:crawl|site-peer)|embed\/folder\/folder-embedder|extract\/large-tables|render\/renderer|search\/citations)))\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files) // oxlint-disable-line unicorn/no-array-sort -- a method of the sequencer
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const everyTest = ['{api,server,sdk,cli,dashboard,e2e,bench}/**/*.test.ts']

interface Tier {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

const onPostgres = process.env['TEST_DATABASE_URL'] !== undefined
const named = process.argv.slice(2).filter((word) => !word.startsWith('-') && !['run', 'list'].includes(word))

const ordinary: Tier = { include: everyTest, exclude: [...slowOnly, ...longRuns, ...fullOnly] }
const ofNames: Tier = { include: everyTest, exclude: fullOnly }
const full: Tier = { include: everyTest, exclude: [] }

/** The files of `--mode`; without it, of `npm test`. */
const tiers: Readonly<Record<string, Tier>> = {
  slow: { include: slowOnly, exclude: [...longRuns, ...onServerOnly, ...fullOnly] },
  all: { include: everyTest, exclude: [...longRuns, ...(onPostgres ? longOnPostgres : []), ...fullOnly] },
  full,
}
/** Files that the command names run in any mode; those of `fullOnly` by their whole names. */
function tierOf(mode: string): Tier {
  if (mode === 'full' || named.some((word) => word.includes('.full.test'))) return full
  return named.length > 0 ? ofNames : (tiers[mode] ?? ordinary)
}

const evaluationData = fileURLToPath(new URL('../shared/eval', import.meta.url))

/** The length of the long forms in `npm run test:full`, and larger material if it is next to the repository. */
const longForms = {
  ENGINE_KILLS: '20',
  ENGINE_SEARCHES: '10000',
  FORMS: 'every',
  FUZZ_REQUESTS: '20000',
  KILL_SECONDS: '180',
  KILL_SOURCES: '200',
  MAILS: '1000',
  MOVES: 'both',
  OUTAGE_SECONDS: '60',
  POOLED_REQUESTS: '10000',
  RANDOM_TOTALS: '10000',
  SAME_FIGURES: '10000',
  SCROLLED_CONTACTS: '10000',
  SEALED_PDFS: '50',
  TABLE_ROWS: '1000000',
  THEMES: 'both',
  UPLOADED_FILES: '202',
  WEBHOOK_EVENTS: '2000',
  WIDTHS: 'both',
  ...(existsSync(evaluationData) && { EVALUATION_DATA: evaluationData }),
}

export default defineConfig(({ mode }) => {
  const tier = tierOf(mode)
  return {
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source'] } },
    test: {
      include: [...tier.include],
      exclude: ['**/node_modules/**', '**/dist/**', ...tier.exclude, ...(onPostgres ? onceOnly : [])],
      globalSetup: ['server/testing/template.ts'],
      // Threads and child processes of the sources start twice as fast from the program that `npm test` has built.
      setupFiles: process.env['BUILT'] === 'yes' ? ['server/testing/run-built-entries.ts'] : [],
      env: mode === 'full' ? { ...longForms, ...process.env } : {},
      // Long enough for a machine that runs other programs too.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      pool: 'forks',
      // More than the two processors of a small machine: many tests wait.
      maxWorkers: 3,
      // A process loads the server once for all its test files, not for each. Files restore what they change of the process.
      isolate: false,
      // All processors are busy: threads of the garbage collector take more time than they save.
      execArgv: ['--single-threaded-gc'],
      sequence: { sequencer: LongestFirst },
      // They offer their TypeScript under the condition `source`, which Node would not read.
      server: { deps: { inline: [/@modelcontextprotocol/, /eventsource/] } },
    },
  }
})

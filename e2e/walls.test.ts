import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const imports = (from: string, name = 'thing') => `import { ${name} } from '${from}'\nexport const kept = ${name}\n`
const asksNetwork = `export const ask = () => fetch('http://localhost')\n`
const readsEnvironment = `export const port = process.env['PORT']\n`

type Fixture = [file: string, text: string]

const broken: Record<string, Fixture[]> = {
  'no-restricted-imports': [
    ['server/contacts/fastify.ts', imports('fastify', 'fastify')],
    ['server/outbound/fastify.ts', imports('fastify', 'fastify')],
    ['server/main.ts', imports('fastify', 'fastify')],
    ['server/contacts/plugin.ts', imports('@fastify/static')],
    ['server/contacts/http.ts', imports('../http/app.ts')],
    ['server/contacts/http-type.ts', `import type { App } from '../http/app.ts'\nexport type Kept = App\n`],
    ['server/contacts/testing.ts', imports('../testing/app.ts')],
    ['server/knowledge/search/http.ts', imports('../../http/app.ts')],
    ['server/cli.ts', imports('./http/app.ts')],
    ['server/contacts/undici.ts', imports('undici', 'request')],
    ['server/contacts/undici-late.ts', `export const undici = await import('undici')\n`],
    ['server/contacts/undici-again.ts', `export { request } from 'undici'\n`],
    ['server/contacts/https.ts', imports('node:https', 'request')],
    ['server/http/undici.ts', imports('undici', 'request')],
    ['server/contacts/environment-import.ts', imports('node:process', 'env')],
    ['server/knowledge/embed/runtime.ts', imports('onnxruntime-node', 'InferenceSession')],
    ['server/http/runtime.ts', imports('onnxruntime-node', 'InferenceSession')],
    ['server/jobs/room.ts', imports('../contacts/create.ts')],
    ['server/jobs/context.ts', imports('../context.ts')],
    ['server/jobs/contract.ts', imports('@groundwork/api')],
    ['server/lib/room.ts', imports('../db/database.ts')],
    ['server/contacts/search.ts', `import type { KnowledgeContext } from '../knowledge/context.ts'\nexport type Kept = KnowledgeContext\n`],
    ['server/proposals/platform.ts', `import type { Platform } from '../platform.ts'\nexport type Kept = Platform\n`],
    ['api/node.ts', imports('node:fs')],
    ['api/package.ts', imports('pg')],
    ['api/server.ts', imports('../server/lib/ids.ts')],
    ['sdk/contract.ts', imports('@groundwork/api', 'api')],
    ['sdk/contract-again.ts', `export { api } from '@groundwork/api'\n`],
    ['sdk/contract-late.ts', `export const contract = await import('@groundwork/api')\n`],
    ['sdk/server.ts', `import type { Database } from '@groundwork/server/db/schema'\nexport type Kept = Database\n`],
    ['sdk/api-file.ts', imports('../api/errors.ts')],
    ['sdk/node.ts', imports('node:crypto', 'randomUUID')],
    ['sdk/node-bare.ts', imports('crypto', 'randomUUID')],
    ['sdk/package.ts', imports('zod', 'z')],
    ['cli/server.ts', imports('@groundwork/server/config')],
    ['cli/server-late.ts', `export const config = await import('@groundwork/server/config')\n`],
    ['cli/server-file.ts', imports('../server/config.ts')],
    ['cli/main.ts', imports('@groundwork/server/cli')],
    ['cli/https.ts', imports('node:https', 'request')],
    ['dashboard/contract.ts', imports('@groundwork/api', 'api')],
    ['dashboard/contract-part.ts', imports('@groundwork/api/errors')],
    ['dashboard/room/server.tsx', imports('../../server/lib/ids.ts')],
    ['dashboard/program.ts', imports('@groundwork/server/config')],
    ['server/knowledge/extract/higher.ts', imports('../chunk/chunk.ts')],
    ['server/knowledge/embed/higher.ts', imports('../index/vectors.ts')],
    ['server/knowledge/render/higher.ts', imports('../crawl/visit.ts')],
    ['server/knowledge/index/higher.ts', imports('../rows/bases.ts')],
    ['server/knowledge/index/kernel/higher.ts', imports('../../search/retrieve.ts')],
    ['server/knowledge/uploads/higher.ts', imports('../ingest/pipeline.ts')],
    ['server/knowledge/rows/higher.ts', imports('../bases/bases.ts')],
    ['server/knowledge/crawl/higher.ts', imports('../ingest/pipeline.ts')],
    ['server/knowledge/ingest/higher.ts', imports('../reindex/source-changes.ts')],
    ['server/knowledge/ingest/higher-late.ts', `export const reindex = await import('../reindex/source-changes.ts')\n`],
    ['server/knowledge/ingest/higher-type.ts', `import type { ReindexRow } from '../reindex/rows.ts'\nexport type Kept = ReindexRow\n`],
    ['server/knowledge/ingest/higher-again.ts', `export { thing } from '../sources/sources.ts'\n`],
    ['server/knowledge/sources/higher.ts', imports('../reindex/source-changes.ts')],
    ['server/knowledge/search/higher.ts', imports('../evaluations/evaluate.ts')],
    ['server/knowledge/evaluations/higher.ts', imports('../reindex/compare.ts')],
    ['server/knowledge/reindex/higher.ts', imports('../bases/update.ts')],
    ['server/knowledge/sources/subscribers.ts', imports('../subscriptions.ts')],
    ['server/identity/higher.ts', imports('../organizations/create.ts')],
    ['server/mail/higher.ts', imports('../members/members.ts')],
    ['server/members/higher.ts', imports('../setup/setup.ts')],
    ['server/identity/oidc/higher.ts', imports('../../mail/send.ts')],
    ['server/knowledge/render/undici.ts', imports('undici', 'request')],
    ['server/members/http.ts', imports('../http/app.ts')],
    ['server/work.ts', imports('./http/app.ts')],
    ['server/db/fastify.ts', imports('fastify', 'fastify')],
    ['e2e/server.ts', imports('../server/main.ts')],
    ['e2e/server.test.ts', imports('@groundwork/server/config')],
  ],
  'no-restricted-globals': [
    ['server/contacts/fetch.ts', asksNetwork],
    ['server/contacts/fetch-global.ts', `export const ask = () => globalThis.fetch('http://localhost')\n`],
    ['server/http/fetch.ts', asksNetwork],
    ['api/fetch.ts', asksNetwork],
    ['cli/fetch.ts', asksNetwork],
    ['sdk/environment.ts', readsEnvironment],
    ['sdk/buffer.ts', `export const kept = Buffer.from('kept')\n`],
  ],
  'no-restricted-properties': [
    ['server/contacts/environment.ts', readsEnvironment],
    ['server/contacts/environment-taken.ts', `const { env } = process\nexport const kept = env\n`],
    ['server/contacts/environment-global.ts', `export const kept = globalThis.process.env\n`],
    ['server/http/environment.ts', readsEnvironment],
    ['server/outbound/environment.ts', readsEnvironment],
    ['api/environment.ts', readsEnvironment],
    ['cli/environment.ts', readsEnvironment],
    ['server/contacts/database.ts', `export const all = (ctx: { db: { all(): number } }) => ctx.db.all()\n`],
    [
      'server/contacts/database-taken.ts',
      `export const all = (ctx: { db: { all(): number } }) => {\n  const { db } = ctx\n  return db.all()\n}\n`,
    ],
    ['server/contacts/pool.ts', `export const all = (store: { pool: { all(): number } }) => store.pool.all()\n`],
    ['server/http/database.ts', `export const all = (ctx: { db: { all(): number } }) => ctx.db.all()\n`],
  ],
  'no-cycle': [
    ['server/companies/one.ts', `import { two } from './two.ts'\nexport const one = (): number => two()\n`],
    ['server/companies/two.ts', `import { one } from './one.ts'\nexport const two = (): number => one()\n`],
  ],
  'no-explicit-any': [['server/lib/any.ts', `export const loose = (value: any) => value\n`]],
  'no-non-null-assertion': [['server/lib/non-null.ts', `export const first = (list: string[]) => list[0]!\n`]],
  'no-floating-promises': [['server/lib/floating.ts', `const later = async () => 1\nexport const start = () => {\n  later()\n}\n`]],
  'no-misused-promises': [['server/lib/misused.ts', `const later = async () => true\nexport const start = () => (later() ? 1 : 2)\n`]],
}

const allowed: Fixture[] = [
  ['server/http/app.ts', `${imports('fastify', 'fastify')}export { create } from '../contacts/create.ts'\n`],
  ['server/outbound/request.ts', `${imports('undici', 'request')}${asksNetwork}`],
  ['server/program.ts', imports('./http/app.ts')],
  ['server/context.ts', `export const all = (ctx: { db: { all(): number } }) => ctx.db.all()\n`],
  ['server/config.ts', readsEnvironment],
  ['server/knowledge/embed/tensor.ts', `import type { Tensor } from 'onnxruntime-node'\nexport type Kept = Tensor\n`],
  ['server/knowledge/rows/lower.ts', `${imports('../index/write.ts')}export { other } from '../uploads/uploads.ts'\n`],
  ['server/knowledge/reindex/lower.ts', `${imports('../ingest/pipeline.ts')}export { other } from '../evaluations/evaluate.ts'\n`],
  ['server/knowledge/reindex/lower.test.ts', imports('../bases/bases.ts')],
  ['server/identity/type.ts', `import type { Mailer } from '../mail/mailer.ts'\nexport type Kept = Mailer\n`],
  ['server/setup/lower.ts', `${imports('../identity/me.ts')}export { other } from '../organizations/create.ts'\n`],
  ['server/contacts/create.ts', `${imports('../jobs/enqueue.ts')}export { other } from '../companies/other.ts'\n`],
  ['server/contacts/create.test.ts', `${imports('../http/app.ts')}${asksNetwork}${readsEnvironment}`],
  ['server/testing/app.ts', `${imports('../http/app.ts')}${readsEnvironment}`],
  ['server/jobs/enqueue.ts', `${imports('../db/database.ts')}export { id } from '../lib/ids.ts'\nexport { PgBoss } from 'pg-boss'\n`],
  ['server/lib/ids.ts', imports('./time.ts')],
  ['api/contacts.ts', `${imports('zod', 'z')}export { route } from './route.ts'\n`],
  [
    'sdk/transport.ts',
    `import type { Contact } from '@groundwork/api'\n${imports('./errors.ts')}${asksNetwork}export type Kept = Contact\n`,
  ],
  ['sdk/types.ts', `export type { Contact } from '@groundwork/api'\n`],
  ['sdk/generate.ts', `${imports('@groundwork/api', 'api')}export { readFileSync } from 'node:fs'\n`],
  ['cli/operator.ts', `export const run = () => import('@groundwork/server/cli')\n`],
  [
    'cli/bases.ts',
    `${imports('@groundwork/sdk', 'Groundwork')}export { Base } from '@groundwork/api'\nexport { stat } from 'node:fs/promises'\n`,
  ],
  [
    'dashboard/module.ts',
    `import type { Base } from '@groundwork/api'\n${imports('@groundwork/sdk', 'Groundwork')}${asksNetwork}export type Kept = Base\n`,
  ],
  ['dashboard/total.ts', imports('@groundwork/api/money', 'totalsOf')],
  ['dashboard/source.ts', imports('@groundwork/api/source-types', 'hasPages')],
  ['dashboard/states.ts', imports('@groundwork/api/proposal-states', 'proposalStates')],
  ['dashboard/sentence.ts', imports('@groundwork/api/counter-signature', 'counterSignatureWording')],
  ['e2e/start.ts', `${imports('node:child_process', 'spawn')}${asksNetwork}${readsEnvironment}`],
  ['bench/search.ts', `${imports('@groundwork/server/main')}${asksNetwork}${readsEnvironment}`],
]

/** Runs oxlint with the repository's configuration and returns the violated rules per file. */
async function lint(folder: string): Promise<Map<string, Set<string>>> {
  const oxlint = join(root, 'node_modules/.bin/oxlint')
  const output = await promisify(execFile)(oxlint, ['--format=json', 'api', 'server', 'sdk', 'cli', 'dashboard', 'e2e', 'bench'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error)
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: { code: string; filename: string }[] }
  const rules = new Map<string, Set<string>>()
  for (const { code, filename } of diagnostics) {
    const name = code.replace(/^.*\((.*)\)$/, '$1')
    rules.set(filename, (rules.get(filename) ?? new Set()).add(name))
  }
  return rules
}

describe('import rules between modules', () => {
  let folder: string
  let rules: Map<string, Set<string>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'groundwork-walls-'))
    for (const file of ['.oxlintrc.json', '.oxlintrc.restrictions.json']) await cp(join(root, file), join(folder, file))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const [file, text] of [...Object.values(broken).flat(), ...allowed]) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    rules = await lint(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  for (const [rule, fixtures] of Object.entries(broken)) {
    test.each(fixtures)(`${rule} reports %s`, (file) => expect([...(rules.get(file) ?? [])]).toContain(rule))
  }

  test.each(allowed)('%s passes', (file) => expect([...(rules.get(file) ?? [])]).toEqual([]))
})

import { scopes } from '@groundwork/api'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { checker } from '../testing/fuzz/check.ts'
import { endpointsOf, type Document } from '../testing/fuzz/document.ts'
import { fuzz, tableOf, type FuzzResult } from '../testing/fuzz/fuzz.ts'
import { newPool, type Pool } from '../testing/fuzz/pool.ts'
import type { Tokens } from '../testing/fuzz/request.ts'
import { sender } from '../testing/fuzz/send.ts'
import { newMember, newPage, createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1000)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_525)

const { app, database, organization } = await testApp({ embedder: unitEmbedder })
await app.listen({ host: '127.0.0.1', port: 0 })
const concurrency = 8
const client = sender((app.server.address() as AddressInfo).port, concurrency)
afterAll(() => client.close())

const document = JSON.parse((await app.inject('/v1/openapi.json')).body) as Document

interface World {
  caller: Caller
  /** Storage key of the text of one source, which all sources share. */
  contentKey: string
  pool: Pool
  tokens: Tokens
}

/** Creates the caller, its fixtures, a stranger's fixtures, and tokens with fewer permissions. */
async function world(): Promise<World> {
  const [caller, stranger] = [await organization(), await organization()]
  const pool = newPool(new Set([(await caller.call('GET', '/v1/tokens')).body.data[0].id]))
  const [mine, foreign] = [await createFixtures(caller), await createFixtures(stranger)]
  for (const [prefix, id] of Object.entries(mine)) pool.add(prefix, id)
  for (const [prefix, id] of Object.entries(foreign)) pool.add(`foreign ${prefix}`, id)
  pool.collect({ id: mine['pag'], baseId: mine['kb'], sourceId: mine['src'] })
  // Values that a schema cannot describe: existing codes, numbers and URLs.
  for (const url of ['https://example.com/manual', 'https://www.youtube.com/watch?v=aaaaaaaaaaa']) pool.add('url', url)
  for (const language of ['de', 'pt-BR']) pool.add('language', language)
  for (const currency of ['EUR', 'USD', 'JPY']) pool.add('currency', currency)
  for (const phone of ['+442079460018', '+4930123456']) pool.add('phone', phone)
  const newToken = async (limits: object) => (await caller.call('POST', '/v1/tokens', { name: 'T', scopes, ...limits })).body
  const [reader, searcher, limited, revoked] = [
    await newToken({ scopes: scopes.filter((scope) => scope.endsWith(':read')) }),
    await newToken({ scopes: ['search:read'] }),
    await newToken({ baseIds: [mine['kb']] }),
    await newToken({}),
  ]
  await caller.call('DELETE', `/v1/tokens/${revoked.id}`)
  const contentKey = `${caller.organizationId}/contents/${mine['src']?.slice(4)}.json`
  return {
    caller,
    contentKey,
    pool,
    tokens: { all: caller.token, others: [reader.token, searcher.token, limited.token, revoked.token, 'gw_unknown'] },
  }
}

/**
 * Changes state that requests rarely or never change. Since no worker runs here, ends the processing of sources, some with
 * errors. Adds drafts and members.
 */
async function changeState({ pool, caller, contentKey }: World): Promise<void> {
  await database.pool.query(`
    update source set status = 'failed', error = 'It failed.', error_code = 'timeout'
    where status = 'processing' and right(id::text, 1) < '8';
    update source set status = 'completed', live_generation = generation where status = 'processing'`)
  await database.pool.query('update document set content_key = $1, original_key = $1 where organization_id = $2', [
    contentKey,
    caller.organizationId,
  ])
  const { rows } = await database.pool.query<{ id: string; base_id: string }>(
    `select id, base_id from source where organization_id = $1 and type <> 'scrape' order by id desc limit 1`,
    [caller.organizationId],
  )
  for (const { id, base_id: baseId } of rows) {
    const page = await newPage(caller.ctx, { baseId, sourceId: id, contentKey })
    pool.add('pag', page)
    pool.collect({ id: page, baseId: `kb_${baseId}`, sourceId: `src_${id}` })
  }
  pool.add('usr', await newMember(caller.ctx))
  const contact = (await caller.call('POST', '/v1/contacts', { email: 'draft@example.com' })).body
  const draft = { title: 'D', contactId: contact.id, totalAmount: '1', draft: true }
  for (let count = 0; count < 20; count += 1) pool.add('prp', (await caller.call('POST', '/v1/proposals', draft)).body.id)
}

// Created before the fuzzing starts: an address that sends many unknown tokens is throttled.
const worlds = [await world(), await world()] as const

/** Sends `count` requests and checks their responses against this document. */
async function run(of: World, against: Document, count: number): Promise<FuzzResult> {
  return fuzz({
    document,
    check: checker(against),
    pool: of.pool,
    tokens: of.tokens,
    send: (planned) => client.send(planned),
    requests: count,
    seed,
    concurrency,
    changeState: () => changeState(of),
  })
}

/** Returns an altered copy of the document. */
function damaged(damage: (copy: Mutable) => void): Document {
  const copy = structuredClone(document) as unknown as Mutable
  damage(copy)
  return copy as unknown as Document
}
interface Mutable {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }> }>
  >
  components: { schemas: Record<string, { properties: Record<string, unknown>; required: string[] }> }
}

describe('a response that violates the document', () => {
  it.each<[fault: string, method: 'get', path: string, damage: (copy: Mutable) => void]>([
    [
      "/0 must have required property 'shoeSize'",
      'get',
      '/v1/contacts',
      ({ components }) => components.schemas['Contact']?.required.push('shoeSize'),
    ],
    [
      '/0/tags must be integer',
      'get',
      '/v1/contacts',
      ({ components }) => Object.assign(components.schemas['Contact']?.properties ?? {}, { tags: { type: 'integer' } }),
    ],
    ['200 is not documented', 'get', '/v1/contacts', ({ paths }) => delete paths['/v1/contacts']?.['get']?.responses['200']],
    [
      'the header etag is not documented',
      'get',
      '/v1/contacts/{id}',
      ({ paths }) => delete paths['/v1/contacts/{id}']?.['get']?.responses['200']?.headers,
    ],
    [
      'the header etag is missing',
      'get',
      '/v1/contacts',
      ({ paths }) => Object.assign(paths['/v1/contacts']?.['get']?.responses['200']?.headers ?? {}, { ETag: {} }),
    ],
    [
      'application/json is not documented',
      'get',
      '/v1/contacts',
      ({ paths }) => Object.assign(paths['/v1/contacts']?.['get']?.responses['200'] ?? {}, { content: { 'text/html': {} } }),
    ],
    [
      'a body where none is documented',
      'get',
      '/v1/contacts',
      ({ paths }) => delete paths['/v1/contacts']?.['get']?.responses['200']?.content,
    ],
  ])('is reported: %s', async (fault, method, path, damage) => {
    const { call, token } = await organization()
    const { body } = await call('POST', '/v1/contacts', { email: 'a@example.com' })
    const answer = await app.inject({ method, url: path.replace('{id}', body.id), headers: { authorization: `Bearer ${token}` } })
    const faultOf = (against: Document): string | undefined =>
      checker(against)({ status: answer.statusCode, headers: answer.headers, body: answer.body }, against.paths[path]?.[method])
    expect(faultOf(document)).toBeUndefined()
    expect(faultOf(damaged(damage))).toContain(fault)
  })
})

/** Operations that need a session, or a secret that no response contains. */
const wantingSession = ['people.me', 'people.setUp', 'organizations.create', 'invitations.look', 'invitations.accept']

describe('the fuzzer', () => {
  it('reports a response that violates the document', async () => {
    const { faults } = await run(
      worlds[0],
      damaged(({ components }) => delete components.schemas['Contact']?.properties['tags']),
      400,
    )
    expect(faults.join('\n')).toMatch(
      /contacts\.\w+: the body is not as documented: .*"additionalProperty":"tags".*\n\s+curl -i -X \w+ "\$API"'\/v1\/contacts/,
    )
  }, 3_600_000)

  it(`finds no violation in ${requests} requests with the seed ${seed}`, async () => {
    const done = await run(worlds[1], document, requests)
    if (process.env['FUZZ_TABLE'] !== undefined) console.log(tableOf(done))
    expect(done.faults.join('\n\n')).toBe('')
    const never = endpointsOf(document).filter(
      ({ operation }) =>
        !Object.keys(operation.responses).some((status) => status < '300' && done.seen.has(`${operation.operationId} ${status}`)),
    )
    // Fewer requests may miss operations that need several steps.
    if (requests >= 10_000) expect(never.map(({ operation }) => operation.operationId)).toEqual(wantingSession)
  }, 3_600_000)
})

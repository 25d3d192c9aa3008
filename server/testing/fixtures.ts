import { api, type Role, type Route } from '@groundwork/api'
import { expect } from 'vitest'
import { z } from 'zod'
import type { ContactDuplicateTable } from '../db/schema.ts'
import type { Embedder } from '../knowledge/embed/embedder.ts'
import { writeChunks } from '../knowledge/index/write.ts'
import { newId } from '../lib/ids.ts'
import type { Caller } from './app.ts'

/** Every route with its name, such as `contacts.create`. */
export const routes = Object.entries(api).flatMap(([resource, verbs]) =>
  Object.entries<Route>(verbs).map(([verb, route]) => ({ name: `${resource}.${verb}`, route })),
)

export const unitVector = new Float32Array(384).map((_, index) => (index === 0 ? 1 : 0))
/** Gives every text the same embedding. The passages of the fixtures use it. */
export const unitEmbedder: Embedder = {
  model: 'unit@test/float32',
  dimensions: 384,
  embed: async (texts) => texts.map(() => unitVector),
  competence: () => 1,
  close: async () => undefined,
}

/** Ids of one record of each kind, by id prefix. */
export type Fixtures = Readonly<Record<string, string>>

/** Creates one record of each kind. Add one for each new id prefix in the route table. */
export async function createFixtures({ call, ctx, organizationId }: Caller): Promise<Fixtures> {
  const create = async (path: string, body: unknown): Promise<string> => {
    const answer = await call('POST', path, body)
    expect([path, answer.status]).toEqual([path, 201])
    return answer.body.id
  }
  const co = await create('/v1/companies', { name: 'C' })
  const fld = await create('/v1/custom-fields', { entity: 'contact', name: newId(), type: 'text' })
  const ctc = await create('/v1/contacts', { email: 'a@example.com', companyId: co })
  const prp = await create('/v1/proposals', { title: 'T', contactId: ctc, totalAmount: '1', draft: true })
  const pqs = await newProposalQuestion(ctx, prp)
  await attachFile(ctx, prp.slice(-36))
  const kb = await create('/v1/bases', { name: 'B' })
  const src = await create(`/v1/bases/${kb}/sources`, { name: 'S', type: 'url', url: 'https://example.com/' })
  const [baseId, sourceId] = [kb.slice(-36), src.slice(-36)]
  const contentKey = `${organizationId}/contents/${sourceId}.json`
  const blocks = [{ kind: 'paragraph', start: 0, end: 13 }]
  const document = { title: null, mediaType: 'text/plain', language: 'en', pages: null, text: 'opening hours', blocks, warnings: [] }
  const content = { ...document, document, links: [] }
  await ctx.storage.write(contentKey, Buffer.from(JSON.stringify(content)))
  await ctx.db.transaction(organizationId, async (trx) => {
    const { generation } = await trx.selectFrom('source').select('generation').where('id', '=', sourceId).executeTakeFirstOrThrow()
    const chunk = {
      ordinal: 0,
      text: 'opening hours',
      start: 0,
      end: 13,
      headingPath: [],
      page: null,
      pageEnd: null,
      startSecond: null,
      tokens: 2,
    }
    const target = { organizationId, baseId, sourceId, generation }
    await writeChunks(trx, target, [{ id: newId(), chunk, vector: unitVector }], { title: null, language: 'en' })
    await trx
      .updateTable('source')
      .set({ live_generation: generation, status: 'completed', embedding_model: ctx.embedder.model })
      .where('id', '=', sourceId)
      .execute()
    const keys = { content_key: contentKey, original_key: contentKey }
    await trx.updateTable('document').set(keys).where('source_id', '=', sourceId).execute()
  })
  expect((await call('POST', `/v1/bases/${kb}/search`, { query: 'opening hours' })).status).toBe(200)
  await ctx.retrievals.flush()
  const pag = await newPage(ctx, { baseId, sourceId, contentKey })
  const qst = await create(`/v1/bases/${kb}/questions`, { question: 'When do you open?', expectedSourceIds: [src] })
  const eva = await create(`/v1/bases/${kb}/evaluations`, {})
  const { id: tok, token } = (await call('POST', '/v1/tokens', { name: 'T', scopes: ['search:read'] })).body
  expect((await call('GET', '/v1/bases', undefined, { authorization: `Bearer ${token}` })).status).toBe(403)
  const upl = await create('/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })
  await ctx.db.transaction(organizationId, (trx) =>
    trx.updateTable('upload').set({ received_at: ctx.now() }).where('id', '=', upl.slice(-36)).execute(),
  )
  await ctx.storage.write(`${organizationId}/originals/${upl.slice(-36)}`, Buffer.from('hello'))
  const whk = await create('/v1/webhooks', { url: 'https://example.com/hook' })
  const rix = await create(`/v1/bases/${kb}/reindexes`, { chunkSize: 256 })
  const dlv: string = (await call('POST', `/v1/webhooks/${whk}/test`)).body.id
  const evt: string = (await call('GET', '/v1/events')).body.data[0].id
  const usr = await newMember(ctx)
  await ctx.db.transaction(organizationId, (trx) =>
    trx
      .updateTable('api_token')
      .set({ created_by: null, created_by_user: usr.slice(-36) })
      .where('id', '=', tok.slice(-36))
      .execute(),
  )
  const act = await create(`/v1/contacts/${ctc}/activities`, { type: 'task', text: 'Send the offer.', assigneeId: usr })
  const sug = await newSuggestion(ctx, ctc)
  const dup = await newDuplicate(ctx, 'contact_duplicate', ctc, await create('/v1/contacts', { email: 'a2@example.com' }))
  const cdp = await newDuplicate(ctx, 'company_duplicate', co, await create('/v1/companies', { name: 'D' }))
  const inv = await create('/v1/invitations', { email: `${newId()}@example.com`, role: 'viewer' })
  const msg: string = (await call('GET', '/v1/mails')).body.data[0].id
  const imp = await create('/v1/contact-imports', { storageUrl: `groundwork://uploads/${upl}` })
  const view = await create('/v1/contact-views', { name: 'V', columns: ['name', `customFields.${fld}`] })
  const srv = await create('/v1/source-views', { name: 'V', filter: { status: 'failed' } })
  const plv = await create('/v1/proposal-list-views', { name: 'V', filter: { contactId: ctc } })
  const job = await create('/v1/contacts/bulk', { contactIds: [ctc], addTags: ['a'], dryRun: true })
  const req = String((await call('GET', '/v1/bases')).headers['x-request-id'])
  await ctx.requestLog.flush()
  return {
    view,
    plv,
    srv,
    co,
    fld,
    ctc,
    act,
    sug,
    dup,
    cdp,
    imp,
    job,
    prp,
    pqs,
    kb,
    src,
    pag,
    tok,
    upl,
    whk,
    dlv,
    evt,
    req,
    rix,
    qst,
    eva,
    usr,
    inv,
    msg,
  }
}

/** The hash by which the tests of routes address the file of the proposal. */
const fileHash = '7841c3a4d7157f8890df9af487a49a7d2d2a65e8ff85a8d89ea83ccbed5f2618'

async function attachFile(ctx: Caller['ctx'], proposalId: string): Promise<void> {
  const key = `${ctx.organizationId}/files/${proposalId}`
  const file = { organization_id: ctx.organizationId, proposal_id: proposalId, sha256: fileHash, upload_id: newId(), storage_key: key }
  const facts = {
    media_type: 'application/pdf',
    size_bytes: 5,
    width: null,
    height: null,
    decoded_bytes: null,
    created_at: ctx.now(),
  } as const
  await ctx.storage.write(key, Buffer.from('hello'))
  await ctx.db.transaction(ctx.organizationId, (trx) =>
    trx
      .insertInto('proposal_file')
      .values({ ...file, ...facts })
      .execute(),
  )
}

/** Creates a member who cannot sign in. Returns the user's id. */
export async function newMember({ db, organizationId, now }: Caller['ctx'], role: Role = 'viewer'): Promise<string> {
  const id = newId()
  await db.pool.query('select create_user($1, $2, $3, $4, $5)', [id, 'Robin Moss', `${id}@example.com`, 'no hash', now()])
  await db.pool.query('insert into membership values ($1, $2, $3, $4)', [organizationId, id, role, now()])
  return `usr_${id}`
}

/** Creates a pair of contacts or companies. Returns its id. */
async function newDuplicate(
  { db, organizationId, now }: Caller['ctx'],
  table: 'contact_duplicate' | 'company_duplicate',
  ...recordIds: [string, string]
): Promise<string> {
  const id = newId()
  const [first = '', second = ''] = recordIds.map((recordId) => recordId.slice(-36)).toSorted()
  const likeness = { confidence: 0.9, reasons: ['name', 'phone'], status: 'open' } satisfies Partial<ContactDuplicateTable>
  await db.transaction(organizationId, (trx) =>
    trx
      .insertInto(table as 'contact_duplicate')
      .values({
        organization_id: organizationId,
        id,
        first_id: first,
        second_id: second,
        ...likeness,
        created_at: now(),
        dismissed_at: null,
      })
      .execute(),
  )
  return `${table === 'contact_duplicate' ? 'dup' : 'cdp'}_${id}`
}

/** Creates a suggestion for a contact. Returns its id. */
async function newSuggestion({ db, organizationId, now }: Caller['ctx'], contactId: string): Promise<string> {
  const id = newId()
  const suggested = { field: 'jobTitle', value: JSON.stringify('Buyer'), present: JSON.stringify('Cook'), status: 'pending' } as const
  const origin = { how: 'heard', reference: null, actor_type: 'system', actor_id: null, created_at: now(), decided_at: null } as const
  await db.transaction(organizationId, (trx) =>
    trx
      .insertInto('contact_suggestion')
      .values({ organization_id: organizationId, id, contact_id: contactId.slice(-36), ...suggested, ...origin })
      .execute(),
  )
  return `sug_${id}`
}

/** Creates a question of the first recipient of a proposal. Returns the question's id. */
export async function newProposalQuestion({ db, organizationId, now }: Caller['ctx'], proposalId: string): Promise<string> {
  const [id, proposal_id] = [newId(), proposalId.slice(-36)]
  await db.transaction(organizationId, async (trx) => {
    const recipient = await trx
      .selectFrom('proposal_recipient')
      .select('id')
      .where('proposal_id', '=', proposal_id)
      .executeTakeFirstOrThrow()
    const asked = { question: 'Are helmets included?', asked_at: now(), answer: null, answered_at: null }
    await trx
      .insertInto('proposal_question')
      .values({ organization_id: organizationId, id, proposal_id, recipient_id: recipient.id, position: 1, ...asked })
      .execute()
  })
  return `pqs_${id}`
}

/** Creates a page of a crawled source with its text stored under the key. Returns the page's id. */
export async function newPage(ctx: Caller['ctx'], { baseId, sourceId, contentKey }: Record<'baseId' | 'sourceId' | 'contentKey', string>) {
  const id = newId()
  const [url, now] = [`https://example.com/${id}`, ctx.now()]
  const place = { generation: 0, depth: 0, place: 0, hops: 0, waiting: false }
  const page = { organization_id: ctx.organizationId, id, base_id: baseId, source_id: sourceId, key: url, url, ...place }
  await ctx.db.transaction(ctx.organizationId, (trx) =>
    trx
      .insertInto('source_page')
      .values({ ...page, status: 'fetched', content_key: contentKey, listed_at: now })
      .execute(),
  )
  return `pag_${id}`
}

/** A valid body for each route. Add one for each new route with a body. */
export const bodies: Record<string, (own: Fixtures) => object> = {
  'contacts.create': () => ({ email: 'b@example.com' }),
  'contacts.update': () => ({ lastName: 'X' }),
  'contacts.verify': () => ({ fields: ['emails'] }),
  'contacts.revert': () => ({ fields: ['companyId'] }),
  'contacts.upsert': () => ({ matchOn: 'email', email: 'b@example.com' }),
  'contacts.batch': () => ({ matchOn: 'email', contacts: [{ email: 'b@example.com' }] }),
  'contactSearch.identify': () => ({ email: 'a@example.com' }),
  'contactSearch.search': () => ({ q: 'a@example.com' }),
  'contactExports.create': () => ({ format: 'jsonl' }),
  'contactImports.create': (own) => ({ storageUrl: `groundwork://uploads/${own['upl']}` }),
  'contactJobs.bulk': (own) => ({ contactIds: [own['ctc']], set: { jobTitle: 'Cook' }, addTags: ['a'], dryRun: true }),
  'contactJobs.revert': (own) => ({ importId: own['imp'], dryRun: true }),
  'contactTags.rename': () => ({ tag: 'a', name: 'b' }),
  'contactTags.merge': () => ({ tags: ['a'], into: 'b' }),
  'contactTags.delete': () => ({ tags: ['a'] }),
  'contactMerges.merge': (own) => ({ otherIds: [own['other'] ?? own['ctc']] }),
  'contactMerges.unmerge': (own) => ({ mergedId: own['other'] ?? own['ctc'] }),
  'contactViews.create': () => ({ name: 'V', filter: { key: 'tags', eq: 'vip' }, columns: ['name', 'email'] }),
  'contactViews.update': () => ({ columns: ['name'], shared: true }),
  'proposalListViews.create': () => ({ name: 'V', filter: { status: 'pending' }, sort: 'expiresAt' }),
  'sourceViews.create': () => ({ name: 'V', filter: { type: 'url' }, sort: 'name' }),
  'sourceViews.update': () => ({ filter: null, shared: true }),
  'proposalListViews.update': () => ({ filter: null, shared: true }),
  'companyMerges.merge': (own) => ({ otherIds: [own['otherCompany'] ?? own['co']] }),
  'companyMerges.unmerge': (own) => ({ mergedId: own['otherCompany'] ?? own['co'] }),
  'companies.create': () => ({ name: 'C' }),
  'companies.update': () => ({ name: 'D' }),
  'activities.create': () => ({ type: 'task', text: 'Call back.' }),
  'activities.update': () => ({ text: 'X' }),
  'consent.record': () => ({ channel: 'email', state: 'granted' }),
  'customFields.create': () => ({ entity: 'contact', name: newId(), type: 'text' }),
  'customFields.update': () => ({ name: 'G' }),
  'customFields.convert': () => ({ type: 'text' }),
  'proposals.create': (own) => ({ title: 'T', contactId: own['ctc'], totalAmount: '1' }),
  'proposals.preview': (own) => ({ title: 'T', contactId: own['ctc'], totalAmount: '1' }),
  'proposals.previewPage': (own) => ({ contactId: own['ctc'] }),
  'proposals.update': () => ({ title: 'U' }),
  'proposals.send': () => ({}),
  'proposals.void': () => ({ reason: 'x' }),
  'proposalQuestions.answer': () => ({ answer: 'Yes' }),
  'proposals.countersign': () => ({ name: 'Ada Lovelace' }),
  'bases.create': () => ({ name: 'B' }),
  'bases.update': () => ({ name: 'C' }),
  'sources.add': () => ({ name: 'S', type: 'url', url: 'https://example.com/' }),
  'sources.upsert': () => ({ name: 'S', type: 'url', url: 'https://example.com/', externalId: 'x' }),
  'sources.update': () => ({ name: 'T' }),
  'sources.replace': () => ({ url: 'https://example.com/b' }),
  'uploads.create': () => ({ fileName: 'a.txt', sizeBytes: 1 }),
  'previews.create': () => ({ text: 'opening hours' }),
  'reindexes.start': () => ({}),
  'reindexes.switch': () => ({}),
  'answers.base': () => ({ query: 'opening hours' }),
  'search.base': () => ({ query: 'opening hours' }),
  'search.all': (own) => ({ baseIds: [own['kb']], query: 'opening hours' }),
  'questions.create': () => ({ question: 'When do you open?', expectedText: 'nine' }),
  'questions.createMany': () => ({ questions: [{ question: 'When do you open?', expectedText: 'nine' }] }),
  'questions.update': () => ({ note: 'x' }),
  'evaluations.start': () => ({}),
  'tokens.create': () => ({ name: 'T', scopes: ['search:read'] }),
  'tokens.update': () => ({ name: 'U' }),
  'tokens.rotate': () => ({}),
  'tokens.revokePresented': () => ({ token: 'x' }),
  'members.update': () => ({ role: 'member' }),
  'invitations.create': () => ({ email: `${newId()}@example.com`, role: 'viewer' }),
  'contacts.erase': () => ({}),
  'invitations.look': () => ({ token: 'x' }),
  'invitations.accept': () => ({ token: 'x' }),
  'organizations.update': () => ({ name: 'N' }),
  'organizations.create': () => ({ name: 'N' }),
  'people.setUp': () => ({
    token: 'x',
    name: 'N',
    email: 'n@example.com',
    password: 'a long pass phrase',
    organizationName: 'N',
  }),
  'tools.identifyContact': () => ({ email: 'a@example.com' }),
  'tools.findContact': () => ({ query: 'a@example.com' }),
  'tools.getContact': (own) => ({ contactId: own['ctc'] }),
  'tools.saveContact': () => ({ email: 'b@example.com' }),
  'tools.logActivity': (own) => ({ contactId: own['ctc'], type: 'call', text: 'X' }),
  'tools.addTask': (own) => ({ contactId: own['ctc'], text: 'Call back.' }),
  'webhooks.create': () => ({ url: 'https://example.com/hook' }),
  'webhooks.update': () => ({ description: 'x' }),
  'webhooks.rotateSecret': () => ({}),
  'webhooks.redeliver': () => ({ since: '2026-01-01T00:00:00Z' }),
}

/** Returns a valid body for the route; undefined if it has none. */
export function bodyOf({ name, route }: { name: string; route: Route }, own: Fixtures): object | undefined {
  if (route.body === undefined) return undefined
  const body = bodies[name]?.(own)
  if (body === undefined) throw new Error(`bodies has none for ${name}`)
  return body
}

export function createFixture(of: Fixtures, prefix: string): string {
  const id = of[prefix]
  if (id === undefined) throw new Error(`things() has none with the prefix ${prefix}`)
  return id
}

/** Returns the parameters or fields at any depth that contain an id, with the id prefix. */
export function idsOf(schema: z.ZodType | undefined): [name: string, prefix: string][] {
  return schema === undefined ? [] : idsWithin(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

function idsWithin(part: unknown, name = ''): [name: string, prefix: string][] {
  if (typeof part === 'string') {
    const prefix = /^\^\(\?:(\w+)_\)\?/.exec(part)?.[1]
    return prefix === undefined ? [] : [[name, prefix]]
  }
  if (typeof part !== 'object' || part === null) return []
  const { properties = {}, ...rest } = part as { properties?: Record<string, unknown> }
  return [
    ...Object.entries(properties).flatMap(([field, property]) => idsWithin(property, field)),
    ...Object.values(rest).flatMap((value) => idsWithin(value, name)),
  ]
}

/** Returns the path of the route with these parameters. */
export const address = (route: Route, ids: Readonly<Record<string, string>>): string =>
  route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? (name === 'sha256' ? fileHash : `no-thing-for-${name}`))

/** Returns the parameters of the route, filled with these fixtures. */
export const paramsFrom = (route: Route, of: Fixtures): Record<string, string> =>
  Object.fromEntries(idsOf(route.params).map(([name, prefix]) => [name, createFixture(of, prefix)]))

/** Returns all combinations of own and foreign ids for the route's parameters with at least one foreign id. */
export function mixtures(route: Route, own: Fixtures, foreign: Fixtures): Record<string, string>[] {
  const all = idsOf(route.params).reduce<[string, string][][]>(
    (ways, [name, prefix]) =>
      ways.flatMap((way) => [own, foreign].map((from): [string, string][] => [...way, [name, createFixture(from, prefix)]])),
    [[]],
  )
  return all.map((way) => Object.fromEntries(way)).filter((way) => Object.values(way).some((id) => Object.values(foreign).includes(id)))
}

/** Returns the ids without prefixes. */
export const bare = (ids: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.slice(-36)]))

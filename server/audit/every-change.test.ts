import { admittingScopes, api, scopes, takesIdempotencyKey, type AuditEntry, type Route } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { compareWrittenRecords } from '../duplicates/finder.ts'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { newMember, newProposalQuestion } from '../testing/fixtures.ts'
import { pageClient, sendProposalTo } from '../testing/proposal-page.ts'

const { app, database, organization, platform } = await testApp()
const address = '203.0.113.7'

/** Routes other than GET that change nothing, each with the reason. */
const changesNothing: Record<string, string> = {
  'previews.create': 'a preview keeps nothing',
  'proposals.preview': 'likewise',
  'proposals.previewPage': 'likewise',
  'contactSearch.identify': 'a search reads; what is known of a person is in a body',
  'contactSearch.search': 'likewise',
  'tools.identifyContact': 'a tool that reads; its arguments are in a body',
  'tools.findContact': 'likewise',
  'tools.getContact': 'likewise',
  'search.base': 'a search reads; its query is in a body because it may be long',
  'search.all': 'so does one of several bases',
  'answers.base': 'an answer reads; its question is in a body because it may be long',
  'invitations.look': 'tells what the invitation is to',
  'people.setUp': 'changes nothing of an organization that is there; server/identity tests what it writes down',
  'organizations.create': 'likewise',
  'uploads.resume': 'signs URLs for parts',
  'uploads.putPart': 'a part becomes a file when the upload is completed',
}

interface Request {
  /** Path parameters by name. */
  params?: Record<string, string>
  body?: object
  payload?: string
  /** The token that is the actor, if it is not the one of the request. */
  actorId?: string
  /** The actor is the user that the request creates. */
  byUser?: boolean
}

/** For each route, a request that changes something. Add one for each new route that changes something. */
const requests: Record<string, (caller: Caller) => Promise<Request>> = {
  'contacts.create': async () => ({ body: { email: 'a@example.com' } }),
  'contacts.update': async (caller) => ({ params: { id: await contact(caller) }, body: { lastName: 'Moss' } }),
  'contacts.verify': async (caller) => ({ params: { id: await contact(caller) }, body: { fields: ['emails'] } }),
  'contacts.revert': async (caller) => {
    const id = await contact(caller)
    await caller.call('PATCH', `/v1/contacts/${id}`, { lastName: 'Moss' })
    return { params: { id }, body: { fields: ['lastName'] } }
  },
  'contactExports.create': async () => ({ body: { format: 'jsonl' } }),
  'contactSuggestions.accept': async (caller) => ({ params: await suggestion(caller) }),
  'contactSuggestions.dismiss': async (caller) => ({ params: await suggestion(caller) }),
  'companyDuplicates.dismiss': async (caller) => ({ params: { id: await companyDuplicate(caller) } }),
  'contactDuplicates.dismiss': async (caller) => ({ params: { id: await duplicate(caller) } }),
  'contacts.upsert': async () => ({ body: { matchOn: 'email', email: 'a@example.com' } }),
  'contacts.batch': async () => ({ body: { matchOn: 'email', contacts: [{ email: 'a@example.com' }] } }),
  'contacts.delete': async (caller) => ({ params: { id: await contact(caller) } }),
  'contacts.erase': async (caller) => ({ params: { id: await contact(caller) } }),
  'contacts.restore': async (caller) => {
    const id = await contact(caller)
    await caller.call('DELETE', `/v1/contacts/${id}`)
    return { params: { id } }
  },
  'contactImports.create': async (caller) => ({ body: { storageUrl: await receivedUpload(caller) } }),
  'contactImports.cancel': async (caller) => {
    const { id } = await created(caller, '/v1/contact-imports', { storageUrl: await receivedUpload(caller) })
    return { params: { importId: id } }
  },
  'contactJobs.bulk': async (caller) => ({ body: { contactIds: [await contact(caller)], addTags: ['vip'] } }),
  'contactJobs.revert': async (caller) => ({ body: { actorId: await newToken(caller) } }),
  'contactJobs.cancel': async (caller) => {
    const { id } = await created(caller, '/v1/contacts/revert', { actorId: await newToken(caller) })
    return { params: { jobId: id } }
  },
  'contactTags.rename': async (caller) => {
    await taggedContact(caller)
    return { body: { tag: 'vip', name: 'VIP' } }
  },
  'contactTags.merge': async (caller) => {
    await taggedContact(caller)
    return { body: { tags: ['vip'], into: 'lead' } }
  },
  'contactTags.delete': async (caller) => {
    await taggedContact(caller)
    return { body: { tags: ['vip'] } }
  },
  'contactMerges.merge': async (caller) => ({ params: { id: await contact(caller) }, body: { otherIds: [await contact(caller)] } }),
  'contactMerges.unmerge': async (caller) => {
    const [id, mergedId] = [await contact(caller), await contact(caller)]
    await caller.call('POST', `/v1/contacts/${id}/merge`, { otherIds: [mergedId] })
    return { params: { id }, body: { mergedId } }
  },
  'contactViews.create': async () => ({ body: { name: 'V', columns: ['name'] } }),
  'contactViews.update': async (caller) => ({ params: { id: await view(caller) }, body: { name: 'W' } }),
  'contactViews.delete': async (caller) => ({ params: { id: await view(caller) } }),
  'proposalListViews.create': async () => ({ body: { name: 'V' } }),
  'proposalListViews.update': async (caller) => ({ params: { id: await proposalListView(caller) }, body: { name: 'W' } }),
  'proposalListViews.delete': async (caller) => ({ params: { id: await proposalListView(caller) } }),
  'sourceViews.create': async () => ({ body: { name: 'V' } }),
  'sourceViews.update': async (caller) => ({ params: { id: await sourceView(caller) }, body: { name: 'W' } }),
  'sourceViews.delete': async (caller) => ({ params: { id: await sourceView(caller) } }),
  'companyMerges.merge': async (caller) => ({ params: { id: await company(caller) }, body: { otherIds: [await company(caller)] } }),
  'companyMerges.unmerge': async (caller) => {
    const [id, mergedId] = [await company(caller), await company(caller)]
    await caller.call('POST', `/v1/companies/${id}/merge`, { otherIds: [mergedId] })
    return { params: { id }, body: { mergedId } }
  },
  'companies.create': async () => ({ body: { name: 'C' } }),
  'companies.update': async (caller) => ({ params: { id: await company(caller) }, body: { name: 'D' } }),
  'companies.delete': async (caller) => ({ params: { id: await company(caller) } }),
  'companies.restore': async (caller) => {
    const id = await company(caller)
    await caller.call('DELETE', `/v1/companies/${id}`)
    return { params: { id } }
  },
  'activities.create': async (caller) => ({ params: { id: await contact(caller) }, body: { type: 'call' } }),
  'tools.saveContact': async () => ({ body: { email: 'a@example.com' } }),
  'tools.logActivity': async (caller) => ({ body: { contactId: await contact(caller), type: 'call', text: 'Asked for six bikes.' } }),
  'tools.addTask': async (caller) => ({ body: { contactId: await contact(caller), text: 'Call back.' } }),
  'activities.update': async (caller) => ({ params: await activity(caller), body: { text: 'Called back.' } }),
  'activities.delete': async (caller) => ({ params: await activity(caller) }),
  'consent.record': async (caller) => ({ params: { id: await contact(caller) }, body: { channel: 'sms', state: 'granted' } }),
  'customFields.create': async () => ({ body: { entity: 'contact', name: 'F', type: 'text' } }),
  'customFields.update': async (caller) => ({ params: { id: await customField(caller) }, body: { name: 'G' } }),
  'customFields.archive': async (caller) => ({ params: { id: await customField(caller) } }),
  'customFields.restore': async (caller) => {
    const id = await customField(caller)
    await caller.call('DELETE', `/v1/custom-fields/${id}`)
    return { params: { id } }
  },
  'customFields.convert': async (caller) => ({ params: { id: await customField(caller) }, body: { type: 'number' } }),
  'proposals.create': async (caller) => ({ body: { title: 'T', contactId: await contact(caller), totalAmount: '1', draft: true } }),
  'proposals.update': async (caller) => ({ params: { id: await draft(caller) }, body: { title: 'U' } }),
  'proposals.delete': async (caller) => ({ params: { id: await draft(caller) } }),
  'proposals.send': async (caller) => ({ params: { id: await draft(caller) } }),
  'proposals.duplicate': async (caller) => ({ params: { id: await draft(caller) } }),
  'proposals.revise': async (caller) => {
    const id = await draft(caller)
    await created(caller, `/v1/proposals/${id}/send`, {}, 200)
    return { params: { id } }
  },
  'proposalQuestions.answer': async (caller) => {
    const id = await draft(caller)
    return { params: { id, questionId: await newProposalQuestion(caller.ctx, id) }, body: { answer: 'Yes' } }
  },
  'proposals.void': async (caller) => ({ params: { id: await draft(caller) }, body: { reason: 'x' } }),
  'proposals.countersign': async (caller) => {
    const sent = await sendProposalTo(caller, { counterSignature: true })
    await pageClient(app).accept(sent)
    return { params: { id: sent.id }, body: { name: 'Grace Hopper' } }
  },
  'bases.create': async () => ({ body: { name: 'B' } }),
  'bases.update': async (caller) => ({ params: { baseId: await base(caller) }, body: { name: 'C' } }),
  'bases.delete': async (caller) => ({ params: { baseId: await base(caller) } }),
  'sources.add': async (caller) => ({ params: { baseId: await base(caller) }, body: urlSource }),
  'sources.retry': async (caller) => {
    const params = await source(caller)
    await database.pool.query(`update source set status = 'failed' where id = $1`, [params.sourceId.slice(-36)])
    return { params }
  },
  'sources.upsert': async (caller) => ({ params: { baseId: await base(caller) }, body: { ...urlSource, externalId: 'x' } }),
  'sources.update': async (caller) => ({ params: await source(caller), body: { name: 'T' } }),
  'sources.replace': async (caller) => ({ params: await source(caller), body: { url: 'https://example.com/b' } }),
  'sources.cancel': async (caller) => ({ params: await source(caller) }),
  'sources.sync': async (caller) => {
    const params = await source(caller)
    await database.pool.query(`update source set status = 'failed' where id = $1`, [params.sourceId.slice(-36)])
    return { params }
  },
  'sources.delete': async (caller) => ({ params: await source(caller) }),
  'reindexes.start': async (caller) => ({ params: { baseId: await base(caller) }, body: {} }),
  'reindexes.switch': async (caller) => ({ params: await reindex(caller), body: {} }),
  'reindexes.rollback': async (caller) => {
    const params = await reindex(caller)
    await created(caller, `/v1/bases/${params.baseId}/reindexes/${params.reindexId}/switch`, {}, 200)
    return { params }
  },
  'reindexes.cancel': async (caller) => ({ params: await reindex(caller) }),
  'questions.create': async (caller) => ({ params: { baseId: await base(caller) }, body: aQuestion }),
  'questions.createMany': async (caller) => ({ params: { baseId: await base(caller) }, body: { questions: [aQuestion] } }),
  'questions.update': async (caller) => ({ params: await question(caller), body: { note: 'x' } }),
  'questions.delete': async (caller) => ({ params: await question(caller) }),
  'evaluations.start': async (caller) => ({ params: { baseId: (await question(caller)).baseId }, body: {} }),
  'evaluations.delete': async (caller) => {
    const { baseId } = await question(caller)
    return { params: { baseId, evaluationId: (await created(caller, `/v1/bases/${baseId}/evaluations`, {})).id } }
  },
  'uploads.create': async () => ({ body: { fileName: 'a.txt', sizeBytes: 5 } }),
  'uploads.put': async (caller) => {
    const { uploadUrl } = await created(caller, '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })
    return { params: { uploadId: uploadUrl.split('/').at(-1) }, payload: 'hello' }
  },
  'uploads.complete': async (caller) => {
    const { id, parts } = await created(caller, '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5, parts: true })
    await app.inject({ method: 'PUT', url: new URL(parts[0].url).pathname, payload: 'hello' })
    return { params: { uploadId: id } }
  },
  'tokens.create': async () => ({ body: { name: 'x', scopes: ['search:read'] } }),
  'tokens.update': async (caller) => ({ params: { tokenId: (await token(caller)).id }, body: { name: 'y' } }),
  'tokens.rotate': async (caller) => ({ params: { tokenId: (await token(caller)).id }, body: {} }),
  'tokens.revoke': async (caller) => ({ params: { tokenId: (await token(caller)).id } }),
  'members.update': async ({ ctx }) => ({ params: { userId: await newMember(ctx) }, body: { role: 'member' } }),
  'members.remove': async ({ ctx }) => ({ params: { userId: await newMember(ctx) } }),
  'invitations.create': async () => ({ body: { email: 'a@example.com', role: 'viewer' } }),
  'invitations.delete': async (caller) => ({ params: { invitationId: (await invitation(caller)).id } }),
  'invitations.resend': async (caller) => ({ params: { invitationId: (await invitation(caller)).id } }),
  'invitations.accept': async (caller) => {
    const { token } = await invitation(caller)
    return { body: { token, name: 'Robin', password: 'a long pass phrase' }, byUser: true }
  },
  'organizations.update': async () => ({ body: { name: 'N' } }),
  'webhooks.create': async () => ({ body: { url: hook } }),
  'webhooks.update': async (caller) => ({ params: { webhookId: await webhook(caller) }, body: { description: 'x' } }),
  'webhooks.delete': async (caller) => ({ params: { webhookId: await webhook(caller) } }),
  'webhooks.rotateSecret': async (caller) => ({ params: { webhookId: await webhook(caller) }, body: {} }),
  'webhooks.test': async (caller) => ({ params: { webhookId: await webhook(caller) } }),
  'webhooks.redeliver': async (caller) => ({ params: { webhookId: await webhook(caller) }, body: { since: '2026-01-01T00:00:00Z' } }),
  'webhookDeliveries.redeliver': async (caller) => {
    const webhookId = await webhook(caller)
    await contact(caller)
    const { body } = await caller.call('GET', `/v1/webhooks/${webhookId}/deliveries`)
    return { params: { webhookId, deliveryId: body.data[0].id } }
  },
  'tokens.revokePresented': async (caller) => {
    const { id, token: secret } = await token(caller)
    return { body: { token: secret }, actorId: id }
  },
}

/** Values of every kind, which a repeated change has to recognize. */
const furtherValues: Record<string, object> = {
  'contacts.update': {
    emails: [{ value: 'B@example.com', label: 'work' }],
    phone: '+49 30 123456',
    address: { city: 'Berlin' },
    tags: ['vip'],
  },
  'companies.update': { domains: ['B.example', 'a.example'], phone: '+49 30 123456', address: { city: 'Berlin' }, tags: ['b', 'a'] },
  'activities.update': { occurredAt: '2026-01-01T09:00:00+01:00', durationSeconds: 60, direction: 'inbound' },
  'contactViews.update': { q: 'x', columns: ['name', 'email'], filter: { key: 'tags', eq: 'vip' } },
  'proposals.update': {
    items: [{ description: 'Bicycles', quantity: '2', unitPrice: '10', taxRate: '19' }],
    discountPercent: '5',
    recipients: [
      { role: 'signer', name: 'Grace Hopper', email: 'Grace@example.com', language: 'de' },
      { role: 'copy', name: 'Ada Moss', email: 'ada@example.com' },
    ],
    sections: [{ type: 'text', text: 'Three days.' }, { type: 'items' }],
    message: 'Hello',
    signingOrder: 'sequential',
    expiresAt: '2099-01-01T00:00:00+01:00',
  },
  'bases.update': { ragSettings: { chunkSize: 256, topK: 5 }, retrievalLog: { enabled: true, days: 7 }, starred: true, language: 'de' },
  'sources.update': { metadata: { product: 'bicycle', sizes: 3 }, enabled: false, syncSchedule: 'daily' },
  'webhooks.update': { url: 'https://example.com/other', eventTypes: ['contact.updated', 'contact.created'], enabled: false },
  'organizations.update': {
    logo: null,
    reminderDays: [3, 7],
    defaultTerms: 'Pay.',
    expiryDays: 14,
    country: 'de',
    timeZone: 'Europe/Berlin',
  },
}

const hook = 'https://example.com/hook'
const urlSource = { name: 'S', type: 'url', url: 'https://example.com/' }
const aQuestion = { question: 'When do you open?', expectedText: 'nine' }
const contact = async (caller: Caller): Promise<string> => (await created(caller, '/v1/contacts', { email: 'a@example.com' })).id
const newToken = async (caller: Caller): Promise<string> =>
  (await created(caller, '/v1/tokens', { name: 'T', scopes: ['contacts:write'] })).id
async function receivedUpload(caller: Caller): Promise<string> {
  const { uploadUrl, storageUrl, headers } = await created(caller, '/v1/uploads', { fileName: 'a.csv', sizeBytes: 5 })
  await app.inject({ method: 'PUT', url: new URL(uploadUrl).pathname, headers, payload: 'email' })
  return storageUrl
}

async function duplicate(caller: Caller): Promise<string> {
  for (const lastName of ['Moss', 'Mosss']) await caller.call('POST', '/v1/contacts', { firstName: 'Ada', lastName, phone: '+4930123456' })
  await compareWrittenRecords(platform)
  return (await caller.call('GET', '/v1/contacts/duplicates')).body.data[0].id
}

async function companyDuplicate(caller: Caller): Promise<string> {
  for (const name of ['Moss', 'Moss Ltd']) await caller.call('POST', '/v1/companies', { name })
  await compareWrittenRecords(platform)
  return (await caller.call('GET', '/v1/companies/duplicates')).body.data[0].id
}

async function suggestion(caller: Caller): Promise<{ id: string; suggestionId: string }> {
  const id = await contact(caller)
  await caller.call('PATCH', `/v1/contacts/${id}`, { jobTitle: 'Cook' })
  await caller.call('POST', `/v1/contacts/${id}/verify`, { fields: ['jobTitle'] })
  const agent = await created(caller, '/v1/tokens', { name: 'Agent', scopes: ['contacts:write'], agent: true })
  const authorization = `Bearer ${String(agent['token'])}`
  const { body } = await caller.call('PATCH', `/v1/contacts/${id}`, { jobTitle: 'Buyer' }, { authorization })
  return { id, suggestionId: body.suggestions[0].id }
}
const taggedContact = (caller: Caller) => created(caller, '/v1/contacts', { email: 'a@example.com', tags: ['vip'] })
const company = async (caller: Caller): Promise<string> => (await created(caller, '/v1/companies', { name: 'C' })).id
async function activity(caller: Caller): Promise<{ id: string; activityId: string }> {
  const id = await contact(caller)
  return { id, activityId: (await created(caller, `/v1/contacts/${id}/activities`, { type: 'call' })).id }
}
const sourceView = async (caller: Caller): Promise<string> => (await created(caller, '/v1/source-views', { name: 'V' })).id
const proposalListView = async (caller: Caller): Promise<string> => (await created(caller, '/v1/proposal-list-views', { name: 'V' })).id
const view = async (caller: Caller): Promise<string> => (await created(caller, '/v1/contact-views', { name: 'V', columns: ['name'] })).id
const customField = async (caller: Caller): Promise<string> =>
  (await created(caller, '/v1/custom-fields', { entity: 'contact', name: 'F', type: 'text' })).id
const base = async (caller: Caller): Promise<string> => (await created(caller, '/v1/bases', { name: 'B' })).id
const webhook = async (caller: Caller): Promise<string> => (await created(caller, '/v1/webhooks', { url: hook })).id
const token = (caller: Caller) => created(caller, '/v1/tokens', { name: 'x', scopes: ['search:read'] })

async function invitation(caller: Caller): Promise<{ id: string; token: string }> {
  const { id } = await created(caller, '/v1/invitations', { email: `${newId()}@example.com`, role: 'viewer' })
  const { text } = (await caller.call('GET', '/v1/mails')).body.data[0]
  return { id, token: /#(\S+)/.exec(text)?.[1] ?? '' }
}

async function draft(caller: Caller): Promise<string> {
  const proposal = { title: 'T', contactId: await contact(caller), totalAmount: '1', draft: true }
  return (await created(caller, '/v1/proposals', proposal)).id
}

async function source(caller: Caller): Promise<{ baseId: string; sourceId: string }> {
  const baseId = await base(caller)
  return { baseId, sourceId: (await created(caller, `/v1/bases/${baseId}/sources`, urlSource)).id }
}

async function reindex(caller: Caller): Promise<{ baseId: string; reindexId: string }> {
  const baseId = await base(caller)
  return { baseId, reindexId: (await created(caller, `/v1/bases/${baseId}/reindexes`, {})).id }
}

async function question(caller: Caller): Promise<{ baseId: string; questionId: string }> {
  const baseId = await base(caller)
  return { baseId, questionId: (await created(caller, `/v1/bases/${baseId}/questions`, aQuestion)).id }
}

async function created(caller: Caller, path: string, body: object, status = 201) {
  const answer = await caller.call('POST', path, body)
  expect([path, answer.status]).toEqual([path, status])
  return answer.body
}

const routes = Object.entries(api).flatMap(([resource, verbs]) =>
  Object.entries<Route>(verbs).map(([verb, route]): [string, Route] => [`${resource}.${verb}`, route]),
)
const changing = routes.filter(([name, route]) => route.method !== 'GET' && !route.stream && changesNothing[name] === undefined)

async function requestOf(name: string, caller: Caller): Promise<Request> {
  const prepare = requests[name]
  if (prepare === undefined)
    throw new Error(`no request for ${name}: add one to requests, or add the route to changesNothing with a reason`)
  return prepare(caller)
}

/** Returns all audit entries of the caller's organization, newest first. */
/** An entry as it is stored: without what the record is called now. */
const stored = ({ targetName: _name, targetBaseId: _base, ...entry }: AuditEntry): object => entry

async function log({ call }: Caller): Promise<AuditEntry[]> {
  const { status, body } = await call('GET', '/v1/audit?limit=100')
  expect([status, body.nextCursor]).toEqual([200, null])
  return body.data
}

function send(route: Route, { params = {}, body, payload }: Request, headers: Record<string, string>) {
  return app.inject({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? newId()),
    remoteAddress: address,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(payload !== undefined && { payload }),
  })
}

describe('every route that changes something', () => {
  it.each(changing)('%s writes one entry with actor, address and request id', async (name, route) => {
    const caller = await organization()
    const request = await requestOf(name, caller)
    const before = await log(caller)
    const tokenId = `tok_${await database.pool.query('select id from api_token where organization_id = $1 order by created_at limit 1', [caller.organizationId]).then(({ rows }) => rows[0].id)}`
    const headers = {
      ...(route.scope !== 'public' && { authorization: `Bearer ${caller.token}` }),
      ...(takesIdempotencyKey(route) && { 'idempotency-key': 'k' }),
    }
    const response = await send(route, request, headers)
    expect([name, response.statusCode]).toEqual([name, route.status])
    const after = await log(caller)
    expect(after.slice(1).map(stored)).toEqual(before.map(stored))
    expect(after[0]).toMatchObject({
      actor: request.byUser === true ? { type: 'user', name: 'Robin' } : { type: 'token', id: request.actorId ?? tokenId },
      address,
      requestId: response.headers['x-request-id'],
    })
    const id: string | undefined = response.body === '' ? undefined : response.json().id
    if (id !== undefined) expect(after[0]?.targetId).toBe(id)
    if (!takesIdempotencyKey(route)) return
    expect((await send(route, request, headers)).headers['idempotency-replayed']).toBe('true')
    expect(await log(caller)).toEqual(after)
  })

  it.each(changing.filter(([, { method }]) => method === 'PATCH'))('%s with the same values changes nothing', async (name, route) => {
    const caller = await organization()
    const simple = await requestOf(name, caller)
    const request = { ...simple, body: { ...simple.body, ...furtherValues[name] } }
    const headers = { authorization: `Bearer ${caller.token}` }
    const changed = await send(route, request, headers)
    expect([name, changed.statusCode, changed.json()]).toEqual([name, route.status, expect.anything()])
    const state = async () => [
      (await database.pool.query(everything, [caller.organizationId])).rows,
      await log(caller),
      (await caller.call('GET', '/v1/events?limit=100')).body,
    ]
    const before = await state()
    const again = await send(route, request, headers)
    expect([again.statusCode, again.json()]).toEqual([route.status, changed.json()])
    expect(await state()).toEqual(before)
  })

  it.each(changing)('%s writes no entry when it is refused', async (name, route) => {
    const caller = await organization()
    const request = await requestOf(name, caller)
    const { body: limited } = await caller.call('POST', '/v1/tokens', {
      name: 'x',
      scopes: scopes.filter((scope) => !admittingScopes(route).includes(scope)),
    })
    const before = await log(caller)
    const own = { authorization: `Bearer ${caller.token}` }
    const refused = [
      ...(route.scope === 'public'
        ? []
        : [await send(route, request, {}), await send(route, request, { authorization: `Bearer ${limited.token}` })]),
      ...(route.params === undefined ? [] : [await send(route, { ...request, params: {} }, own)]),
      ...(route.body === undefined ? [] : [await send(route, { ...request, body: { notAField: 1 } }, own)]),
    ]
    expect(refused.length).toBeGreaterThan(0)
    for (const { statusCode } of refused) expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(await log(caller)).toEqual(before)
  })

  it.each(changing)('%s changes nothing when its entry cannot be written', async (name, route) => {
    const caller = await organization()
    const request = await requestOf(name, caller)
    const rows = async () => JSON.stringify((await database.pool.query(everything, [caller.organizationId])).rows)
    const before = await rows()
    await database.pool.query('alter table audit_entry rename to audit_entry_away')
    const { statusCode } = await send(route, request, { authorization: `Bearer ${caller.token}` })
    await database.pool.query('alter table audit_entry_away rename to audit_entry')
    expect([statusCode, await rows()]).toEqual([500, before])
  })

  it('has a request in this test or is listed as changing nothing', () => {
    const names = routes.map(([name]) => name)
    for (const name of [...Object.keys(changesNothing), ...Object.keys(requests)]) expect(names).toContain(name)
    expect(changing.length).toBeGreaterThan(20)
  })
})

const everything = [
  'contact',
  'contact_change',
  'contact_suggestion',
  'company',
  'company_domain',
  'custom_field',
  'contact_view',
  'proposal_list_view',
  'source_view',
  'contact_import',
  'contact_job',
  'proposal',
  'proposal_question',
  'base',
  'evaluation_question',
  'evaluation',
  'source',
  'upload',
  'api_token',
  'event',
  'webhook_endpoint',
  'webhook_delivery',
  'reindex',
  'membership',
  'invitation',
  'mail',
]
  .map(
    (table) =>
      `select '${table}' as of, to_jsonb(${table}) - 'last_used_at' - 'last_used_address' as row from ${table} where organization_id = $1`,
  )
  .join(' union all ')
  .concat(' order by 1, 2')

describe('a change without a request', () => {
  it('by the command line has the operator as author', async () => {
    const caller = await organization()
    const [entry] = await log(caller)
    expect(entry).toMatchObject({
      action: 'token.created',
      actor: { type: 'command_line', id: null },
      targetId: expect.stringMatching(/^tok_/),
      address: null,
      requestId: null,
    })
  })
})

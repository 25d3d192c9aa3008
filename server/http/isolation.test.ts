import { admittingScopes, ofOrganization, scopes as allScopes } from '@groundwork/api'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { acceptanceOf, issueAlone } from '../testing/certificates.ts'
import { allOf, leaks, leaksInPath, listedIn, type Parties } from '../testing/leaks.ts'
import { person } from '../testing/people.ts'
import {
  address,
  bodyOf,
  idsOf,
  mixtures,
  paramsFrom,
  routes,
  createFixture,
  createFixtures,
  unitEmbedder,
  type Fixtures,
} from '../testing/fixtures.ts'

const service = await testApp({ embedder: unitEmbedder })
const { organization, platform, app, database } = service

interface Party {
  caller: Caller
  fixtures: Fixtures
}

async function party(): Promise<Party> {
  const caller = await organization()
  return { caller, fixtures: await createFixtures(caller) }
}

async function parties(second = party()): Promise<Parties> {
  const [owner, stranger] = [await party(), await second]
  return { database, owner: owner.caller, stranger: stranger.caller, own: stranger.fixtures, foreign: owner.fixtures }
}

/** Responses without ids of listed records. Other tests cover them. */
const withoutIds = [
  '/v1/certificates/erased',
  '/v1/companies/duplicates/count',
  '/v1/contacts/duplicates/count',
  '/v1/contacts/tags',
  '/v1/organization',
  '/v1/tools',
  '/v1/organization/logo',
  '/v1/overview',
  '/v1/proposals/totals',
  '/v1/system',
]

/** Creates the contact that the body of the request names. */
async function anotherContact({ owner, own }: Parties): Promise<string> {
  const { id } = (await owner.call('POST', '/v1/contacts', { email: 'b@example.com' })).body
  Object.assign(own, { other: id })
  return id
}

async function deletedContact({ call }: Pick<Caller, 'call'>): Promise<string> {
  const { id } = (await call('POST', '/v1/contacts', { email: 'deleted@example.com' })).body
  await call('DELETE', `/v1/contacts/${id}`)
  return id
}

async function deletedCompany({ call }: Pick<Caller, 'call'>): Promise<string> {
  const { id } = (await call('POST', '/v1/companies', { name: 'Deleted' })).body
  await call('DELETE', `/v1/companies/${id}`)
  return id
}

async function anotherCompany({ owner, own }: Parties): Promise<string> {
  const { id } = (await owner.call('POST', '/v1/companies', { name: 'D' })).body
  Object.assign(own, { otherCompany: id })
  return id
}

/** Records that the owner's request needs besides the fixtures. */
const preparations: Record<string, (all: Parties) => Promise<unknown>> = {
  'contactMerges.merge': anotherContact,
  'contactMerges.unmerge': async (all) => {
    const otherIds = [await anotherContact(all)]
    await all.owner.call('POST', `/v1/contacts/${all.foreign['ctc']}/merge`, { otherIds })
  },
  'companyMerges.merge': anotherCompany,
  'companyMerges.unmerge': async (all) => {
    const otherIds = [await anotherCompany(all)]
    await all.owner.call('POST', `/v1/companies/${all.foreign['co']}/merge`, { otherIds })
  },
  'certificates.get': ({ owner, foreign }) => issueAlone(owner, acceptanceOf(createFixture(foreign, 'prp').slice(-36))),
}

describe("another organization's ids", () => {
  it('give no access anywhere in the route table', async () => {
    expect(await allOf(leaks(await parties()))).toEqual([])
  })

  it('give no access to a signed-in member either', async () => {
    const all = await parties()
    const { of } = await person(service, { [all.stranger.organizationId]: 'owner' })
    expect(await allOf(leaks({ ...all, stranger: { ...all.stranger, call: of(all.stranger.organizationId) } }))).toEqual([])
  })

  let readers: Promise<Parties> | undefined
  // No request of the stranger changes anything.
  let strange: Promise<Party> | undefined
  for (const each of routes) {
    const { route } = each
    if (route.params === undefined || idsOf(route.params).length === 0) continue
    it(`in the path of ${route.method} ${route.path} are 404`, async () => {
      // Requests that change nothing share their organizations.
      const all = await (route.method === 'GET' ? (readers ??= parties()) : parties((strange ??= party())))
      await preparations[each.name]?.(all)
      expect(await allOf(leaksInPath(each, all))).toEqual([])
      // The owner's request must succeed, so that a 404 above cannot come from a wrong path or body.
      const answer = await all.owner.call(route.method, address(route, paramsFrom(route, all.foreign)), bodyOf(each, all.own))
      expect([route.status, 409]).toContain(answer.status)
    })
  }

  it('are in no list', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const deleted = { deletedContact: await deletedContact(owner), deletedCompany: await deletedCompany(owner) }
    const foreign = { ...(await createFixtures(owner)), ...deleted }
    const lists = routes.filter(
      ({ route }) => route.method === 'GET' && ofOrganization(route) && route.params === undefined && !route.stream,
    )
    for (const { route } of lists.filter(({ route: { path } }) => !withoutIds.includes(path))) {
      const seen = JSON.stringify((await owner.call('GET', route.path)).body)
      expect(Object.values(foreign).some((id) => seen.includes(id))).toBe(true)
      const { status, body } = await stranger.call('GET', route.path)
      // The stranger has one record, its token, and one audit entry about it.
      expect([status, listedIn(body).length]).toEqual([200, ['/v1/tokens', '/v1/audit'].includes(route.path) ? 1 : 0])
      expect(Object.values(foreign).filter((id) => JSON.stringify(body).includes(id.slice(-36)))).toEqual([])
    }
  })

  it('match nothing in a query', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const foreign = await createFixtures(owner)
    // Only a proposal that was sent has a message.
    await owner.call('POST', `/v1/proposals/${foreign['prp']}/send`)
    const fields = routes.flatMap(({ route }) => idsOf(route.query).map(([name, prefix]) => ({ route, name, prefix })))
    expect(fields.length).toBeGreaterThan(0)
    for (const { route, name, prefix } of fields) {
      const path = `${route.path}?${name}=${createFixture(foreign, prefix)}`
      expect(listedIn((await owner.call('GET', path)).body)).toHaveLength(1)
      const { body } = await stranger.call('GET', path)
      expect([listedIn(body), body.nextCursor ?? null]).toEqual([[], null])
    }
  })
})

describe("another organization's ids in a body", () => {
  it('are all tested below', () => {
    const fields = routes.flatMap(({ name, route }) => idsOf(route.body).map(([field]) => `${name} ${field}`))
    expect(fields.toSorted()).toEqual([
      'activities.create assigneeId',
      'activities.update assigneeId',
      'answers.base sourceIds',
      'companies.create customFields',
      'companies.update customFields',
      'companyMerges.merge fields',
      'companyMerges.merge otherIds',
      'companyMerges.unmerge mergedId',
      'contactJobs.bulk companyId',
      'contactJobs.bulk contactIds',
      'contactJobs.bulk customFields',
      'contactJobs.bulk ownerId',
      'contactJobs.revert importId',
      'contactJobs.revert jobId',
      'contactMerges.merge fields',
      'contactMerges.merge otherIds',
      'contactMerges.unmerge mergedId',
      'contacts.create companyId',
      'contacts.create customFields',
      'contacts.create ownerId',
      'contacts.update companyId',
      'contacts.update customFields',
      'contacts.update ownerId',
      'contacts.upsert companyId',
      'contacts.upsert customFields',
      'contacts.upsert ownerId',
      'proposalListViews.create contactId',
      'proposalListViews.update contactId',
      // Listed twice: a proposal and each of its recipients have a contactId.
      'proposals.create contactId',
      'proposals.create contactId',
      'proposals.preview contactId',
      'proposals.preview contactId',
      'proposals.previewPage contactId',
      'proposals.update contactId',
      'proposals.update contactId',
      'questions.create expectedSourceIds',
      'questions.createMany expectedSourceIds',
      'questions.update expectedSourceIds',
      'search.all baseIds',
      'search.all sourceIds',
      'search.base reindexId',
      'search.base sourceIds',
      'tokens.create baseIds',
      // server/integrations/tools/tools.test.ts tests them.
      'tools.addTask assigneeId',
      'tools.addTask contactId',
      'tools.getContact contactId',
      'tools.logActivity contactId',
      'tools.saveContact contactId',
    ])
  })

  it('ownerId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const ownerId = createFixture(foreign, 'usr')
    for (const [method, path, more] of [
      ['POST', '/v1/contacts', { email: 'a@example.com' }],
      ['PATCH', `/v1/contacts/${own['ctc']}`, {}],
      ['POST', '/v1/contacts/upsert', { matchOn: 'email', email: 'a@example.com' }],
    ] as const) {
      const { status, body } = await stranger.call(method, path, { ...more, ownerId })
      expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'ownerId'])
    }
  })

  it('contactId of a recipient: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const recipients = [{ role: 'signer', contactId: createFixture(foreign, 'ctc') }]
    for (const [method, path] of [
      ['POST', '/v1/proposals'],
      ['POST', '/v1/proposals/preview'],
      ['PATCH', `/v1/proposals/${own['prp']}`],
    ] as const) {
      const offer = { ...(method === 'POST' && { title: 'T', totalAmount: '1', contactId: createFixture(own, 'ctc') }), recipients }
      const { status, body } = await stranger.call(method, path, offer)
      expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'recipients.0.contactId'])
    }
  })

  it('otherIds, fields and mergedId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const merged = await stranger.call('POST', `/v1/contacts/${own['ctc']}/merge`, { otherIds: [foreign['ctc']] })
    expect([merged.status, merged.body.error.field]).toEqual([422, 'otherIds.0'])
    const unmerged = await stranger.call('POST', `/v1/contacts/${own['ctc']}/unmerge`, { mergedId: foreign['ctc'] })
    expect([unmerged.status, unmerged.body.error.field]).toEqual([422, 'mergedId'])
    const mergedCompany = await stranger.call('POST', `/v1/companies/${own['co']}/merge`, { otherIds: [foreign['co']] })
    expect([mergedCompany.status, mergedCompany.body.error.field]).toEqual([422, 'otherIds.0'])
    const unmergedCompany = await stranger.call('POST', `/v1/companies/${own['co']}/unmerge`, { mergedId: foreign['co'] })
    expect([unmergedCompany.status, unmergedCompany.body.error.field]).toEqual([422, 'mergedId'])
    const chosen = { otherIds: [own['ctc']], fields: { source: foreign['ctc'] } }
    const other = (await stranger.call('POST', '/v1/contacts', { email: 'b@example.com' })).body.id
    const choosing = await stranger.call('POST', `/v1/contacts/${other}/merge`, chosen)
    expect([choosing.status, choosing.body.error.field]).toEqual([422, 'fields.source'])
    expect((await owner.call('GET', `/v1/contacts/${foreign['ctc']}`)).status).toBe(200)
  })

  it('those of a revert or a bulk change: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const bulk = (await owner.call('POST', '/v1/contacts/bulk', { contactIds: [foreign['ctc']], addTags: ['a'], dryRun: true })).body
    const refused = async (path: string, body: object) => {
      const answer = await stranger.call('POST', path, body)
      return [answer.status, answer.body.error.code, answer.body.error.field]
    }
    for (const [field, id] of [
      ['actorId', foreign['tok']],
      ['actorId', foreign['usr']],
      ['importId', foreign['imp']],
      ['jobId', bulk.id],
    ] as const)
      expect(await refused('/v1/contacts/revert', { [field]: id })).toEqual([422, 'validation_error', field])
    expect(await refused('/v1/contacts/bulk', { contactIds: [own['ctc'], foreign['ctc']], addTags: ['a'] })).toEqual([
      422,
      'validation_error',
      'contactIds.1',
    ])
    for (const [field, set] of [
      ['companyId', { companyId: foreign['co'] }],
      ['ownerId', { ownerId: foreign['usr'] }],
      [`customFields.${foreign['fld']}`, { customFields: { [foreign['fld'] ?? '']: 'x' } }],
    ] as const)
      expect(await refused('/v1/contacts/bulk', { contactIds: [own['ctc']], set })).toEqual([422, 'validation_error', `set.${field}`])
  })

  it('in the filter of a view: nothing is shown of the contact, as of one that exists nowhere', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    for (const contactId of [createFixture(foreign, 'ctc'), `ctc_${newId()}`]) {
      const filter = { contactId }
      const created = await stranger.call('POST', '/v1/proposal-list-views', { name: 'V', filter })
      expect([created.status, created.body.filter]).toEqual([201, filter])
      const updated = await stranger.call('PATCH', `/v1/proposal-list-views/${own['plv']}`, { filter })
      expect([updated.status, updated.body.filter]).toEqual([200, filter])
    }
  })

  it('companyId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    for (const companyId of [createFixture(foreign, 'co'), createFixture(foreign, 'co').slice(-36)]) {
      for (const [method, path] of [
        ['POST', '/v1/contacts'],
        ['PATCH', `/v1/contacts/${own['ctc']}`],
        ['POST', '/v1/contacts/upsert'],
      ] as const) {
        const match = path.endsWith('upsert') ? { matchOn: 'email' } : {}
        const { status, body } = await stranger.call(method, path, { ...match, email: 'b@example.com', companyId })
        expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'companyId'])
      }
    }
  })

  it('customFields: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const id = createFixture(foreign, 'fld')
    for (const [method, path] of [
      ['POST', '/v1/contacts'],
      ['PATCH', `/v1/contacts/${own['ctc']}`],
      ['POST', '/v1/companies'],
      ['PATCH', `/v1/companies/${own['co']}`],
    ] as const) {
      const record = path.startsWith('/v1/contacts') ? { email: 'b@example.com' } : { name: 'C' }
      const { status, body } = await stranger.call(method, path, { ...record, customFields: { [id]: 'x' } })
      expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', `customFields.${id}`])
    }
    const { status, body } = await stranger.call('GET', `/v1/contacts?customField=${id}:x`)
    expect([status, body.error.field]).toEqual([400, 'customField'])
  })

  it('contactId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    for (const contactId of [createFixture(foreign, 'ctc'), createFixture(foreign, 'ctc').slice(-36)]) {
      for (const [method, path] of [
        ['POST', '/v1/proposals'],
        ['POST', '/v1/proposals/preview'],
        ['POST', '/v1/proposals/preview-page'],
        ['PATCH', `/v1/proposals/${own['prp']}`],
      ] as const) {
        const { status, body } = await stranger.call(method, path, {
          ...(method === 'POST' && { title: 'T', totalAmount: '1' }),
          contactId,
        })
        expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'contactId'])
      }
    }
  })

  it('assigneeId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const path = `/v1/contacts/${own['ctc']}/activities`
    for (const assigneeId of [createFixture(foreign, 'usr'), createFixture(foreign, 'usr').slice(-36)]) {
      for (const [method, at] of [
        ['POST', path],
        ['PATCH', `${path}/${own['act']}`],
      ] as const) {
        const { status, body } = await stranger.call(method, at, { ...(method === 'POST' && { type: 'task', text: 'T' }), assigneeId })
        expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'assigneeId'])
      }
    }
  })

  it('sourceIds: no passage', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const search = async (caller: Caller, of: Fixtures, sourceId: string): Promise<unknown[]> => {
      const { status, body } = await caller.call('POST', `/v1/bases/${of['kb']}/search`, { query: 'opening hours', sourceIds: [sourceId] })
      expect(status).toBe(200)
      return body.data
    }
    expect(await search(owner, foreign, createFixture(foreign, 'src'))).toHaveLength(1)
    expect(await search(stranger, own, createFixture(own, 'src'))).toHaveLength(1)
    expect(await search(stranger, own, createFixture(foreign, 'src'))).toEqual([])
    const body = { baseIds: [own['kb']], query: 'opening hours', sourceIds: [createFixture(foreign, 'src')] }
    expect(await stranger.call('POST', '/v1/search', body)).toMatchObject({ status: 200, body: { data: [] } })
  })

  it('expectedSourceIds: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const path = `/v1/bases/${own['kb']}/questions`
    for (const id of [createFixture(foreign, 'src'), createFixture(foreign, 'src').slice(-36)]) {
      const question = { question: 'When?', expectedSourceIds: [createFixture(own, 'src'), id] }
      for (const [method, at, body, field] of [
        ['POST', path, question, 'expectedSourceIds'],
        ['POST', `${path}/bulk`, { questions: [question] }, 'questions.0.expectedSourceIds'],
        ['PATCH', `${path}/${own['qst']}`, question, 'expectedSourceIds'],
      ] as const) {
        const answer = await stranger.call(method, at, body)
        expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([422, 'validation_error', field])
      }
    }
  })

  it('reindexId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const search = (caller: Caller, of: Fixtures, reindexId: string) =>
      caller.call('POST', `/v1/bases/${of['kb']}/search`, { query: 'opening hours', reindexId })
    expect((await search(owner, foreign, createFixture(foreign, 'rix'))).body.data).toHaveLength(1)
    for (const id of [createFixture(foreign, 'rix'), createFixture(foreign, 'rix').slice(-36)]) {
      const { status, body } = await search(stranger, own, id)
      expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'reindexId'])
    }
    // The same holds for another knowledge base of the same organization.
    expect((await search(owner, await createFixtures(owner), createFixture(foreign, 'rix'))).status).toBe(422)
  })

  it('baseIds: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const token = { name: 'T', scopes: ['search:read'], baseIds: [own['kb'], foreign['kb']] }
    const { status, body } = await stranger.call('POST', '/v1/tokens', token)
    expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'baseIds'])
    for (const baseIds of [[createFixture(foreign, 'kb')], [createFixture(own, 'kb'), createFixture(foreign, 'kb').slice(-36)]]) {
      const answer = await stranger.call('POST', '/v1/search', { baseIds, query: 'opening hours' })
      expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([422, 'validation_error', 'baseIds'])
    }
  })

  it('storageUrl: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
    const { body: upload } = await owner.call('POST', '/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 5 })
    const put = await app.inject({
      method: 'PUT',
      url: upload.uploadUrl.replace(platform.baseUrl, ''),
      headers: upload.headers,
      payload: Readable.from([Buffer.from('hello')]),
    })
    expect(put.statusCode).toBe(204)
    const source = { name: 'S', type: 'file', storageUrl: upload.storageUrl }
    const { status, body } = await stranger.call('POST', `/v1/bases/${own['kb']}/sources`, source)
    expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'storageUrl'])
    expect((await owner.call('POST', `/v1/bases/${foreign['kb']}/sources`, source)).status).toBe(201)
  })
})

describe('a token limited to one knowledge base', () => {
  interface Limited {
    call: Caller['call']
    own: Fixtures
    other: Fixtures
  }

  async function limited(): Promise<Limited> {
    const owner = await organization()
    const [own, other] = [await createFixtures(owner), await createFixtures(owner)]
    const { status, body } = await owner.call('POST', '/v1/tokens', { name: 'L', scopes: allScopes, baseIds: [own['kb']] })
    expect(status).toBe(201)
    return { call: (method, path, sent) => owner.call(method, path, sent, { authorization: `Bearer ${body.token}` }), own, other }
  }

  let reader: Promise<Limited> | undefined
  for (const each of routes) {
    const { route } = each
    if (!idsOf(route.params).some(([param]) => param === 'baseId')) continue
    it(`gets 404 for another one of its organization from ${route.method} ${route.path}`, async () => {
      // Requests that change nothing share their organization.
      const { call, own, other } = await (route.method === 'GET' ? (reader ??= limited()) : limited())
      for (const ids of mixtures(route, own, other)) {
        const answer = await call(route.method, address(route, ids), bodyOf(each, own))
        expect([ids, answer.status, answer.body?.error.code]).toEqual([ids, 404, 'not_found'])
      }
      const answer = await call(route.method, address(route, paramsFrom(route, own)), bodyOf(each, own))
      expect([route.status, 409]).toContain(answer.status)
    })
  }

  it('gets no other knowledge base in any list', async () => {
    const { call, own, other } = await limited()
    await deletedContact({ call })
    await deletedCompany({ call })
    const lists = routes.filter(
      ({ route }) => route.method === 'GET' && ofOrganization(route) && route.params === undefined && !route.stream,
    )
    for (const { route } of lists.filter(({ route: { path } }) => !withoutIds.includes(path))) {
      const { status, body } = await call('GET', route.path)
      // Routes with data of all knowledge bases are forbidden for this token.
      const tellsOfAll = ['/v1/audit', '/v1/mails', '/v1/requests', '/v1/webhooks'].includes(route.path)
      if (tellsOfAll) expect([status, body.error.code]).toEqual([403, 'forbidden'])
      if (tellsOfAll) continue
      expect([route.path, status, listedIn(body).length]).toEqual([route.path, 200, expect.toSatisfy((length) => length > 0)])
      const seen = JSON.stringify(body)
      for (const prefix of ['kb', 'src']) expect([route.path, seen.includes(createFixture(other, prefix))]).toEqual([route.path, false])
    }
    expect((await call('GET', '/v1/bases')).body.data.map(({ id }: { id: string }) => id)).toEqual([own['kb']])
  })

  it("cannot search another knowledge base's sources or create a knowledge base", async () => {
    const { call, own, other } = await limited()
    const search = { query: 'opening hours', sourceIds: [other['src']] }
    expect((await call('POST', `/v1/bases/${own['kb']}/search`, search)).body.data).toEqual([])
    expect((await call('POST', '/v1/search', { ...search, baseIds: [own['kb']] })).body.data).toEqual([])
    const both = await call('POST', '/v1/search', { query: 'opening hours', baseIds: [own['kb'], other['kb']] })
    expect([both.status, both.body.error.message]).toEqual([422, expect.stringContaining(createFixture(other, 'kb'))])
    expect(await call('POST', '/v1/bases', { name: 'B' })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})

describe('every route', () => {
  it('requires authentication unless it is listed as public', async () => {
    const open = routes.filter(({ route }) => route.scope === 'public').map(({ name }) => name)
    expect(open).toEqual([
      'uploads.putPart',
      'uploads.put',
      'tokens.revokePresented',
      'people.setupNeeded',
      'people.setUp',
      'invitations.look',
      'invitations.accept',
    ])
    for (const { route } of routes.filter(({ route: { scope } }) => scope !== 'public')) {
      const response = await app.inject({ method: route.method, url: route.path.replace(/\{\w+\}/g, newId()) })
      expect([route.path, response.statusCode, response.json().error.code]).toEqual([route.path, 401, 'unauthorized'])
    }
  })

  it('rejects a token with every scope except those that admit', async () => {
    const scopes = new Set(routes.flatMap(({ route }) => admittingScopes(route)))
    const callers = new Map<string, Caller['call']>()
    for (const { route } of routes.filter((each) => admittingScopes(each.route).length > 0)) {
      const others = [...scopes].filter((scope) => !admittingScopes(route).includes(scope))
      const call = callers.get(others.join()) ?? (await organization({ scopes: others })).call
      callers.set(others.join(), call)
      const { status, body } = await call(route.method, route.path.replace(/\{\w+\}/g, newId()))
      expect([route.path, status, body.error.code]).toEqual([route.path, 403, 'forbidden'])
    }
  })
})

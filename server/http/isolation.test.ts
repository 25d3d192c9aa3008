import { api, scopes as allScopes, type Route } from '@groundwork/api'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { writeChunks } from '../knowledge/search/write.ts'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'

const unit = new Float32Array(384).map((_, index) => (index === 0 ? 1 : 0))
const { organization, platform, app } = await testApp({
  embedder: { model: 'unit@test/float32', dimensions: 384, embed: async (texts) => texts.map(() => unit), close: async () => undefined },
})

/** One thing of every kind that has an id, by the prefix of that id. */
type Things = Readonly<Record<string, string>>

/** A new prefix in the route table needs a thing of its kind here. */
async function things({ call, ctx, organizationId }: Caller): Promise<Things> {
  const create = async (path: string, body: unknown): Promise<string> => {
    const answer = await call('POST', path, body)
    expect([path, answer.status]).toEqual([path, 201])
    return answer.body.id
  }
  const ctc = await create('/v1/contacts', { email: 'a@example.com' })
  const prp = await create('/v1/proposals', { title: 'T', contactId: ctc, totalAmount: '1', draft: true })
  const kb = await create('/v1/bases', { name: 'B' })
  const src = await create(`/v1/bases/${kb}/sources`, { name: 'S', type: 'url', url: 'https://example.com/' })
  const [baseId, sourceId] = [kb.slice(-36), src.slice(-36)]
  await ctx.db.transaction(organizationId, async (trx) => {
    const { generation } = await trx.selectFrom('source').select('generation').where('id', '=', sourceId).executeTakeFirstOrThrow()
    const chunk = { ordinal: 0, text: 'opening hours', start: 0, end: 13, headingPath: [], page: null, pageEnd: null, tokens: 2 }
    const target = { organizationId, baseId, sourceId, generation }
    await writeChunks(trx, target, [{ id: newId(), chunk, vector: unit }], { title: null, language: 'en' })
    await trx
      .updateTable('source')
      .set({ live_generation: generation, status: 'completed', embedding_model: ctx.embedder.model })
      .where('id', '=', sourceId)
      .execute()
  })
  const tok = await create('/v1/tokens', { name: 'T', scopes: ['search:read'] })
  return { ctc, prp, kb, src, tok }
}

/** A body that the route takes. A new route with a body needs one here. */
const bodies: Record<string, (own: Things) => object> = {
  'contacts.create': () => ({ email: 'b@example.com' }),
  'contacts.update': () => ({ lastName: 'X' }),
  'proposals.create': (own) => ({ title: 'T', contactId: own['ctc'], totalAmount: '1' }),
  'proposals.update': () => ({ title: 'U' }),
  'proposals.void': () => ({ reason: 'x' }),
  'bases.create': () => ({ name: 'B' }),
  'bases.update': () => ({ name: 'C' }),
  'sources.add': () => ({ name: 'S', type: 'url', url: 'https://example.com/' }),
  'uploads.create': () => ({ fileName: 'a.txt', sizeBytes: 1 }),
  'search.base': () => ({ query: 'opening hours' }),
  'tokens.create': () => ({ name: 'T', scopes: ['search:read'] }),
  'tokens.update': () => ({ name: 'U' }),
  'tokens.rotate': () => ({}),
}

const routes = Object.entries(api).flatMap(([resource, verbs]) =>
  Object.entries<Route>(verbs).map(([verb, route]) => ({ name: `${resource}.${verb}`, route })),
)

/** The parameters or fields, at any depth, that take an id, each with the prefix of that id. */
function idsOf(schema: z.ZodType | undefined): [name: string, prefix: string][] {
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

const address = (route: Route, ids: Readonly<Record<string, string>>): string =>
  route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? `no-thing-for-${name}`)

function thing(of: Things, prefix: string): string {
  const id = of[prefix]
  if (id === undefined) throw new Error(`things() has none with the prefix ${prefix}`)
  return id
}

/** Every way to fill the parameters of which one at least names a thing of the stranger. */
function mixtures(params: [string, string][], own: Things, foreign: Things): Record<string, string>[] {
  const all = params.reduce<[string, string][][]>(
    (ways, [name, prefix]) =>
      ways.flatMap((way) => [own, foreign].map((from): [string, string][] => [...way, [name, thing(from, prefix)]])),
    [[]],
  )
  return all.map((way) => Object.fromEntries(way)).filter((way) => Object.values(way).some((id) => Object.values(foreign).includes(id)))
}

const bare = (ids: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.slice(-36)]))

describe("another organization's ids", () => {
  for (const { name, route } of routes) {
    const params = idsOf(route.params)
    if (params.length === 0) continue
    it(`in the path of ${route.method} ${route.path} are 404`, async () => {
      const [owner, stranger] = [await organization(), await organization()]
      const [own, foreign] = [await things(stranger), await things(owner)]
      const body = route.body === undefined ? undefined : bodies[name]?.(own)
      if (route.body !== undefined && body === undefined) throw new Error(`bodies has none for ${name}`)
      for (const ids of mixtures(params, own, foreign)) {
        for (const form of [ids, bare(ids)]) {
          const answer = await stranger.call(route.method, address(route, form), body)
          expect([form, answer.status, answer.body?.error.code]).toEqual([form, 404, 'not_found'])
          expect(answer.body.error.message).not.toContain('organization')
        }
      }
      // What the owner gets for the same request, so that the 404 above cannot come from a wrong address or body.
      const ownerIds = Object.fromEntries(params.map(([param, prefix]) => [param, thing(foreign, prefix)]))
      const answer = await owner.call(route.method, address(route, ownerIds), body)
      expect([route.status, 409]).toContain(answer.status)
    })
  }

  it('leave what they name untouched', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await things(stranger), await things(owner)]
    const records = async (): Promise<unknown[]> =>
      Promise.all(
        [
          `/v1/contacts/${foreign['ctc']}`,
          `/v1/proposals/${foreign['prp']}`,
          `/v1/bases/${foreign['kb']}`,
          `/v1/bases/${foreign['kb']}/sources/${foreign['src']}`,
          `/v1/tokens/${foreign['tok']}`,
        ].map(async (path) => (await owner.call('GET', path)).body),
      )
    const before = await records()
    for (const { name, route } of routes) {
      const params = idsOf(route.params)
      if (params.length === 0 || route.method === 'GET') continue
      const ids = Object.fromEntries(params.map(([param, prefix]) => [param, thing(foreign, prefix)]))
      await stranger.call(route.method, address(route, ids), bodies[name]?.(own))
    }
    expect(await records()).toEqual(before)
  })

  it('appear in no list', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const foreign = await things(owner)
    for (const { route } of routes.filter((each) => each.route.method === 'GET' && each.route.params === undefined && !each.route.stream)) {
      const seen = JSON.stringify((await owner.call('GET', route.path)).body)
      expect(Object.values(foreign).some((id) => seen.includes(id))).toBe(true)
      const { status, body } = await stranger.call('GET', route.path)
      // The stranger has one thing of its own, the token that it asks with, and the news that it was made.
      expect([status, (body.data ?? body).length]).toEqual([200, ['/v1/tokens', '/v1/audit'].includes(route.path) ? 1 : 0])
      expect(Object.values(foreign).filter((id) => JSON.stringify(body).includes(id.slice(-36)))).toEqual([])
    }
  })

  it('in a query find nothing', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const foreign = await things(owner)
    const fields = routes.flatMap(({ route }) => idsOf(route.query).map(([name, prefix]) => ({ route, name, prefix })))
    expect(fields.length).toBeGreaterThan(0)
    for (const { route, name, prefix } of fields) {
      const path = `${route.path}?${name}=${thing(foreign, prefix)}`
      expect((await owner.call('GET', path)).body.data).toHaveLength(1)
      expect((await stranger.call('GET', path)).body).toEqual({ data: [], nextCursor: null })
    }
  })
})

describe("another organization's ids in a body", () => {
  it('are all tried below', () => {
    const fields = routes.flatMap(({ name, route }) => idsOf(route.body).map(([field]) => `${name} ${field}`))
    expect(fields.toSorted()).toEqual([
      'proposals.create contactId',
      'proposals.update contactId',
      'search.base sourceIds',
      'tokens.create baseIds',
    ])
  })

  it('contactId: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await things(stranger), await things(owner)]
    for (const contactId of [thing(foreign, 'ctc'), thing(foreign, 'ctc').slice(-36)]) {
      for (const [method, path] of [
        ['POST', '/v1/proposals'],
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

  it('sourceIds: no passage', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await things(stranger), await things(owner)]
    const search = async (caller: Caller, of: Things, sourceId: string): Promise<unknown[]> => {
      const { status, body } = await caller.call('POST', `/v1/bases/${of['kb']}/search`, { query: 'opening hours', sourceIds: [sourceId] })
      expect(status).toBe(200)
      return body.data
    }
    expect(await search(owner, foreign, thing(foreign, 'src'))).toHaveLength(1)
    expect(await search(stranger, own, thing(own, 'src'))).toHaveLength(1)
    expect(await search(stranger, own, thing(foreign, 'src'))).toEqual([])
  })

  it('baseIds: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await things(stranger), await things(owner)]
    const token = { name: 'T', scopes: ['search:read'], baseIds: [own['kb'], foreign['kb']] }
    const { status, body } = await stranger.call('POST', '/v1/tokens', token)
    expect([status, body.error.code, body.error.field]).toEqual([422, 'validation_error', 'baseIds'])
  })

  it('storageUrl: 422', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const [own, foreign] = [await things(stranger), await things(owner)]
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

describe('a token that is limited to one base', () => {
  async function limited(): Promise<{ call: Caller['call']; own: Things; other: Things }> {
    const owner = await organization()
    const [own, other] = [await things(owner), await things(owner)]
    const { status, body } = await owner.call('POST', '/v1/tokens', { name: 'L', scopes: allScopes, baseIds: [own['kb']] })
    expect(status).toBe(201)
    return { call: (method, path, sent) => owner.call(method, path, sent, { authorization: `Bearer ${body.token}` }), own, other }
  }

  for (const { name, route } of routes) {
    const params = idsOf(route.params)
    if (!params.some(([param]) => param === 'baseId')) continue
    it(`gets 404 for another one of its organization from ${route.method} ${route.path}`, async () => {
      const { call, own, other } = await limited()
      const body = route.body && bodies[name]?.(own)
      for (const ids of mixtures(params, own, other)) {
        const answer = await call(route.method, address(route, ids), body)
        expect([ids, answer.status, answer.body?.error.code]).toEqual([ids, 404, 'not_found'])
      }
      const ownIds = Object.fromEntries(params.map(([param, prefix]) => [param, thing(own, prefix)]))
      expect([route.status, 409]).toContain((await call(route.method, address(route, ownIds), body)).status)
    })
  }

  it('sees no other in any list', async () => {
    const { call, own, other } = await limited()
    for (const { route } of routes.filter((each) => each.route.method === 'GET' && each.route.params === undefined && !each.route.stream)) {
      const { status, body } = await call('GET', route.path)
      // The audit log tells of all bases, so it is not for this token.
      if (route.path === '/v1/audit') expect([status, body.error.code]).toEqual([403, 'forbidden'])
      if (route.path === '/v1/audit') continue
      expect([route.path, status, (body.data ?? body).length]).toEqual([route.path, 200, expect.toSatisfy((length) => length > 0)])
      const seen = JSON.stringify(body)
      for (const prefix of ['kb', 'src']) expect([route.path, seen.includes(thing(other, prefix))]).toEqual([route.path, false])
    }
    expect((await call('GET', '/v1/bases')).body.data.map(({ id }: { id: string }) => id)).toEqual([own['kb']])
  })

  it("finds nothing of another's sources, and makes no base", async () => {
    const { call, own, other } = await limited()
    const search = { query: 'opening hours', sourceIds: [other['src']] }
    expect((await call('POST', `/v1/bases/${own['kb']}/search`, search)).body.data).toEqual([])
    expect(await call('POST', '/v1/bases', { name: 'B' })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})

describe('every route', () => {
  it('refuses who has no token, unless it is public by intention', async () => {
    const open = routes.filter(({ route }) => route.scope === 'public').map(({ name }) => name)
    expect(open).toEqual(['uploads.put', 'tokens.revokePresented'])
    for (const { route } of routes.filter(({ route: { scope } }) => scope !== 'public')) {
      const response = await app.inject({ method: route.method, url: route.path.replace(/\{\w+\}/g, newId()) })
      expect([route.path, response.statusCode, response.json().error.code]).toEqual([route.path, 401, 'unauthorized'])
    }
  })

  it('refuses a token that has every scope but its own', async () => {
    const scopes = new Set(routes.flatMap(({ route }) => (route.scope === 'public' ? [] : [route.scope])))
    for (const scope of scopes) {
      const { call } = await organization({ scopes: [...scopes].filter((each) => each !== scope) })
      for (const { route } of routes.filter((each) => each.route.scope === scope)) {
        const { status, body } = await call(route.method, route.path.replace(/\{\w+\}/g, newId()))
        expect([route.path, status, body.error.code]).toEqual([route.path, 403, 'forbidden'])
      }
    }
  })
})

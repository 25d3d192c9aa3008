import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { address, bodyOf, paramsFrom, routes, createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const service = await testApp({ embedder: unitEmbedder })
const caller = await service.organization()
const own = await createFixtures(caller)
const signedIn = await person(service)

// The first user is created once, with the setup token.
const creating = routes.filter(({ name, route }) => route.status === 201 && name !== 'people.setUp')

describe('a created record', () => {
  it.each(creating)('is at its Location: $name', async (each) => {
    if (each.name === 'reindexes.start') await caller.call('POST', `/v1/bases/${own['kb']}/reindexes/${own['rix']}/cancel`)
    if (each.name === 'proposals.revise') await caller.call('POST', `/v1/proposals/${own['prp']}/send`)
    const { call } = each.route.scope === 'session' ? signedIn : caller
    const path = address(each.route, paramsFrom(each.route, own))
    const key = { 'idempotency-key': each.name }
    const body = bodyOf(each, own)
    const answer = await call('POST', path, body, key)
    expect([answer.status, answer.headers['location']]).toEqual([201, expect.stringMatching(/^\/v1\//)])
    const headers = each.name === 'organizations.create' ? { 'groundwork-organization': answer.body.id } : {}
    const found = await call('GET', String(answer.headers['location']), undefined, headers)
    expect(found.status).toBe(200)
    expect(found.body.id ?? found.body.data?.[0]?.id).toBe(answer.body.id ?? answer.body.data?.[0]?.id)
    if (each.route.scope === 'session') return
    const again = await call('POST', path, body, key)
    expect([again.headers['location'], again.headers['idempotency-replayed']]).toEqual([answer.headers['location'], 'true'])
  })

  it('has a documented Location', async () => {
    const { paths } = (await service.app.inject('/v1/openapi.json')).json()
    for (const { route } of creating) expect(paths[route.path].post.responses['201'].headers).toHaveProperty('Location')
    expect(paths['/v1/contacts'].get.responses['200'].headers).not.toHaveProperty('Location')
  })
})

describe('an upload', () => {
  it('reports whether its bytes have arrived, without the upload URL', async () => {
    const { body: upload } = await caller.call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })
    const read = async () => (await caller.call('GET', `/v1/uploads/${upload.id}`)).body
    expect(await read()).toMatchObject({ id: upload.id, fileName: 'a.txt', sizeBytes: 5, storageUrl: upload.storageUrl, receivedAt: null })
    expect(await read()).not.toHaveProperty('uploadUrl')
    const { pathname } = new URL(upload.uploadUrl)
    await service.app.inject({ method: 'PUT', url: pathname, payload: 'hello', headers: { 'content-type': 'text/plain' } })
    expect((await read()).receivedAt).toEqual(expect.any(String))
  })
})

import type { DeletedContact } from '@groundwork/api'
import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'

let time = new Date('2026-03-01T08:00:00Z')
const { organization } = await testApp({ now: () => time })

const day = 86_400_000

it('lists the contacts that can be restored, the last deleted first, until they are purged', async () => {
  const { call } = await organization()
  const create = async (body: object): Promise<{ id: string }> => (await call('POST', '/v1/contacts', body)).body
  const remove = async ({ id }: { id: string }): Promise<void> => {
    expect((await call('DELETE', `/v1/contacts/${id}`)).status).toBe(204)
    time = new Date(time.getTime() + 1000)
  }
  const list = async (query = ''): Promise<DeletedContact[]> => {
    const { status, body } = await call('GET', `/v1/contacts/deleted?limit=100${query}`)
    expect(status).toBe(200)
    return body.data
  }
  const ids = async (query = ''): Promise<string[]> => (await list(query)).map(({ id }) => id)
  const zoe = await create({ firstName: 'Zoë', lastName: 'Barker', email: 'zoe@example.com', phone: '+442079460018' })
  const old = await create({ email: 'old@example.com' })
  const kept = await create({ firstName: 'Zoë', lastName: 'Kept', email: 'kept@example.com' })
  const merged = await create({ email: 'merged@example.com' })
  expect((await call('POST', `/v1/contacts/${kept.id}/merge`, { otherIds: [merged.id] })).status).toBe(200)
  expect(await list()).toEqual([])
  await remove(old)
  await remove(zoe)
  expect(await ids()).toEqual([zoe.id, old.id])
  expect((await list())[0]).toEqual({
    id: zoe.id,
    firstName: 'Zoë',
    lastName: 'Barker',
    email: 'zoe@example.com',
    phone: '+442079460018',
    deletedAt: '2026-03-01T08:00:01.000Z',
    restorableUntil: '2026-03-31T08:00:01.000Z',
  })
  for (const q of ['zoe', 'BARKER zoe', '2079460018', 'zoe@example'])
    expect([q, await ids(`&q=${encodeURIComponent(q)}`)]).toEqual([q, [zoe.id]])
  expect(await ids('&q=zoe%20old')).toEqual([])
  const first = (await call('GET', '/v1/contacts/deleted?limit=1')).body
  expect([first.data.length, (await ids(`&cursor=${first.nextCursor}`))[0]]).toEqual([1, old.id])
  expect((await call('POST', `/v1/contacts/${zoe.id}/restore`)).status).toBe(200)
  expect(await ids()).toEqual([old.id])
  time = new Date(time.getTime() + 30 * day)
  expect(await ids()).toEqual([])
})

it('is for people only, and within the organization', async () => {
  const { call } = await organization()
  const { id } = (await call('POST', '/v1/contacts', { email: 'a@example.com' })).body
  await call('DELETE', `/v1/contacts/${id}`)
  const other = await organization()
  expect((await other.call('GET', '/v1/contacts/deleted')).body.data).toEqual([])
  const agent = (await call('POST', '/v1/tokens', { name: 'agent', scopes: ['contacts:write'], agent: true })).body
  const answer = await call('GET', '/v1/contacts/deleted', undefined, { authorization: `Bearer ${agent.token}` })
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
})

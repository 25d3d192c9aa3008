import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { browserAgent, pageClient, sendProposalTo } from '../testing/proposal-page.ts'
import { statementsOf } from '../testing/statements.ts'

let time: Date | undefined
const { app, organization, platform } = await testApp({ now: () => time ?? new Date() })
const page = pageClient(app)

async function sent() {
  const caller = await organization()
  const proposal = await sendProposalTo(caller)
  const record = (await caller.call('GET', `/v1/proposals/${proposal.id}`)).body
  const views = async (query = ''): Promise<Record<string, unknown>[]> =>
    (await caller.call('GET', `/v1/proposals/${proposal.id}/views${query}`)).body.data
  return { ...caller, proposal, record, views }
}

it('lists people, robots and the sender apart, the latest first', async () => {
  const { proposal, record, views } = await sent()
  expect(await views()).toEqual([])
  const start = Date.now()
  const at = (seconds: number): Date => (time = new Date(start + seconds * 1000))
  at(0)
  await page.get(proposal.url, { 'user-agent': 'Slackbot-LinkExpanding 1.0' })
  at(1)
  await page.get(`${proposal.url}?preview`)
  at(2)
  await page.post(proposal.url, 'view')
  const seen = (kind: string, seconds: number, userAgent = browserAgent) => ({
    id: expect.stringMatching(/^viw_/),
    recipientId: record.recipients[0].id,
    kind,
    userAgent,
    openings: 1,
    firstSeenAt: new Date(start + seconds * 1000).toISOString(),
    lastSeenAt: new Date(start + seconds * 1000).toISOString(),
  })
  const all = [seen('person', 2), seen('sender', 1), seen('robot', 0, 'Slackbot-LinkExpanding 1.0')]
  expect(await views()).toEqual(all)
  for (const [index, kind] of ['person', 'sender', 'robot'].entries()) expect(await views(`?kind=${kind}`)).toEqual([all[index]])
  time = undefined
})

it('counts repeated openings with the same browser, at most one a minute', async () => {
  const { proposal, views } = await sent()
  const start = Date.now()
  for (const seconds of [0, 59, 60, 100, 300]) {
    time = new Date(start + seconds * 1000)
    await page.post(proposal.url, 'view')
  }
  time = undefined
  expect(await views()).toMatchObject([
    { openings: 3, firstSeenAt: new Date(start).toISOString(), lastSeenAt: new Date(start + 300_000).toISOString() },
  ])
})

it('looks up repeated requests of a program only once a minute', async () => {
  const { proposal, views } = await sent()
  const start = Date.now()
  const statementsAt = async (seconds: number): Promise<number> => {
    time = new Date(start + seconds * 1000)
    return (await statementsOf(() => page.get(proposal.url, { 'user-agent': 'Slackbot 1.0' }))).filter(({ text }) =>
      text.includes('proposal_view'),
    ).length
  }
  const statements = []
  for (const seconds of [0, 30, 59.9, 60, 90]) statements.push(await statementsAt(seconds))
  time = undefined
  expect(statements).toEqual([1, 0, 0, 1, 0])
  expect(await views()).toMatchObject([{ kind: 'robot', openings: 2, lastSeenAt: new Date(start + 60_000).toISOString() }])
})

it('counts no view by a signed-in member, but by a member of another organization', async () => {
  const { proposal, views, organizationId, call } = await sent()
  const viewedAt = async (): Promise<string | null> => (await call('GET', `/v1/proposals/${proposal.id}`)).body.viewedAt
  const member = await person({ app, platform }, { [organizationId]: 'owner' })
  const { html } = await page.get(proposal.url, { cookie: member.cookie })
  expect([html.includes('data-view'), html.includes('/accept')]).toEqual([false, true])
  await page.post(proposal.url, 'view', {}, { cookie: member.cookie })
  expect([await viewedAt(), (await views()).map(({ kind }) => kind)]).toEqual([null, ['sender']])
  const { organizationId: otherId } = await organization()
  const other = await person({ app, platform }, { [otherId]: 'owner' })
  expect((await page.get(proposal.url, { cookie: other.cookie })).html).toContain('data-view')
  await page.post(proposal.url, 'view', {}, { cookie: other.cookie })
  expect([await viewedAt(), (await views()).map(({ kind }) => kind)]).toEqual([expect.any(String), ['person', 'sender']])
})

it('pages the list, keeps at most 100 browsers of a kind, and refuses other organizations and wrong input', async () => {
  const { proposal, views, call } = await sent()
  for (let index = 0; index < 102; index += 1) await page.get(proposal.url, { 'user-agent': `bot/${index}` })
  expect(await views('?limit=100')).toHaveLength(100)
  const path = `/v1/proposals/${proposal.id}/views`
  const first = (await call('GET', `${path}?limit=60`)).body
  const second = (await call('GET', `${path}?limit=60&cursor=${first.nextCursor}`)).body
  const agents = [...first.data, ...second.data].map(({ userAgent }) => userAgent)
  expect([agents.length, new Set(agents).size, second.nextCursor]).toEqual([100, 100, null])
  expect((await call('GET', `${path}?kind=ghost`)).status).toBe(400)
  expect((await call('GET', `${path}?cursor=x`)).status).toBe(400)
  expect((await (await organization()).call('GET', path)).status).toBe(404)
})

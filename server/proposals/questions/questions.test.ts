import { describe, expect, it } from 'vitest'
import { purgeContactWork } from '../../contacts/purge.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { pageClient, sendProposalTo } from '../../testing/proposal-page.ts'

const service = await testApp()
const { app, organization } = service
const page = pageClient(app)

const ask = (url: string, question: string) => page.post(url, 'ask', { question })
const questionsOf = async ({ call }: Caller, { id }: { id: string }) => (await call('GET', `/v1/proposals/${id}/questions`)).body.data
const eventsOf = async ({ call }: Caller, type: string) => (await call('GET', `/v1/events?type=${type}`)).body.data
const mailsOf = async ({ call }: Caller, { id }: { id: string }): Promise<{ kind: string; to: string; subject: string; text: string }[]> =>
  (await call('GET', `/v1/mails?proposalId=${id}`)).body.data

describe('a question', () => {
  it('is asked on the page, answered by API, and shown to its recipient', async () => {
    const caller = await organization()
    const owner = await person(service, { [caller.organizationId]: 'owner' })
    await person(service, { [caller.organizationId]: 'viewer' })
    const proposal = await sendProposalTo(caller)
    expect((await page.get(proposal.url)).html).toContain('Ask a question')
    const asked = await ask(proposal.url, ' Are <b>helmets</b>\r\nincluded? ')
    expect([asked.status, asked.headers['location']]).toEqual([303, `${new URL(proposal.url).pathname}#questions`])
    const [question, ...more] = await questionsOf(caller, proposal)
    expect([question, more]).toEqual([
      {
        id: expect.stringMatching(/^pqs_/),
        proposalId: proposal.id,
        recipientId: expect.stringMatching(/^rcp_/),
        contactId: expect.stringMatching(/^ctc_/),
        name: 'Ada Lovelace',
        question: 'Are <b>helmets</b>\nincluded?',
        askedAt: expect.any(String),
        answer: null,
        answeredAt: null,
        delivery: null,
      },
      [],
    ])
    const record = (await caller.call('GET', `/v1/proposals/${proposal.id}`)).body
    expect(record).toMatchObject({ status: 'pending', viewedAt: expect.any(String) })
    expect(await eventsOf(caller, 'proposal.question_asked')).toEqual([expect.objectContaining({ data: record })])
    expect(await eventsOf(caller, 'proposal.viewed')).toHaveLength(1)
    const [toOwner] = await mailsOf(caller, proposal)
    expect(toOwner).toMatchObject({ kind: 'question', to: owner.email, subject: 'Question: Website' })
    expect(toOwner?.text).toContain('Asked by: Ada Lovelace\n\nQuestion:\nAre <b>helmets</b>\nincluded?')
    expect(toOwner?.text).toContain(`/proposals/${proposal.id}\n`)
    expect(toOwner?.text).not.toContain('/p/')
    const { html } = await page.get(proposal.url)
    expect(html).toContain('Are &lt;b&gt;helmets&lt;/b&gt;\nincluded?')
    expect(html).toContain('Your question has been sent.')

    const path = `/v1/proposals/${proposal.id}/questions/${question.id}/answer`
    const answered = await caller.call('POST', path, { answer: 'Yes, for everyone.' })
    expect(answered).toMatchObject({
      status: 200,
      body: { ...question, answer: 'Yes, for everyone.', answeredAt: expect.any(String), delivery: { state: 'queued', reason: null } },
    })
    expect(await caller.call('POST', path, { answer: 'No' })).toMatchObject({ status: 409, body: { error: { field: 'answer' } } })
    const [toRecipient, ...others] = await mailsOf(caller, proposal)
    expect(toRecipient).toMatchObject({ kind: 'answer', to: 'ada@example.com', subject: 'Answer: Website' })
    expect(toRecipient?.text).toContain('Answer:\nYes, for everyone.')
    expect(toRecipient?.text).toContain(proposal.url)
    expect(others.map(({ kind }) => kind)).toEqual(['question', 'sent'])
    const shown = (await page.get(proposal.url)).html
    expect(shown).toContain('Yes, for everyone.')
    expect(shown).not.toContain('Your question has been sent.')
  })

  it('that is repeated while it is open is stored once; an empty or too long one is refused', async () => {
    const caller = await organization()
    const proposal = await sendProposalTo(caller)
    for (let times = 0; times < 2; times += 1) await ask(proposal.url, 'Why?')
    expect(await eventsOf(caller, 'proposal.question_asked')).toHaveLength(1)
    for (const wrong of ['', ' \n', 'x'.repeat(2001)]) {
      expect(await ask(proposal.url, wrong)).toMatchObject({ status: 422, html: expect.stringContaining('Enter your question.') })
    }
    await ask(proposal.url, 'x'.repeat(2000))
    expect(await questionsOf(caller, proposal)).toHaveLength(2)
  })

  it('is possible only while the proposal is pending; its answer also afterwards', async () => {
    const caller = await organization()
    const proposal = await sendProposalTo(caller)
    await ask(proposal.url, 'Why?')
    await page.decline(proposal)
    expect(await ask(proposal.url, 'And now?')).toMatchObject({
      status: 409,
      html: expect.stringContaining('You can no longer ask questions about this proposal.'),
    })
    const { html } = await page.get(proposal.url)
    expect(html).toContain('Why?')
    expect(html).not.toContain('Ask a question')
    const [question, ...more] = await questionsOf(caller, proposal)
    expect(more).toEqual([])
    expect((await caller.call('POST', `/v1/proposals/${proposal.id}/questions/${question.id}/answer`, { answer: 'So.' })).status).toBe(200)
  })

  it('is limited to 100 for a proposal', async () => {
    const caller = await organization()
    const proposal = await sendProposalTo(caller)
    await service.database.pool.query(
      `insert into proposal_question (organization_id, id, proposal_id, recipient_id, position, question, asked_at)
       select organization_id, gen_random_uuid(), proposal_id, id, n, 'x' || n, now()
       from proposal_recipient, generate_series(1, 100) as n where proposal_id = $1`,
      [proposal.id.slice(4)],
    )
    expect((await ask(proposal.url, 'One more?')).status).toBe(409)
  })

  it('belongs to its proposal, and to no other', async () => {
    const caller = await organization()
    const [one, other] = [await sendProposalTo(caller), await sendProposalTo(caller)]
    await ask(one.url, 'Why?')
    const [question] = await questionsOf(caller, one)
    expect(await questionsOf(caller, other)).toEqual([])
    expect((await caller.call('POST', `/v1/proposals/${other.id}/questions/${question.id}/answer`, { answer: 'x' })).status).toBe(404)
    expect((await page.get(other.url)).html).not.toContain('Why?')
  })

  it('loses its name with the contact, and is deleted when the contact is purged', async () => {
    const caller = await organization()
    const proposal = await sendProposalTo(caller)
    await ask(proposal.url, 'Why?')
    const [question] = await questionsOf(caller, proposal)
    await caller.call('DELETE', `/v1/contacts/${question.contactId}`)
    expect(await questionsOf(caller, proposal)).toEqual([{ ...question, name: null }])
    await caller.call('POST', `/v1/proposals/${proposal.id}/questions/${question.id}/answer`, { answer: 'So.' })
    expect((await mailsOf(caller, proposal)).map(({ kind }) => kind)).not.toContain('answer')
    const contactId = question.contactId.slice(4)
    const { rows } = await service.database.pool.query('select deleted_at from contact where id = $1', [contactId])
    await purgeContactWork.run(caller.ctx, { contactId, deletedAt: rows[0].deleted_at.toISOString() })
    expect(await questionsOf(caller, proposal)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { pageClient, sendProposalTo } from '../testing/proposal-page.ts'

const { app, organization, database } = await testApp()
const page = pageClient(app)

/** Reads CSV as RFC 4180 describes it. */
function parse(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)]
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

const records = (text: string): Record<string, string>[] => {
  const [names = [], ...rows] = parse(text)
  return rows.map((row) => Object.fromEntries(row.map((cell, column) => [names[column] ?? '', cell])))
}

describe('the export of proposals', () => {
  it('has a row for each proposal, without formulas and links', async () => {
    const caller = await organization()
    const hostile = '=HYPERLINK("https://example.com")'
    const proposal = await sendProposalTo(caller, { title: hostile, externalId: 'a,"b"\nc' })
    await page.decline(proposal, { reason: '+49 is not\r\nmy number' })
    await sendProposalTo(caller, { title: 'Ærøskøbing 😀', draft: true })
    const { status, headers, body } = await caller.call('GET', '/v1/proposals/export')
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringContaining('attachment; filename="proposals.csv"'),
    ])
    expect(body).not.toContain('/p/')
    const record = (await caller.call('GET', `/v1/proposals/${proposal.id}`)).body
    expect(records(body)).toMatchObject([
      { title: 'Ærøskøbing 😀', status: 'draft', number: '', sentAt: '' },
      {
        id: proposal.id,
        number: 'P-1001',
        title: `'${hostile}`,
        status: 'rejected',
        totalAmount: '1200.00',
        currency: 'EUR',
        recipients: 'Ada Lovelace',
        emails: 'ada@example.com',
        rejectReason: "'+49 is not\nmy number",
        externalId: 'a,"b"\nc',
        sentAt: record.sentAt,
        rejectedAt: record.rejectedAt,
      },
    ])
  })

  it('has the filters and orders of the list, and all pages', async () => {
    const caller = await organization()
    const { id, contactId } = (await caller.call('GET', `/v1/proposals/${(await sendProposalTo(caller)).id}`)).body
    await database.pool.query(
      `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, created_at, updated_at)
       select organization_id, gen_random_uuid(), null, 'Copy ' || n, contact_id, n, 'EUR', 'draft', created_at, created_at
       from proposal, generate_series(1, 1100) as n where id = $1`,
      [id.slice(4)],
    )
    const rows = async (query: string) => records((await caller.call('GET', `/v1/proposals/export?${query}`)).body)
    const all = await rows('sort=totalAmount')
    expect(all).toHaveLength(1101)
    expect(new Set(all.map((row) => row['id'])).size).toBe(1101)
    expect(all.slice(0, 3).map(({ title }) => title)).toEqual(['Copy 1', 'Copy 2', 'Copy 3'])
    expect((await rows('status=pending')).map((row) => row['id'])).toEqual([id])
    expect(await rows(`contactId=${contactId}&minTotal=1100&maxTotal=1150`)).toMatchObject([{ title: 'Copy 1100' }])
    expect(await rows('q=copy%201099')).toHaveLength(1)
    expect((await caller.call('GET', '/v1/proposals/export?status=unknown')).status).toBe(400)
  })

  it('contains nothing of other organizations', async () => {
    await sendProposalTo(await organization())
    const { call } = await organization()
    expect(records((await call('GET', '/v1/proposals/export')).body)).toEqual([])
  })
})

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { acceptProposal } from '../answer.ts'
import { pdfAttachments, pdfText } from '../../testing/pdf-text.ts'

const { organization, app } = await testApp()

/** Path of poppler's pdfsig, if it is installed. */
const pdfsig = ['/usr/bin/pdfsig', '/usr/local/bin/pdfsig', '/opt/homebrew/bin/pdfsig'].find(existsSync) ?? null

function checkSeal(bytes: Uint8Array): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sealed-')), 'a.pdf')
  writeFileSync(file, bytes)
  return spawnSync(pdfsig ?? 'pdfsig', ['-nocert', file], { encoding: 'utf8' }).stdout
}

const items = [
  { description: 'E-bike, three days', quantity: '12', unitPrice: '105.50', discountPercent: '10', taxes: [{ name: 'USt', rate: '19' }] },
  { description: 'Guided tour', unitPrice: '350.00', taxRate: '7', optional: true },
]

async function withProposal(fields: object = {}) {
  const caller = await organization()
  await caller.call('PATCH', '/v1/organization', {
    legalName: 'Moos Fahrräder GmbH',
    address: 'Seestraße 12\n80331 München',
    taxId: 'DE123456789',
    language: 'de',
    timeZone: 'Europe/Berlin',
  })
  const contact = await caller.call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
  const { body: proposal } = await caller.call('POST', '/v1/proposals', {
    title: 'Drei Tage Fahrräder',
    contactId: contact.body.id,
    items,
    currency: 'EUR',
    ...fields,
  })
  const download = async (headers: object = {}) => {
    const url = `/v1/proposals/${proposal.id}/pdf`
    return app.inject({ url, headers: { authorization: `Bearer ${caller.token}`, ...headers } })
  }
  return { ...caller, proposal, download }
}

describe('GET /v1/proposals/{id}/pdf', () => {
  it('has the figures of the record, in the language of the organization', async () => {
    const { proposal, download } = await withProposal()
    const response = await download()
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(response.headers['content-disposition']).toContain(`filename="${proposal.number}.pdf"`)
    const text = (await pdfText(response.rawPayload)).join('\n').replaceAll('\u00a0', ' ')
    const amount = (value: string) =>
      new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(Number(value)).replaceAll('\u00a0', ' ')
    const figures = [proposal.totalAmount, proposal.subtotal, proposal.taxes[0].amount, proposal.taxes[0].base, proposal.items[0].net]
    for (const figure of figures) expect(text).toContain(amount(figure))
    const texts = ['Angebot', 'Moos Fahrräder GmbH', 'Seestraße 12', 'DE123456789', 'Ada Lovelace', 'ada@example.com', proposal.number]
    for (const each of [...texts, 'Drei Tage Fahrräder', 'Guided tour', 'Optional', 'Seite 1 von 1', '19 %']) expect(text).toContain(each)
  })

  it('carries the offer as canonical JSON', async () => {
    const { proposal, download } = await withProposal()
    const [content = '', ...others] = pdfAttachments((await download()).rawPayload)
    expect(others).toEqual([])
    expect(createHash('sha256').update(content).digest('hex')).toBe(proposal.contentHash)
  })

  it('has the same bytes until the proposal changes', async () => {
    const { proposal, download, call } = await withProposal({ draft: true })
    const first = await download()
    expect((await pdfText(first.rawPayload)).join('\n')).toContain('Entwurf')
    expect((await download()).rawPayload.equals(first.rawPayload)).toBe(true)
    expect((await download({ 'if-none-match': first.headers['etag'] })).statusCode).toBe(304)
    await call('PATCH', `/v1/proposals/${proposal.id}`, { title: 'Vier Tage' })
    const second = await download({ 'if-none-match': first.headers['etag'] })
    expect((await pdfText(second.rawPayload)).join('\n')).toContain('Vier Tage')
  })

  it('tells that a proposal was withdrawn', async () => {
    const { proposal, download, call } = await withProposal()
    await call('POST', `/v1/proposals/${proposal.id}/void`, { reason: 'Die Termine haben sich geändert' })
    expect((await pdfText((await download()).rawPayload)).join('\n')).toMatch(/Dieses Angebot wurde am .* zurückgezogen\./)
  })

  it('has the signature and the certificate of a completed proposal', async () => {
    const { proposal, download, call, ctx } = await withProposal()
    const signature = { name: 'Ada King', drawing: null, wording: 'Ich nehme an.', contentHash: proposal.contentHash }
    await acceptProposal(ctx, proposal.recipients[0].id.slice(-36), signature, { address: '192.0.2.7', userAgent: null })
    const response = await download()
    const text = (await pdfText(response.rawPayload)).join('\n')
    for (const each of ['Unterschriften', 'Unterzeichnet von Ada King am', 'Ich nehme an.']) expect(text).toContain(each)
    const certificate = await call('GET', `/v1/proposals/${proposal.id}/certificate`)
    expect(JSON.parse(pdfAttachments(response.rawPayload)[1] ?? '')).toEqual(certificate.body)
    expect((await download()).rawPayload.equals(response.rawPayload)).toBe(true)
    expect(response.rawPayload.toString('latin1')).toMatch(/\/SubFilter\s*\/adbe\.pkcs7\.detached/)
  })

  it.skipIf(pdfsig === null)('has a seal that pdfsig of poppler finds valid, and invalid after a change', async () => {
    const { proposal, download, ctx } = await withProposal()
    const signature = { name: 'Ada King', drawing: null, wording: 'Ich nehme an.', contentHash: proposal.contentHash }
    await acceptProposal(ctx, proposal.recipients[0].id.slice(-36), signature, { address: '192.0.2.7', userAgent: null })
    const bytes = (await download()).rawPayload
    expect(checkSeal(bytes)).toMatch(/Total document signed\n[^]*Signature is Valid/)
    const at = bytes.indexOf('/CreationDate (D:') + 18
    bytes[at] = bytes[at] === 0x33 ? 0x34 : 0x33
    expect(checkSeal(bytes)).toContain('Digest Mismatch')
  })

  it('is 404 for an unknown proposal', async () => {
    const { call } = await organization()
    expect((await call('GET', '/v1/proposals/prp_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8/pdf')).status).toBe(404)
  })
})

import { CreateProposal, wireId, type Proposal } from '@groundwork/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { pdfAttachments, pdfText } from '../testing/pdf-text.ts'
import { browserAgent } from '../testing/proposal-page.ts'
import { randomProposal, type RandomProposal } from '../testing/random-proposals.ts'
import { acceptProposal } from './answer.ts'
import { chosenOffer } from './chosen-offer.ts'
import { canonicalOffer, contentHash, type Offer } from './content-hash.ts'
import { contentOf as mailOf } from './mail/enqueue.ts'
import { createFormats } from './page/formats.ts'
import { proposalPage } from './page/proposal-page.ts'
import type { Visit } from './page/visit.ts'
import { offerOf as documentOf } from './pdf/offer-of.ts'
import { newPrice } from './price.ts'
import type { StoredRecipient } from './recipients.ts'
import { offerOf, priceColumns, toProposal, type ProposalRow } from './record.ts'
import type { Seller } from './seller.ts'

const { organization, app } = await testApp()
const { ctx } = await organization()
const formatsOf = createFormats()
const now = new Date('2026-11-23T09:30:00Z')

/** Returns the row that the database would return for an offer. */
function rowOf(body: object, choices: RandomProposal['choices'] | null): ProposalRow {
  const input = CreateProposal.parse({ contactId: wireId('ctc', newId()), ...body })
  const price = newPrice(input, input.currency ?? '')
  const stored = (offer: ReturnType<typeof newPrice> | Offer): ProposalRow => {
    const { items, totals, discount_percent, ...columns } = priceColumns(offer as ReturnType<typeof newPrice>)
    const times = { sent_at: now, created_at: now, updated_at: now, viewed_at: null, completed_at: null, rejected_at: null }
    const others = {
      expires_at: null,
      voided_at: null,
      void_reason: null,
      reject_reason: null,
      message: null,
      external_id: null,
      sent_by: null,
    }
    const versions = { superseded_by: null, supersedes: null, sections: null }
    const signing = { signing_order: 'parallel', counter_signature: false, counter_signed_by: null, counter_signed_at: null } as const
    return {
      ...(times as Pick<ProposalRow, keyof typeof times>),
      ...others,
      ...versions,
      ...signing,
      ...columns,
      // The database pads decimals.
      discount_percent: discount_percent === null ? null : Number(discount_percent).toFixed(4),
      organization_id: ctx.organizationId,
      id: newId(),
      contact_id: newId(),
      contact_created_at: null,
      number: 1042,
      title: input.title,
      currency: input.currency ?? '',
      status: 'pending',
      items: items === null ? null : (JSON.parse(items) as unknown),
      totals: JSON.parse(totals) as unknown,
      search_text: undefined as never,
      total_hundredths: undefined as never,
    }
  }
  const row = stored(price)
  return choices === null ? row : stored({ ...price, ...chosenOffer(offerOf(row), choices) })
}

const recipientIn = (language: string): StoredRecipient => ({
  id: newId(),
  role: 'signer',
  contact_id: null,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  language,
  link_version: 0,
  first_viewed_at: null,
  signed_at: null,
  declined_at: null,
  sending: null,
  has_address: true,
  withheld: null,
})

const seller: Seller = {
  name: 'Moss',
  legal_name: null,
  address: null,
  tax_id: null,
  color: null,
  language: 'en',
  time_zone: 'UTC',
  logo: null,
}

/** A label with its amount. */
type Row = readonly [label: string, amount: string]

interface ShownFigures {
  readonly lines: readonly string[]
  readonly totals: readonly Row[]
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(
      /&(?:amp|lt|gt|quot|#39);/g,
      (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '',
    )
    .trim()

function figuresOfPage(html: string): ShownFigures {
  const [, totals = ''] = /<dl class="totals"[^>]*>([^]*?)<\/dl>/.exec(html) ?? []
  return {
    lines: [...html.matchAll(/<p class="amount"[^>]*>([^]*?)<\/p>/g)].map(([, amount = '']) => textOf(amount)),
    totals: [...totals.matchAll(/<dt>([^]*?)<\/dt>\s*<dd>([^]*?)<\/dd>/g)].map(([, label = '', amount = '']) => [
      textOf(label),
      textOf(amount),
    ]),
  }
}

/** Returns the decimal that a localized amount or number shows, by the separators of the locale. */
function decimalOf(shown: string, language: string): string {
  const parts = new Intl.NumberFormat(language).formatToParts(-12345678.9)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const sign = /[-\u2212]/.test(shown) ? '-' : ''
  const [whole = '', fraction = ''] = shown
    .replace(decimal, '#')
    .replace(/[^\d#]/g, '')
    .split('#')
  return shortest(`${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`)
}

const shortest = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

/** Returns the figures that a record has to show. */
function figuresOfRecord({ items, subtotal, discountTotal, taxes, totalAmount, pricesIncludeTax }: Offer): {
  lines: string[]
  totals: string[]
} {
  const isZero = (amount: string | null): boolean => Number(amount ?? '0') === 0
  const taxed = (taxes ?? []).map(({ amount }) => amount)
  const discounts = isZero(discountTotal) ? [] : [`-${discountTotal}`]
  const parts = taxed.length + discounts.length === 0 ? [] : [subtotal ?? '', ...discounts]
  return {
    lines: items.map(({ net, total }) => shortest(pricesIncludeTax ? total : (net ?? total))),
    totals: [...parts, ...taxed, totalAmount].map(shortest),
  }
}

function shownBy(row: ProposalRow, language: string) {
  const recipient = recipientIn(language)
  const proposal: Proposal = toProposal(ctx, { ...row, recipients: [recipient] })
  const visit: Visit = {
    ctx: { ...ctx, now: () => now },
    secret: 's',
    recipient,
    proposal,
    seller,
    signatures: [],
    questions: [],
    newerUrl: null,
  }
  const formats = formatsOf(visit)
  const document = documentOf({ proposal, seller, signatures: [], counterWording: null, certificate: null, files: new Map() }, formats)
  const addressee = { ...recipient, organization_id: ctx.organizationId, proposal_id: row.id, position: 0, contact_id: null }
  const mail = mailOf(
    { ...ctx, now: () => now },
    {
      proposal: row,
      recipient: addressee as unknown as Parameters<typeof mailOf>[1]['recipient'],
      kind: 'sent',
      organization: { ...seller } as Parameters<typeof mailOf>[1]['organization'],
    },
  )
  return { proposal, document, mail, page: proposalPage(visit, formats) }
}

/** `npm run test:full` sets 10,000. */
const proposals = Number(process.env['SAME_FIGURES'] ?? 500)
/** How many of them the API sends, shows and certifies. */
const served = Math.min(24, Math.ceil(proposals / 60))

describe('random proposals with every kind of line, discount, tax and choice', () => {
  it(`have the same figures in record, page, PDF, email and certificate (${proposals} proposals)`, { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(randomProposal, fc.boolean(), ({ body, choices, language }, chosen) => {
        const row = rowOf(body, chosen ? choices : null)
        const { proposal, document, mail, page } = shownBy(row, language)
        const pageFigures = figuresOfPage(page)
        const pdfFigures: ShownFigures = {
          lines: document.lines.map(({ total }) => total),
          totals: document.totals.map(({ label, amount }) => [label, amount]),
        }
        expect(pdfFigures).toEqual(pageFigures)
        const decimals = (shown: readonly string[]): string[] => shown.map((each) => decimalOf(each, language))
        expect({ lines: decimals(pageFigures.lines), totals: decimals(pageFigures.totals.map(([, amount]) => amount)) }).toEqual(
          figuresOfRecord(proposal),
        )
        // Quantities and prices of a line, and the rates and bases of taxes.
        expect(document.lines.map(({ quantity, unitPrice }) => decimals([quantity ?? '', unitPrice ?? '']))).toEqual(
          proposal.items.map(({ quantity, unitPrice }) => [shortest(quantity), shortest(unitPrice)]),
        )
        const total = pageFigures.totals.at(-1)?.[1] ?? ''
        expect(mail.text).toContain(`: ${total}\n`)
        expect(textOf(mail.html)).toContain(total)
        const certified = JSON.parse(canonicalOffer(proposal)) as Offer
        expect(contentHash(certified)).toBe(proposal.contentHash)
        const { items, subtotal, discountTotal, taxes, taxTotal, totalAmount } = proposal
        expect(certified).toMatchObject({ items, subtotal, discountTotal, taxes, taxTotal, totalAmount })
      }),
      { numRuns: proposals },
    )
  })

  it('have them in the answers of the API, the served page, the text of the PDF, the sent email and the certificate', async () => {
    const { call, token, ctx: caller } = await organization()
    const { body: contact } = await call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
    const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}`, 'user-agent': browserAgent } })
    const flat = (text: string): string => text.replace(/\s+/gu, ' ')
    for (const { body, choices, language } of fc.sample(randomProposal, { numRuns: served, seed: 17 })) {
      await call('PATCH', '/v1/organization', { language })
      const { status, body: sent } = await call('POST', '/v1/proposals', { ...body, contactId: contact.id })
      expect([status, sent.error]).toEqual([201, undefined])
      const signature = { name: 'Ada', drawing: null, wording: 'I accept.', contentHash: sent.contentHash, choices }
      await acceptProposal(caller, sent.recipients[0].id.slice(-36), signature, { address: '192.0.2.7', userAgent: null })
      const { body: record } = await call('GET', `/v1/proposals/${sent.id}`)
      const figures = figuresOfPage((await get(new URL(sent.url).pathname)).body)
      const decimals = (shown: readonly string[]): string[] => shown.map((each) => decimalOf(each, language))
      expect({ lines: decimals(figures.lines), totals: decimals(figures.totals.map(([, amount]) => amount)) }).toEqual(
        figuresOfRecord(record),
      )
      const pdf = (await get(`/v1/proposals/${sent.id}/pdf`)).rawPayload
      const printed = flat((await pdfText(pdf)).join('\n')).replaceAll(' ', '')
      for (const amount of [...figures.lines, ...figures.totals.flat()]) expect(printed).toContain(flat(amount).replaceAll(' ', ''))
      const { body: certificate } = await call('GET', `/v1/proposals/${sent.id}/certificate`)
      expect(JSON.parse(pdfAttachments(pdf)[0] ?? '')).toEqual(certificate.certificate.content)
      const { items, subtotal, discountTotal, taxes, taxTotal, totalAmount, contentHash: hash } = record
      expect(certificate.certificate).toMatchObject({
        contentHash: hash,
        content: { items, subtotal, discountTotal, taxes, taxTotal, totalAmount },
      })
      const { body: mails } = await call('GET', `/v1/mails?proposalId=${sent.id}`)
      const accepted = mails.data.find(({ kind }: { kind: string }) => kind === 'accepted')
      expect(flat(accepted.text)).toContain(flat(figures.totals.at(-1)?.[1] ?? ''))
    }
  })
})

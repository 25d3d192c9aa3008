import type { Proposal, ProposalItem } from '@groundwork/api'
import { canonicalJson } from '@groundwork/sdk/canonical-json'
import type { StoredLogo } from '../../db/schema.ts'
import type { OfferDocument, OfferImage, OfferLine, OfferSection, OfferSignature } from '../../pdf/offer-document.ts'
import { canonicalOffer } from '../content-hash.ts'
import { lineAmount, totalRows } from '../page/figures.ts'
import { figureFormats, type Formats } from '../page/formats.ts'
import { missingNames, nameOf } from '../page/signing.ts'
import type { ShownSignature } from '../page/visit.ts'
import { parseMarkdown } from '../../lib/markdown.ts'
import { sellerColor, sellerName, type Seller } from '../seller.ts'
import { counterSignatureOf } from '../signers/counter-signature.ts'
import { isSigned, needsSeveral, signersOf } from '../signers/turns.ts'
import { isZero } from '../words/format.ts'

export interface PrintedProposal {
  readonly proposal: Proposal
  readonly seller: Seller
  readonly signatures: readonly ShownSignature[]
  /** The sentence of the organization's signature; null before it. */
  readonly counterWording: string | null
  /** JSON of the certificate; null before the proposal is completed. */
  readonly certificate: string | null
  /** Bytes of the logo and of the files of sections, by SHA-256. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Returns the document of a proposal with labels and formats of its recipient. */
export function offerOf(printed: PrintedProposal, formats: Formats): OfferDocument {
  const { proposal, seller } = printed
  const { words, date } = formats
  const { document } = words
  const recipient = proposal.recipients.find(({ role }) => role === 'signer')
  const fact = (label: string, value: string | null) => (value === null ? [] : [{ label, value }])
  const onDay = (at: string | null): string | null => (at === null ? null : date(new Date(at)))
  return {
    language: words.language,
    direction: 'ltr',
    date: proposal.completedAt ?? proposal.sentAt ?? proposal.updatedAt,
    title: proposal.number === null ? proposal.title : `${proposal.number} ${proposal.title}`,
    heading: proposal.title,
    kind: document.proposal,
    seller: {
      name: sellerName(seller),
      details: [...linesOf(seller.address), ...(seller.tax_id === null ? [] : [`${document.taxId} ${seller.tax_id}`])],
      color: sellerColor(seller),
      logo: seller.logo && logoOf(printed, seller.logo),
    },
    recipient: {
      name: recipient?.name ?? recipient?.email ?? '–',
      details: recipient?.name != null && recipient.email !== null ? [recipient.email] : [],
    },
    facts: [
      ...fact(document.number, proposal.number),
      ...fact(document.date, onDay(proposal.sentAt)),
      ...fact(document.validUntil, proposal.expiresAt && formats.expiry(new Date(proposal.expiresAt))),
      ...fact(words.page.signers, signerNames(printed)),
    ],
    notice: noticeOf(printed, formats),
    message: proposal.message,
    lines: proposal.items.map((item) => lineOf(item, proposal, formats)),
    totals: totalRows(proposal, figureFormats(formats)).map(({ isTotal, ...row }) => ({ ...row, strong: isTotal })),
    sections: sectionsOf(printed, formats),
    signatures: [
      ...printed.signatures,
      ...counterSignatureOf(proposal, seller).map((signature) => ({ ...signature, wording: printed.counterWording })),
    ].map((signature) => signatureOf(signature, formats)),
    footer: [sellerName(seller), proposal.number].filter((part) => part !== null).join(' · '),
    attachments: [
      { name: 'proposal.json', mediaType: 'application/json', description: document.contentHash, content: contentOf(printed) },
      ...(printed.certificate === null
        ? []
        : [{ name: 'certificate.json', mediaType: 'application/json', description: document.certificate, content: printed.certificate }]),
      ...attachmentsOf(printed),
    ],
    labels: {
      recipient: document.recipient,
      description: document.description,
      quantity: document.quantity,
      unitPrice: document.unitPrice,
      tax: document.tax,
      total: showsNet(proposal) ? document.net : document.lineTotal,
      signatures: document.signatures,
      page: document.pageOf('{page}', '{pages}'),
      missingCharacters: document.missingCharacters('{characters}'),
    },
  }
}

/** Returns the canonical JSON of the offer; once it is accepted, exactly the content that the certificate covers. */
function contentOf({ proposal, certificate }: PrintedProposal): string {
  return certificate === null ? canonicalOffer(proposal) : canonicalJson(JSON.parse(certificate).certificate.content)
}

/** Lines and totals follow the sections unless a section is their place. */
function sectionsOf({ proposal: { sections }, files }: PrintedProposal, { words: { document } }: Formats): OfferSection[] {
  const all = sections.some(({ type }) => type === 'items') ? sections : [...sections, { type: 'items' as const }]
  return all.map((section) => {
    switch (section.type) {
      case 'items':
        return section
      case 'image':
        return { type: 'image', image: { ...section, bytes: fileOf(files, section.sha256) } }
      case 'attachment':
        return { type: 'attachment', title: document.attachment, name: section.name }
      default:
        return { type: 'text', title: section.type === 'terms' ? document.terms : null, blocks: parseMarkdown(section.text) }
    }
  })
}

const logoOf = ({ files, seller }: PrintedProposal, { sha256, mediaType, width, height }: StoredLogo): OfferImage => ({
  bytes: fileOf(files, sha256),
  mediaType,
  width,
  height,
  alt: sellerName(seller),
})

/** Attached PDFs keep their names as descriptions: names of files must be unique in a PDF. */
const attachmentsOf = ({ proposal: { sections }, files }: PrintedProposal): OfferDocument['attachments'] =>
  sections
    .filter((section) => section.type === 'attachment')
    .map(({ sha256, name, mediaType }, index) => ({
      name: `attachment-${index + 1}.pdf`,
      mediaType,
      description: name,
      content: fileOf(files, sha256),
    }))

function fileOf(files: PrintedProposal['files'], sha256: string): Uint8Array {
  const bytes = files.get(sha256)
  if (bytes === undefined) throw new Error(`The proposal has no file ${sha256}.`)
  return bytes
}

/** Returns the names of all signers; null if one signature is enough. */
function signerNames({ proposal, seller }: PrintedProposal): string | null {
  if (!needsSeveral(proposal)) return null
  return [...signersOf(proposal).map(nameOf), ...(proposal.counterSignature ? [sellerName(seller)] : [])].join(', ')
}

const listOf = (names: readonly string[], language: string): string => new Intl.ListFormat(language, { type: 'conjunction' }).format(names)

/** Returns why a proposal is not or cannot be accepted; null if it can be, or was. */
function noticeOf(printed: PrintedProposal, { words: { document, page, language }, moment }: Formats): string | null {
  const at = (time: string | null, text: (moment: string) => string): string | null => (time === null ? null : text(moment(new Date(time))))
  const { proposal } = printed
  const { status } = proposal
  if (status === 'pending' && isSigned(proposal)) return page.waitingFor(listOf(missingNames(printed), language))
  if (status === 'draft') return document.draft
  if (status === 'rejected') return at(proposal.rejectedAt, page.declined.text)
  if (status === 'expired') return at(proposal.expiresAt, page.expired.text)
  return status === 'voided' ? at(proposal.voidedAt, page.voided.text) : null
}

/** Lines show amounts without tax, which add up to the subtotal. With tax in the prices, and in the first version, they show totals. */
const showsNet = ({ contentVersion, pricesIncludeTax }: Proposal): boolean => contentVersion !== 1 && !pricesIncludeTax

function lineOf(item: ProposalItem, proposal: Proposal, { words: { document }, amount, number, percent }: Formats): OfferLine {
  const option = item.group === null ? document.optional : `${item.group}: ${document.chooseOne}`
  return {
    description: item.description,
    details: [
      ...(isZero(item.discount) ? [] : [[document.discount, ...ofPercent(item, percent), amount(item.discount)].join(' ')]),
      ...(item.optional || item.group !== null ? [option] : []),
      ...((item.optional || item.group !== null) && item.preselected ? [document.chosen] : []),
    ],
    quantity: number(item.quantity),
    unitPrice: amount(item.unitPrice),
    tax:
      item.taxes.length === 0
        ? null
        : item.taxes.map(({ name, rate }) => [...(name === null ? [] : [name]), percent(rate)].join(' ')).join(', '),
    total: amount(lineAmount(item, proposal.pricesIncludeTax)),
    optional: (item.optional || item.group !== null) && !item.preselected,
  }
}

const ofPercent = ({ discountPercent }: { discountPercent: string | null }, percent: Formats['percent']): string[] =>
  discountPercent === null ? [] : [percent(discountPercent)]

const signatureOf = (
  { name, drawing, wording, signed_at }: Omit<ShownSignature, 'wording'> & { readonly wording: string | null },
  { words: { document }, moment }: Formats,
): OfferSignature => ({
  name,
  drawing,
  details: [document.signedBy(name, moment(new Date(signed_at)))],
  wording,
})

const linesOf = (address: string | null): string[] => address?.split('\n').filter((line) => line.trim() !== '') ?? []

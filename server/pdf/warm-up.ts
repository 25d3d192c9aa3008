import type { Run } from '../lib/rich-text.ts'
import type { KnownFamily } from './font-set.ts'
import { fontFamilies, type FontStyle } from './fonts.ts'
import type { OfferDocument } from './offer-document.ts'

/** Returns a document that uses every known font, and has no content of any organization. */
export function warmUpDocument(known: readonly KnownFamily[]): OfferDocument {
  const samples = known.map(({ name, styles }) => ({ text: fontFamilies.find((family) => family.name === name)?.sample ?? '', styles }))
  const message = samples.map(({ text }) => text).join('\n')
  const runs = samples.flatMap(({ text, styles }) => styles.map((style): Run => ({ text, ...emphasis[style] })))
  const label = 'Sample'
  return {
    language: 'en',
    direction: 'ltr',
    date: '2000-01-01T00:00:00.000Z',
    title: label,
    heading: label,
    kind: label,
    seller: { name: label, details: [], color: null, logo: null },
    recipient: { name: label, details: [label] },
    facts: [{ label, value: '1' }],
    notice: null,
    message,
    lines: samples.map(({ text }) => ({
      description: text,
      details: [],
      quantity: '1',
      unitPrice: '€1.00',
      tax: '1%',
      total: '€1.00',
      optional: false,
    })),
    totals: [{ label, amount: '€1.00', strong: true }],
    sections: [{ type: 'text', title: null, blocks: [{ type: 'paragraph', runs }] }, { type: 'items' }],
    signatures: [],
    footer: label,
    attachments: [],
    labels: {
      recipient: label,
      description: label,
      quantity: label,
      unitPrice: label,
      tax: label,
      total: label,
      signatures: label,
      page: 'Page {page} of {pages}',
      missingCharacters: '{characters}',
    },
  }
}

const emphasis: Record<FontStyle, Omit<Run, 'text'>> = {
  regular: {},
  bold: { strong: true },
  italic: { emphasis: true },
  boldItalic: { strong: true, emphasis: true },
}

import type { OfferDocument } from '../pdf/offer-document.ts'

const labels = {
  recipient: 'Prepared for',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  tax: 'Tax',
  total: 'Total',
  signatures: 'Acceptance',
  page: 'Page {page} of {pages}',
  missingCharacters: 'This document cannot show some characters: {characters}.',
}

/** Returns an offer of one page, with the given fields instead. */
export function offerDocument(fields: Partial<OfferDocument> = {}): OfferDocument {
  return {
    language: 'en',
    direction: 'ltr',
    date: '2026-11-23T09:30:00.000Z',
    title: 'P-1042 Three days of bicycles',
    heading: 'Three days of bicycles',
    kind: 'Proposal',
    seller: { name: 'Alpine Cycles', details: ['Seestrasse 12', 'Tax ID DE123456789'], color: '#0b5d4e', logo: null },
    recipient: { name: 'Jane Roe', details: ['jane@example.com'] },
    facts: [{ label: 'Number', value: 'P-1042' }],
    notice: null,
    message: 'Thank you for your request.',
    lines: [
      {
        description: 'E-bike, three days',
        details: ['Discount €120.00'],
        quantity: '12',
        unitPrice: '€105.00',
        tax: '19%',
        total: '€1,356.60',
        optional: false,
      },
      {
        description: 'Guided tour',
        details: ['Optional'],
        quantity: '1',
        unitPrice: '€350.00',
        tax: '19%',
        total: '€416.50',
        optional: true,
      },
    ],
    totals: [{ label: 'Total', amount: '€1,356.60', strong: true }],
    sections: [
      { type: 'items' },
      { type: 'text', title: 'Terms', blocks: [{ type: 'paragraph', runs: [{ text: 'Payment within 14 days.' }] }] },
    ],
    signatures: [],
    footer: 'Alpine Cycles, P-1042',
    attachments: [],
    labels,
    ...fields,
  }
}

import type { OfferDocument } from '@groundwork/server/pdf/offer-document'

/** One text of each script, and its font for libraries that do not choose one by script. */
export const texts = [
  { font: 'Noto Sans', text: 'Leihräder für drei Tage, mit Lieferung zum Hotel und Einweisung am ersten Morgen' },
  { font: 'Noto Sans', text: 'Прокат велосипедов на три дня с доставкой в гостиницу' },
  { font: 'Noto Naskh Arabic', text: 'تأجير الدراجات لمدة ثلاثة أيام مع التوصيل إلى الفندق' },
  { font: 'Noto Sans Hebrew', text: 'השכרת אופניים לשלושה ימים כולל משלוח למלון' },
  { font: 'Noto Sans Thai', text: 'เช่าจักรยานสามวันรวมค่าจัดส่งถึงโรงแรม' },
  { font: 'Noto Sans Devanagari', text: 'तीन दिनों के लिए साइकिल किराए पर, होटल तक डिलीवरी सहित' },
  { font: 'Noto Sans Japanese', text: '自転車のレンタル、三日間、ホテルへの配達を含む' },
  { font: 'Noto Sans Korean', text: '자전거 대여 3일, 호텔 배송 포함' },
]
const linesPerText = 4

/** Returns an offer of two pages. The number makes each different, so that no cached layout is reused. */
export function offer(number: number): OfferDocument {
  const lines = Array.from({ length: linesPerText }, (_, at) => texts.map(({ text }) => `${number}.${at} ${text}`)).flat()
  return {
    language: 'en',
    direction: 'ltr',
    date: '2026-11-23T09:30:00.000Z',
    title: `P-${number}`,
    heading: `Bicycles for three days, offer ${number}`,
    kind: 'Proposal',
    seller: { name: 'Moss Bicycles', details: ['Seestrasse 12'], color: null, logo: null },
    recipient: { name: 'Ada Lovelace', details: [] },
    facts: [{ label: 'Number', value: `P-${number}` }],
    notice: null,
    message: texts.map(({ text }) => text).join('\n'),
    lines: lines.map((description) => ({
      description,
      details: [],
      quantity: '3',
      unitPrice: '€105.00',
      tax: '19%',
      total: '€374.85',
      optional: false,
    })),
    totals: [{ label: 'Total', amount: '€11,995.20', strong: true }],
    sections: [{ type: 'items' }],
    signatures: [],
    footer: 'Moss Bicycles',
    attachments: [],
    labels: {
      recipient: 'For',
      description: 'Description',
      quantity: 'Quantity',
      unitPrice: 'Unit price',
      tax: 'Tax',
      total: 'Amount',
      signatures: 'Signatures',
      page: 'Page {page} of {pages}',
      missingCharacters: '{characters}',
    },
  }
}

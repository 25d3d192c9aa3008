import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fontFamilies, readFont } from '@groundwork/server/pdf/fonts'
import type { OfferDocument } from '@groundwork/server/pdf/offer-document'
import { createPdfRenderer } from '@groundwork/server/pdf/renderer'
import { installed } from './peers/install.ts'
import { percentile, printTable, withEnds } from './run.ts'

const documents = Number(process.argv[2] ?? 10)
const rounds = 3
const pdfmakeVersion = '0.3.11'

/** One text of each script, and the font that pdfmake needs for it. */
const texts = [
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
function offer(number: number): OfferDocument {
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

interface PdfMake {
  addFonts(fonts: object): void
  setUrlAccessPolicy(policy: () => boolean): void
  setLocalAccessPolicy(policy: () => boolean): void
  virtualfs: { writeFileSync(path: string, content: Uint8Array): void }
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
}

/** Returns a function that renders the same content with pdfmake, which has no choice of fonts by script. */
async function openPdfmake(): Promise<(number: number) => Promise<Uint8Array>> {
  const folder = await installed('pdfmake', pdfmakeVersion)
  const pdfmake = createRequire(join(folder, 'package.json'))('pdfmake') as PdfMake
  const fonts: Record<string, object> = {}
  for (const family of fontFamilies) {
    for (const weight of ['regular', 'bold'] as const) {
      const bytes = readFont(family, weight)
      if (bytes !== null) pdfmake.virtualfs.writeFileSync(`${family.name}-${weight}`, bytes)
    }
    fonts[family.name] = { normal: `${family.name}-regular`, bold: `${family.name}-bold` }
  }
  pdfmake.addFonts(fonts)
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
  return (number) => {
    const { heading, lines } = offer(number)
    const fontOf = (at: number): string => texts[at % texts.length]?.font ?? 'Noto Sans'
    const right = (text: string) => ({ text, alignment: 'right' })
    return pdfmake
      .createPdf({
        defaultStyle: { font: 'Noto Sans', fontSize: 9 },
        footer: (page: number, pages: number) => `Page ${page} of ${pages}`,
        content: [
          { text: heading, fontSize: 19, bold: true },
          ...texts.map(({ text, font }) => ({ text, font })),
          {
            table: {
              headerRows: 1,
              widths: ['*', 'auto', 'auto', 'auto', 'auto'],
              body: [
                ['Description', 'Quantity', 'Unit price', 'Tax', 'Amount'].map((text) => ({ text, bold: true })),
                ...lines.map(({ description, quantity, unitPrice, tax, total }, at) => [
                  { text: description, font: fontOf(at) },
                  ...[quantity, unitPrice, tax, total].map((text) => right(text ?? '')),
                ]),
              ],
            },
          },
          { text: 'Total €11,995.20', bold: true, alignment: 'right' },
        ],
      })
      .getBuffer()
  }
}

await withEnds(async (atEnd) => {
  const renderer = createPdfRenderer()
  atEnd(() => renderer.close())
  let [memoryMb, rendererSeconds] = [0, 0]
  const groundwork = async (number: number): Promise<Uint8Array> => {
    const pdf = await renderer.render({ document: offer(number) })
    memoryMb = Math.max(memoryMb, pdf.memoryMb)
    rendererSeconds = pdf.cpuSeconds
    return pdf.bytes
  }
  const ownSeconds = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  const systems = [
    { name: 'Groundwork', render: groundwork, cpuSeconds: () => rendererSeconds },
    { name: `pdfmake ${pdfmakeVersion}`, render: await openPdfmake(), cpuSeconds: ownSeconds },
  ]
  const processor = new Map(systems.map(({ name }) => [name, 0]))
  const times = new Map(systems.map(({ name }) => [name, [] as number[]]))
  const sizes = new Map<string, number>()
  let number = 0
  // The first documents load code and fonts, and are compiled to slower code.
  for (const { name, render } of systems) for (let at = 0; at < 10; at++) sizes.set(name, (await render(++number)).length)
  for (let round = 0; round < rounds; round++) {
    for (const { name, render, cpuSeconds } of systems) {
      const before = cpuSeconds()
      for (let at = 0; at < documents; at++) {
        const started = performance.now()
        await render(++number)
        times.get(name)?.push(performance.now() - started)
      }
      processor.set(name, (processor.get(name) ?? 0) + cpuSeconds() - before)
    }
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const pdfmake = `pdfmake ${pdfmakeVersion}`
  const yardstick = mean(times.get(pdfmake) ?? [])
  const processorMs = (name: string): number => ((processor.get(name) ?? 0) * 1000) / (rounds * documents)
  printTable(
    `PDFs of two pages in eight scripts, ${rounds * documents} each, one at a time`,
    ['system', 'PDFs per second', 'median ms', 'p95 ms', 'kB', 'ratio', 'processor ms', 'ratio by processor'],
    [...times].map(([name, values]) => [
      name,
      (1000 / mean(values)).toFixed(2),
      percentile(values, 0.5).toFixed(0),
      percentile(values, 0.95).toFixed(0),
      ((sizes.get(name) ?? 0) / 1000).toFixed(0),
      (yardstick / mean(values)).toFixed(2),
      processorMs(name).toFixed(0),
      (processorMs(pdfmake) / processorMs(name)).toFixed(2),
    ]),
  )
  process.stdout.write(`\nMemory of the renderer process: ${memoryMb} MB\n`)
})

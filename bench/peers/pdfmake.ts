import { createRequire } from 'node:module'
import { join } from 'node:path'
import { serveRequests } from '@groundwork/server/lib/limited-process'
import { fontFamilies, readFont } from '@groundwork/server/pdf/fonts'
import { offer, texts } from '../pdf-offer.ts'

// Renders offers with pdfmake. The argument is the folder in which it is installed; a request is the number of an offer.

interface PdfMake {
  addFonts(fonts: object): void
  setUrlAccessPolicy(policy: () => boolean): void
  setLocalAccessPolicy(policy: () => boolean): void
  virtualfs: { writeFileSync(path: string, content: Uint8Array): void }
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
}

export interface PdfmakeReply {
  readonly bytes: Uint8Array
  /** Maximum resident memory of the process since its start. */
  readonly memoryMb: number
  /** Processor time of the process since its start. */
  readonly cpuSeconds: number
}

const pdfmake = createRequire(join(process.argv[2] ?? '', 'package.json'))('pdfmake') as PdfMake
const fonts: Record<string, object> = {}
for (const { name } of fontFamilies) fonts[name] = { normal: `${name}-regular`, bold: `${name}-bold` }
for (const family of fontFamilies) {
  for (const weight of ['regular', 'bold'] as const) {
    const bytes = readFont(family, weight)
    if (bytes !== null) pdfmake.virtualfs.writeFileSync(`${family.name}-${weight}`, bytes)
  }
}
pdfmake.addFonts(fonts)
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => false)

serveRequests(async ({ number }: { number: number }): Promise<PdfmakeReply> => {
  const bytes = await pdfmake.createPdf(definition(number)).getBuffer()
  const { user, system } = process.cpuUsage()
  return { bytes, memoryMb: Math.round(process.resourceUsage().maxRSS / 1024), cpuSeconds: (user + system) / 1e6 }
})

/** Returns the content of the offer. pdfmake has no choice of fonts by script. */
function definition(number: number): object {
  const { heading, lines } = offer(number)
  const fontOf = (at: number): string => texts[at % texts.length]?.font ?? 'Noto Sans'
  const right = (text: string) => ({ text, alignment: 'right' })
  const header = ['Description', 'Quantity', 'Unit price', 'Tax', 'Amount'].map((text) => ({ text, bold: true }))
  const rows = lines.map(({ description, quantity, unitPrice, tax, total }, at) => [
    { text: description, font: fontOf(at) },
    ...[quantity, unitPrice, tax, total].map((text) => right(text ?? '')),
  ])
  return {
    defaultStyle: { font: 'Noto Sans', fontSize: 9 },
    footer: (page: number, pages: number) => `Page ${page} of ${pages}`,
    content: [
      { text: heading, fontSize: 19, bold: true },
      ...texts.map(({ text, font }) => ({ text, font })),
      { table: { headerRows: 1, widths: ['*', 'auto', 'auto', 'auto', 'auto'], body: [header, ...rows] } },
      { text: 'Total €11,995.20', bold: true, alignment: 'right' },
    ],
  }
}

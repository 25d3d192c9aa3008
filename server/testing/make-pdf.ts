import { deflateSync } from 'node:zlib'

/** A page: lines of Latin text, the first one large, a full-page grayscale picture with one byte per pixel, or marks. */
export type MadePage =
  | readonly string[]
  | { readonly width: number; readonly height: number; readonly gray: Uint8Array }
  | { readonly marks: readonly Mark[] }

/** Text at its baseline, a line, or an ellipse in a box. Coordinates are points from the upper left corner. */
export type Mark =
  | {
      readonly text: string
      readonly x: number
      readonly y: number
      readonly size?: number
      readonly font?: keyof typeof fontNames
      /** True for text that runs upwards. */
      readonly upwards?: boolean
    }
  | { readonly ellipse: readonly [left: number, top: number, right: number, bottom: number] }
  | { readonly from: readonly [x: number, y: number]; readonly to: readonly [x: number, y: number] }

/** Creates a simple PDF of A4 pages whose words are known. */
export function makePdf(pages: readonly MadePage[]): Buffer {
  const objects: Buffer[] = []
  const add = (dictionary: string, stream?: Buffer): number => {
    const body = stream
      ? Buffer.concat([Buffer.from(`${dictionary}\nstream\n`), stream, Buffer.from('\nendstream')])
      : Buffer.from(dictionary)
    return objects.push(body)
  }
  const catalog = add('<< /Type /Catalog /Pages 2 0 R >>')
  const tree = objects.push(Buffer.alloc(0))
  const fonts = Object.values(fontNames)
    .map(({ key, name }) => `/${key} ${add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)} 0 R`)
    .join(' ')
  const kids = pages.map((page) => {
    const [resources, content] =
      'gray' in page ? picture(page, add) : [`/Font << ${fonts} >>`, 'marks' in page ? markContent(page.marks) : textContent(page)]
    const stream = deflateSync(Buffer.from(content, 'latin1'))
    const drawn = add(`<< /Length ${stream.length} /Filter /FlateDecode >>`, stream)
    return add(`<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /Resources << ${resources} >> /Contents ${drawn} 0 R >>`)
  })
  objects[tree - 1] = Buffer.from(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  return assemble(objects, catalog)
}

const fontNames = {
  regular: { key: 'F', name: 'Helvetica' },
  bold: { key: 'B', name: 'Helvetica-Bold' },
  monospace: { key: 'M', name: 'Courier' },
  barcode: { key: 'C', name: 'Code39Barcode' },
  /** Pieces of frames, as TeX draws them. */
  drawing: { key: 'D', name: 'LCIRCLE10' },
}

function textContent(lines: readonly string[]): string {
  return markContent(lines.map((text, at) => ({ text, x: 60, y: 72 + at * 15 + (at > 0 ? 15 : 0), size: at === 0 ? 20 : 10.5 })))
}

function markContent(marks: readonly Mark[]): string {
  const shown = marks.map((mark) => {
    if ('from' in mark) return `${mark.from[0]} ${842 - mark.from[1]} m ${mark.to[0]} ${842 - mark.to[1]} l S`
    if ('ellipse' in mark) return ellipse(mark.ellipse)
    const escaped = mark.text.replace(/[\\()]/g, '\\$&')
    return `BT /${fontNames[mark.font ?? 'regular'].key} ${mark.size ?? 10.5} Tf ${mark.upwards ? '0 1 -1 0' : '1 0 0 1'} ${mark.x} ${842 - mark.y} Tm (${escaped}) Tj ET`
  })
  return ['0.6 w', ...shown].join('\n')
}

/** Four curves, each a quarter of the ellipse, roughly. */
function ellipse([left, top, right, bottom]: readonly [number, number, number, number]): string {
  const [high, low, x, y] = [842 - top, 842 - bottom, (left + right) / 2, 842 - (top + bottom) / 2]
  return [
    `${left} ${y} m`,
    `${left} ${high} ${left} ${high} ${x} ${high} c`,
    `${right} ${high} ${right} ${high} ${right} ${y} c`,
    `${right} ${low} ${right} ${low} ${x} ${low} c`,
    `${left} ${low} ${left} ${low} ${left} ${y} c S`,
  ].join(' ')
}

function picture(
  { width, height, gray }: Extract<MadePage, { readonly gray: Uint8Array }>,
  add: (dictionary: string, stream: Buffer) => number,
): [resources: string, content: string] {
  const packed = deflateSync(gray)
  const image = add(
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${packed.length} /Filter /FlateDecode >>`,
    packed,
  )
  return [`/XObject << /I ${image} 0 R >>`, 'q 595 0 0 842 0 0 cm /I Do Q']
}

function assemble(objects: readonly Buffer[], catalog: number): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = pieces[0]?.length ?? 0
  const offsets = objects.map((body, at) => {
    const piece = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    const offset = length
    length += piece.length
    pieces.push(piece)
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer << /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`)])
}

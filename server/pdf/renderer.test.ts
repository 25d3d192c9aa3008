import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { childEntry } from '../lib/entry.ts'
import { parseMarkdown } from '../lib/markdown.ts'
import { offerDocument } from '../testing/offer-document.ts'
import { pdfText } from '../testing/pdf-text.ts'
import type { OfferDocument } from './offer-document.ts'
import { createPdfRenderer, type PdfRendererOptions } from './renderer.ts'

/** The compiler of the sources takes memory too. */
const memoryMb = 600
const renderer = createPdfRenderer({ memoryMb })
afterAll(() => renderer.close())

const render = (fields: Partial<OfferDocument> = {}) => renderer.render({ document: offerDocument(fields) })
const textOf = async (fields: Partial<OfferDocument>): Promise<string> => (await pdfText((await render(fields)).bytes)).join('\n')
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const withoutSpace = (text: string): string => text.replace(/\s+/gu, '')

const texts = {
  Latin: 'Leihräder für drei Tage',
  Cyrillic: 'Прокат велосипедов',
  Greek: 'Ενοικίαση ποδηλάτων',
  Arabic: 'تأجير الدراجات',
  Hebrew: 'השכרת אופניים',
  Japanese: '電動自転車のレンタル',
  Chinese: '电动自行车租赁三天',
  Korean: '전기 자전거 대여',
  Thai: 'เช่าจักรยานไฟฟ้า ผู้ใหญ่',
  Devanagari: 'साइकिल किराए पर',
}

describe('a PDF of an offer', () => {
  it('has all text and all figures of the offer', async () => {
    const text = await textOf({})
    const expected = ['Alpine Cycles', 'Seestrasse 12', 'Tax ID DE123456789', 'Jane Roe', 'P-1042', 'Three days of bicycles']
    const figures = ['Discount €120.00', '€105.00', '19%', '€1,356.60', '€350.00', '€416.50', 'Payment within 14 days.', 'Page 1 of 1']
    for (const each of [...expected, ...figures]) expect(text).toContain(each)
  })

  it('is tagged, with title, author and language', async () => {
    const { bytes } = await render({ language: 'de' })
    const file = latin1(bytes)
    expect(file).toMatch(/\/MarkInfo\s*<<[^>]*\/Marked true/)
    expect(file).toMatch(/\/StructTreeRoot/)
    expect(file).toMatch(/\/Lang\s*\(de\)/)
    expect(file).toContain('/Title (P-1042 Three days of bicycles)')
    expect(file).toContain('/Author (Alpine Cycles)')
    expect(file).toContain('/CreationDate (D:20261123093000Z)')
  })

  it('has the same bytes in another process', async () => {
    const other = createPdfRenderer({ memoryMb })
    await other.render({ document: offerDocument({ message: Object.values(texts).join('\n') }) })
    const again = await other.render({ document: offerDocument() })
    await other.close()
    expect(Buffer.from(again.bytes).equals((await render()).bytes)).toBe(true)
  })

  it('has the same bytes after documents of others, and nothing of them', async () => {
    const shared = createPdfRenderer({ memoryMb })
    const ofOther = offerDocument({
      heading: 'Confidential Falcon',
      message: Object.values(texts).join('\n'),
      attachments: [{ name: 'falcon.json', mediaType: 'application/json', description: 'Falcon', content: '{"falcon":true}' }],
    })
    const rendered: Buffer[] = []
    for (const document of [ofOther, offerDocument(), ofOther, ofOther, offerDocument(), offerDocument()])
      rendered.push(Buffer.from((await shared.render({ document })).bytes))
    await shared.close()
    const [other, own, otherAgain, otherLater, ownAgain, ownLater] = rendered
    expect([otherAgain, otherLater].map((bytes) => other?.equals(bytes ?? Buffer.of()))).toEqual([true, true])
    for (const bytes of [own, ownAgain, ownLater]) expect(bytes?.equals((await render()).bytes)).toBe(true)
    expect(other?.includes('falcon.json')).toBe(true)
    expect([own?.includes('falcon.json'), (await pdfText(own ?? Buffer.of())).join('').includes('Falcon')]).toEqual([false, false])
  })

  it.each(Object.entries(texts))('shows %s text', async (_script, text) => {
    const { bytes, warnings } = await render({ message: text, heading: text })
    const shown = withoutSpace((await pdfText(bytes)).join('\n'))
    expect(warnings).toEqual([])
    expect(shown.split(withoutSpace(text))).toHaveLength(3)
  })

  it('names the script of characters that no font has', async () => {
    const { bytes, warnings } = await render({ message: 'བོད་ཡིག \u{10330}' })
    expect(warnings).toEqual([expect.stringContaining('Tibetan, U+10330')])
    expect((await pdfText(bytes)).join('\n')).toContain('This document cannot show some characters: Tibetan, U+10330.')
  })

  it('shows letters and digits in their plain form if the fonts lack another form of them', async () => {
    const { bytes, warnings } = await render({ message: 'Ｃａｆé 𝐅𝐨𝐫𝐦', heading: 'Ｓｐｒｉｎｇ' })
    const text = (await pdfText(bytes)).join('\n')
    for (const shown of ['Café', 'Form', 'Spring']) expect(text).toContain(shown)
    expect([warnings, text.includes('\ufffd')]).toEqual([[], false])
  })

  it('shows markup of Typst, HTML and Markdown as text', async () => {
    const markup = ['#panic("x")', '#read("/etc/passwd")', '#include "a.typ"', '*b* _i_ $x$ `c`', '<script>alert(1)</script>']
    const more = ['**b** [a](http://example.com)', '")] #image("x.png")', '\\u{41} // c /* d */', '@label <label>', '= Heading', '- list']
    const all = [...markup, ...more].join('\n')
    const { bytes } = await render({
      heading: markup.join(' '),
      message: all,
      lines: [],
      sections: [{ type: 'text', title: markup.join(' '), blocks: [{ type: 'paragraph', runs: [{ text: all }] }] }],
    })
    const text = (await pdfText(bytes)).join('\n')
    for (const each of [...markup, ...more]) expect(text).toContain(each)
    expect(latin1(bytes)).not.toMatch(/\/URI|\/JavaScript|\/Subtype\s*\/Image/)
  })

  it('removes control characters and overrides of the direction', async () => {
    const text = await textOf({ message: 'amount \u202e001\u202c \u0007and\u0000 \u2066more\u2069 \ud800' })
    expect(text).toContain('amount 001 and more \ufffd')
  })

  it('breaks long words and long tables, and repeats the header', async () => {
    const [line] = offerDocument().lines
    if (line === undefined) throw new Error('The offer has no lines.')
    const description = 'ZZZZ '.repeat(100)
    const lines = Array.from({ length: 200 }, (_, at) => ({ ...line, description: at === 0 ? 'Z'.repeat(500) : description }))
    const pages = await pdfText((await render({ lines, heading: 'W'.repeat(200) })).bytes)
    const text = pages.join('')
    for (const page of pages.filter((each) => each.includes(line.total))) expect(page).toContain('Unit price')
    // Text beyond the edge of a page is not extracted.
    expect(text.match(/Z/g)).toHaveLength(500 + 199 * 400)
    expect(text.match(/W/g)).toHaveLength(200)
    expect(text).toContain(`Page ${pages.length} of ${pages.length}`)
  })

  it('shows formatted text, tagged and with its links', async () => {
    const markdown = `# Plan\n\n**Bold** *slanted* ~~struck~~ \`code\` [site](https://example.com/a)\n\n- one\n  1. two\n\n> quoted\n\n---\n\n\`\`\`\na  b\n\`\`\`\n\n|h|i|\n|-|-|\n|j|k|`
    const { bytes } = await render({ sections: [{ type: 'text', title: null, blocks: parseMarkdown(markdown) }] })
    const text = (await pdfText(bytes)).join('\n').replaceAll('\u00a0', ' ')
    for (const each of ['Plan', 'Bold slanted struck code site', 'one', 'two', 'quoted', 'a  b', 'h', 'i', 'j', 'k'])
      expect(text).toContain(each)
    const file = latin1(bytes)
    expect(file).toContain('/URI (https://example.com/a)')
    for (const tag of ['L', 'LI', 'BlockQuote', 'Table', 'TH', 'Link', 'Strong', 'Em']) expect(file).toMatch(new RegExp(`/S\\s*/${tag}\\b`))
    expect(file).toContain('NotoSans-Italic')
  })

  it('shows emphasized text of every script', async () => {
    const markdown = Object.values(texts)
      .map((text) => `***${text}***`)
      .join('\n')
    const { bytes, warnings } = await render({ sections: [{ type: 'text', title: null, blocks: parseMarkdown(markdown) }] })
    const shown = withoutSpace((await pdfText(bytes)).join('\n'))
    expect(warnings).toEqual([])
    for (const text of Object.values(texts)) expect(shown).toContain(withoutSpace(text))
  })

  it('breaks long words of formatted text, also where the style changes', async () => {
    const word = 'W'.repeat(500)
    const styles = Array.from({ length: 250 }, (_, at) => (at % 2 === 0 ? 'W' : '**W**')).join('')
    const markdown = `${word}\n\n## ${word}\n\n${'- '.repeat(10)}${word}\n\n\`\`\`\n${word}\n\`\`\`\n\n${'|a'.repeat(8)}|\n${'|-'.repeat(8)}|\n|${`${'W'.repeat(50)}|`.repeat(8)}\n\n${styles}`
    const { bytes } = await render({ sections: [{ type: 'text', title: null, blocks: parseMarkdown(markdown) }] })
    // Text beyond the edge of a page is not extracted.
    expect((await pdfText(bytes)).join('').match(/W/g)).toHaveLength(4 * 500 + 400 + 250)
  })

  it('carries its attachments', async () => {
    const attachments = [{ name: 'proposal.json', mediaType: 'application/json', description: 'The offer', content: '{"a":1}' }]
    const { bytes } = await render({ attachments })
    expect(latin1(bytes)).toMatch(/\/Type\s*\/Filespec/)
    expect(latin1(bytes)).toContain('proposal.json')
  })

  it('shows a drawn signature', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200"><path d="M10 10L500 150" fill="none" stroke="#111" stroke-width="3"/></svg>'
    const { bytes } = await render({ signatures: [{ name: 'Jane Roe', drawing, details: ['November 24, 2026'], wording: 'I accept.' }] })
    const text = (await pdfText(bytes)).join('\n')
    expect(text).toContain('I accept.')
    // The name is below the drawing only.
    expect(text.split('Jane Roe')).toHaveLength(3)
    expect(latin1(bytes)).toContain('/Figure')
  })
})

/** Returns the arguments of a process that runs `first` on its first start, and the renderer on every later one. */
function failingOnce(first: string): readonly string[] {
  const marker = join(mkdtempSync(join(tmpdir(), 'renderer-')), 'started')
  const [entry = '', ...rest] = childEntry(import.meta.url, './render-child').toReversed()
  const script = join(marker, '..', 'first.mjs')
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs'
     if (existsSync(${JSON.stringify(marker)})) await import(${JSON.stringify(`file://${entry}`)})
     else { writeFileSync(${JSON.stringify(marker)}, ''); process.on('message', () => { ${first} }); process.send({ type: 'ready' }) }`,
  )
  return [...rest.toReversed(), script]
}

/** Takes no processor time, which other tests need. */
const waitForever = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

describe('the PDF renderer', () => {
  const withFailure = async (first: string, options: PdfRendererOptions = {}): Promise<number> => {
    const failing = createPdfRenderer({ memoryMb, entry: failingOnce(first), ...options })
    try {
      return (await failing.render({ document: offerDocument() })).bytes.length
    } finally {
      await failing.close()
    }
  }

  it('repeats the document of a killed process', async () => {
    expect(await withFailure(`process.kill(process.pid, 'SIGKILL')`)).toBeGreaterThan(10_000)
  })

  it('repeats the document of a hung process', async () => {
    expect(await withFailure(waitForever, { timeoutMs: 10_000 })).toBeGreaterThan(10_000)
  })

  it('fails a document that ends every process', async () => {
    const failing = createPdfRenderer({
      memoryMb,
      entry: ['-e', `process.on('message', () => process.abort()); process.send({ type: 'ready' })`],
    })
    await expect(failing.render({ document: offerDocument() })).rejects.toThrow('The process failed.')
    await failing.close()
  })

  it('continues after a document that cannot be rendered', async () => {
    const signatures = [{ name: 'Jane Roe', drawing: 'no image', details: [], wording: null }]
    await expect(render({ signatures })).rejects.toThrow(/Typst/)
    expect((await render()).bytes.length).toBeGreaterThan(10_000)
  })

  it('accepts no document after it has been closed', async () => {
    const closed = createPdfRenderer({ memoryMb })
    await closed.close()
    await expect(closed.render({ document: offerDocument() })).rejects.toThrow(/closed/)
  })
})

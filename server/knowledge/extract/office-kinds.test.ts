import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { legacyPresentation } from '../../testing/compound-documents.ts'
import type { ExtractedDocument } from './document.ts'
import { cellFormats } from './cell-formats.ts'
import { parseDocument } from './parse.ts'

function blocksOf({ blocks, text }: ExtractedDocument): unknown[] {
  return blocks.map(({ kind, page, start, end }) => [kind, ...(page === undefined ? [] : [page]), text.slice(start, end)])
}

function zip(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`

describe('PowerPoint', () => {
  const shape = (place: string, paragraphs: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`
  const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
  const slide = (shapes: string, attributes = '') => `<p:sld${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
  const title = (text: string) => shape('<p:ph type="title"/>', paragraph(text))
  const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>
    <a:tr><a:tc gridSpan="2"><a:txBody>${paragraph('Loads')}</a:txBody></a:tc><a:tc hMerge="1"><a:txBody/></a:tc></a:tr>
    <a:tr><a:tc><a:txBody>${paragraph('K')}</a:txBody></a:tc><a:tc><a:txBody>${paragraph('V')}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  const point = (at: number, value: string) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`
  const chart = `<c:chartSpace><c:chart><c:title><a:t>Hires</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>2026</c:v></c:tx>
    <c:cat>${point(0, 'Q1')}${point(1, 'Q2')}</c:cat><c:val>${point(0, '4.4000000000000004')}${point(1, '7')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
  const parts = {
    '[Content_Types].xml':
      '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
    '_rels/.rels': relations([['r1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r3"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations([
      ['r1', 'slide', 'slides/a.xml'],
      ['r2', 'slide', 'slides/b.xml'],
      ['r3', 'slide', 'slides/c.xml'],
      ['r4', 'commentAuthors', 'authors.xml'],
    ]),
    'ppt/slides/a.xml': slide(
      title('Second') +
        table +
        '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r1"/></a:graphicData></a:graphic></p:graphicFrame>' +
        shape('<p:ph type="sldNum"/>', paragraph('2')),
    ),
    'ppt/slides/_rels/a.xml.rels': relations([
      ['r1', 'chart', '../charts/chart1.xml'],
      ['r2', 'notesSlide', '../notes/a.xml'],
      ['r3', 'comments', '../comments/a.xml'],
    ]),
    'ppt/slides/b.xml': slide(
      title('First') +
        shape(
          '<p:ph idx="1"/>',
          paragraph('intro', '<a:pPr><a:buNone/></a:pPr>') + paragraph('one') + paragraph('inner', '<a:pPr lvl="1"><a:buAutoNum/></a:pPr>'),
        ),
    ),
    'ppt/slides/c.xml': slide(title('Never shown'), ' show="0"'),
    'ppt/notes/a.xml': `<p:notes><p:cSld><p:spTree>${shape('<p:ph type="body"/>', paragraph('Say it slowly.'))}</p:spTree></p:cSld></p:notes>`,
    'ppt/charts/chart1.xml': chart,
    'ppt/authors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Front desk"/></p:cmAuthorLst>',
    'ppt/comments/a.xml': '<p:cmLst><p:cm authorId="0" dt="2026-01-02T00:00:00"><p:text>Check this</p:text></p:cm></p:cmLst>',
  }

  it('has its slides in order, with titles, lists, tables, charts, notes and comments', async () => {
    const document = await parseDocument({ bytes: zip(parts) })
    expect(document.pages).toBe(3)
    expect(document.warnings).toEqual(['1 of 3 slides are hidden and left out.'])
    expect(blocksOf(document)).toEqual([
      ['heading', 1, 'First'],
      ['paragraph', 1, 'intro'],
      ['list', 1, '- one\n  1. inner'],
      ['heading', 2, 'Second'],
      ['table', 2, '| Loads |  |\n| --- | --- |\n| K | V |'],
      ['paragraph', 2, 'Hires'],
      ['table', 2, '|  | 2026 |\n| --- | --- |\n| Q1 | 4.4 |\n| Q2 | 7 |'],
      ['paragraph', 2, 'Notes: Say it slowly.'],
      ['paragraph', 2, 'Comment (author: Front desk, time: 2026-01-02T00:00:00): Check this'],
    ])
  })

  it('repeats merged cells, but not titles or columns that are only spanned', async () => {
    const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${text && paragraph(text)}</a:txBody></a:tc>`
    const across = cell('', 'hMerge="1"')
    const rows = [
      [cell('Loads in 2026', 'gridSpan="3"'), across, across, cell('')],
      [cell('Depot', 'rowSpan="2"'), cell('Tonnes', 'gridSpan="2"'), across, cell('Trips')],
      [cell('', 'vMerge="1"'), cell('7', 'gridSpan="2"'), across, cell('9')],
    ]
    const merged = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.map((row) => `<a:tr>${row.join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    const document = await parseDocument({ bytes: zip({ ...parts, 'ppt/slides/b.xml': slide(merged) }) })
    expect(blocksOf(document)[0]).toEqual([
      'table',
      1,
      '| Loads in 2026 |  |  |\n| --- | --- | --- |\n| Depot | Tonnes | Trips |\n| Depot | 7 | 9 |',
    ])
  })

  it('has formulas as linear text, once', async () => {
    const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
    const squared = `<m:oMath>${run('A=π')}<m:sSup><m:e>${run('r')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath>`
    const text = (content: string) => `<a:r><a:t>${content}</a:t></a:r>`
    const formulas = shape(
      '<p:ph idx="1"/>',
      `<a:p>${text('The area is ')}<a14:m>${squared}</a14:m>${text('.')}</a:p>
       <a:p><mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:oMathPara>${squared}<m:oMath>${run('r=1')}</m:oMath></m:oMathPara></a14:m></mc:Choice><mc:Fallback>${text('A=πr2')}</mc:Fallback></mc:AlternateContent></a:p>`,
    )
    const picture = shape('<p:ph idx="1"/>', paragraph('A picture of the formula'))
    const alternative = `<mc:AlternateContent><mc:Choice Requires="a14">${formulas}</mc:Choice><mc:Fallback>${picture}</mc:Fallback></mc:AlternateContent>`
    const document = await parseDocument({ bytes: zip({ ...parts, 'ppt/slides/b.xml': slide(alternative) }) })
    expect(blocksOf(document)[0]).toEqual(['list', 1, '- The area is A = π r².\n- A = π r² r = 1'])
  })

  it('is refused if a part is damaged', async () => {
    const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])), { level: 0 })
    const at = Buffer.from(bytes).indexOf('intro')
    bytes[at] = 0x49
    await expect(parseDocument({ bytes })).rejects.toMatchObject({ code: 'corrupt_file' })
  })
})

describe('PowerPoint 97-2003', () => {
  it('has its slides as pages, with titles, lists, notes and comments', async () => {
    const document = await parseDocument({
      bytes: legacyPresentation([
        { title: 'First', lines: ['one', 'two'], notes: 'Say it slowly.', comment: { author: 'Front desk', text: 'Check this' } },
        { title: 'Never shown', lines: ['secret'], isHidden: true },
        { title: 'Third', lines: ['A sentence of its own – here.'] },
      ]),
    })
    expect(document).toMatchObject({ mediaType: 'application/vnd.ms-powerpoint', pages: 3 })
    expect(document.warnings).toEqual(['1 of 3 slides are hidden and left out.'])
    expect(blocksOf(document)).toEqual([
      ['heading', 1, 'First'],
      ['list', 1, '- one\n- two'],
      ['paragraph', 1, 'Notes: Say it slowly.'],
      ['paragraph', 1, 'Comment (author: Front desk, time: 2026-01-05T09:30:00): Check this'],
      ['heading', 3, 'Third'],
      ['paragraph', 3, 'A sentence of its own – here.'],
    ])
  })

  it('is refused if it is damaged', async () => {
    const bytes = legacyPresentation([{ title: 'First', lines: ['word '.repeat(2_000)] }])
    await expect(parseDocument({ bytes: bytes.subarray(0, 1_024) })).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt_file|unsupported_type/),
    })
  })
})

describe('Word', () => {
  const text = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`
  const paragraph = (content: string, properties = '') => `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`
  const commented = (id: number, content: string) =>
    `<w:commentRangeStart w:id="${id}"/>${text(content)}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`
  const docx = (body: string, comments?: string) =>
    zip({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      '_rels/.rels': relations([['r1', 'officeDocument', 'word/document.xml']]),
      'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}<w:sectPr/></w:body></w:document>`,
      ...(comments !== undefined && { 'word/comments.xml': `<w:comments>${comments}</w:comments>` }),
    })
  const run = (content: string) => `<m:r><m:t>${content}</m:t></m:r>`
  const area = `<m:oMath>${run('A=π')}<m:sSup><m:e>${run('r')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath>`

  it('has struck text between tildes, and the addresses of links', async () => {
    const struck = (content: string) => `<w:r><w:rPr><w:strike/></w:rPr><w:t>${content}</w:t></w:r>`
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const link = `${field('begin')}<w:r><w:instrText> HYPERLINK "tel:+442071838750" </w:instrText></w:r>${field('separate')}${text('Call us')}${field('end')}`
    const body = paragraph(text('Price: ') + struck('1') + struck('00') + text(' 80')) + paragraph(link)
    expect((await parseDocument({ bytes: docx(body) })).text).toBe('Price: ~~100~~ 80\n\nCall us (+442071838750)')
  })

  it('has formulas as linear text, in the sentence and on lines of their own', async () => {
    const lower = `<m:oMath>${run('a&lt;b')}</m:oMath>`
    const body =
      paragraph(`${text('The area is ')}${area}${text(' for a circle.')}`) + paragraph(`<m:oMathPara>${area}${lower}</m:oMathPara>`)
    expect(blocksOf(await parseDocument({ bytes: docx(body) }))).toEqual([
      ['paragraph', 'The area is A = π r² for a circle.'],
      ['paragraph', 'A = π r²\na < b'],
    ])
  })

  it('has the text of a table inside a cell', async () => {
    const cell = (content: string) => `<w:tc>${content}</w:tc>`
    const row = (...cells: readonly string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
    const table = (...rows: readonly string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
    const inner = table(row(paragraph(text('peak')), paragraph(text('5.00'))))
    const body = table(
      row(paragraph(text('Adults')), paragraph(text('4.20')) + inner + paragraph('')),
      row(paragraph(text('Children')), paragraph(text('2.10'))),
    )
    expect(blocksOf(await parseDocument({ bytes: docx(body) }))).toEqual([
      ['table', '| Adults | 4.20 peak 5.00 |\n| --- | --- |\n| Children | 2.10 |'],
    ])
  })

  it('has comments after the paragraph, list or table that they belong to', async () => {
    const comment = (id: number, content: string, more = 'w:author="Front desk" w:date="2026-01-02T00:00:00Z"') =>
      `<w:comment w:id="${id}" ${more}>${paragraph(text(content))}</w:comment>`
    const item = (content: string) => paragraph(content, '<w:pStyle w:val="ListBullet"/>')
    const table = `<w:tbl><w:tr><w:tc>${paragraph(commented(3, 'Price'))}</w:tc><w:tc>${paragraph(text('9'))}</w:tc></w:tr></w:tbl>`
    const body =
      paragraph(`${text('We open at ')}${commented(1, 'nine &amp; close')}${text(' at five.')}`) +
      paragraph(text('Then:')) +
      item(commented(2, 'one')) +
      item(text('two')) +
      table +
      paragraph(text('The end.'))
    const comments = comment(1, 'Check this &lt;now&gt;') + comment(2, 'First?') + comment(3, 'Too low', '') + comment(4, 'On a footnote')
    const document = await parseDocument({ bytes: docx(body, comments) })
    const told = document.text.split('\n\n')
    const order = (start: string) => told.findIndex((line) => line.startsWith(start))
    expect(told[1]).toBe('Comment on “nine & close” (author: Front desk, time: 2026-01-02T00:00:00Z): Check this <now>')
    expect(order('Comment on “one”')).toBeGreaterThan(order('Then:'))
    expect(told[order('Comment on “Price”')]).toBe('Comment on “Price”: Too low')
    expect(order('Comment on “Price”')).toBe(order('The end.') - 1)
    expect(told.at(-1)).toBe('Comment (author: Front desk, time: 2026-01-02T00:00:00Z): On a footnote')
    expect(document.text).toContain('one\n')
  })
})

describe('spreadsheets', () => {
  function book(type: 'xlsx' | 'biff8' | 'ods'): Uint8Array {
    const made = utils.book_new()
    const prices = utils.aoa_to_sheet([
      ['Trailer', 'Since', 'Price'],
      ['Plant', new Date(Date.UTC(2026, 0, 31)), 1234.5],
      ['Box', null, 80],
      [],
      [],
      ['Depot', 'Phone'],
      ['North', '020 7183 8750'],
    ])
    const cell = prices['C2'] as { z?: string }
    cell.z = '#,##0.00'
    utils.book_append_sheet(made, prices, 'Prices')
    utils.book_append_sheet(made, utils.aoa_to_sheet([['secret']]), 'Lists')
    made.Workbook = {
      Sheets: [
        { name: 'Prices', Hidden: 0 },
        { name: 'Lists', Hidden: 1 },
      ],
    }
    return new Uint8Array(write(made, { type: 'array', bookType: type, cellDates: true }) as ArrayBuffer)
  }

  it.each(['xlsx', 'biff8'] as const)('(%s) have a heading per sheet, its tables, and formatted values', async (type) => {
    const document = await parseDocument({ bytes: book(type) })
    expect(blocksOf(document)).toEqual([
      ['heading', 'Prices'],
      ['table', '| Trailer | Since | Price |\n| --- | --- | --- |\n| Plant | 2026-01-31 | 1,234.50 |\n| Box |  | 80 |'],
      ['table', '| Depot | Phone |\n| --- | --- |\n| North | 020 7183 8750 |'],
    ])
    expect(document.warnings).toEqual(['1 of 2 sheets are hidden and left out.'])
  })

  it.each(['xlsx', 'biff8', 'ods'] as const)('(%s) show all digits of telephone and article numbers', async (type) => {
    const made = utils.book_new()
    utils.book_append_sheet(
      made,
      utils.aoa_to_sheet([
        ['Depot', 442071838750],
        ['EAN', 4006381333931],
        ['Half', 123456789012.5],
        ['Mass', 5.97e24],
        ['Third', 1 / 3],
      ]),
    )
    const { text } = await parseDocument({ bytes: new Uint8Array(write(made, { type: 'array', bookType: type }) as ArrayBuffer) })
    for (const shown of ['442071838750', '4006381333931', '123456789012.5', '5.97E+24', '0.333333333'])
      expect(text.toUpperCase()).toContain(shown)
  })

  it('show all digits of these numbers in large workbooks too', () => {
    const show = cellFormats(undefined, undefined)
    expect(['442071838750', '4006381333931', '5.97E24', '12', '0.5'].map((value) => show(value, undefined))).toEqual([
      '442071838750',
      '4006381333931',
      '5.97E+24',
      '12',
      '0.5',
    ])
  })

  it('cost no more for distant cells', async () => {
    const cell = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`
    const bytes = zip({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      '_rels/.rels': relations([['r1', 'officeDocument', 'xl/workbook.xml']]),
      'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cell('A1', 'near')}</row><row r="1048576">${cell('XFD1048576', 'far')}</row></sheetData></worksheet>`,
    })
    expect((await parseDocument({ bytes })).text).toBe('S\n\nnear\n\nfar')
  })
})

describe('OpenDocument presentations', () => {
  it('have their slides as pages', async () => {
    const content = `<office:document-content><office:automatic-styles><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style></office:automatic-styles>
      <office:body><office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Depot</text:p></draw:text-box></draw:frame>
      <draw:frame><draw:text-box><text:list text:style-name="L1"><text:list-item><text:p>Keys</text:p></text:list-item><text:list-item><text:p>Form</text:p></text:list-item></text:list></draw:text-box></draw:frame>
      <presentation:notes><draw:text-box><text:p>Smile<text:line-break/>twice</text:p></draw:text-box></presentation:notes></draw:page></office:presentation></office:body></office:document-content>`
    const bytes = zip({
      mimetype: 'application/vnd.oasis.opendocument.presentation',
      'META-INF/manifest.xml': '<manifest:manifest/>',
      'content.xml': content,
    })
    expect(blocksOf(await parseDocument({ bytes }))).toEqual([
      ['heading', 1, 'Depot'],
      ['list', 1, '1. Keys\n2. Form'],
      ['paragraph', 1, 'Notes: Smile\ntwice'],
    ])
  })
})

describe('RTF', () => {
  it('keeps header and footer, once', async () => {
    const rtf = String.raw`{\rtf1\ansi{\header \pard Depot \{north\}\par}{\headerf \pard Depot \{north\}\par}\pard Body\par}`
    const { text } = await parseDocument({ bytes: strToU8(rtf) })
    expect(text.match(/Depot \{north\}/g)).toHaveLength(1)
    expect(text.indexOf('Body')).toBeLessThan(text.indexOf('Depot'))
  })
})

import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { legacyPresentation } from './compound-documents.ts'
import { makePdf } from './make-pdf.ts'
import { outlookItem } from './outlook-item.ts'
import { der, octetString, signedData } from './signed-data.ts'

/** A unique word of a document and its expected location. */
export interface Place {
  readonly word: string
  readonly page?: number
  /** Headings above it, outermost first; undefined if the format has none. */
  readonly headings?: readonly string[]
  /** Start time of the words around it. */
  readonly second?: number
}

export interface CitableDocument {
  readonly mediaType: string
  readonly fileName: string
  readonly bytes: Uint8Array
  readonly places: readonly Place[]
}

interface Section {
  readonly chapter: string
  readonly title: string
  readonly words: readonly string[]
}

const chapters = ['Lockers', 'Ramps', 'Ferries'] as const
const titles = ['North hall', 'South hall'] as const
const sections: readonly Section[] = chapters.flatMap((chapter, at) =>
  titles.map((title, of) => ({ chapter, title, words: [1, 2, 3, 4].map((number) => `K${at + 1}${of + 1}${number}`) })),
)
const walls = ['eastern', 'western', 'painted', 'crumbling']
/** Varies by chapter: the same line in every chapter would count as a running header. */
const wallOf = (word: string, at: number): string => walls[(at + Number(word[1])) % walls.length] ?? ''
const sentence = (word: string, at: number): string =>
  `Box ${word} leans on the ${wallOf(word, at)} wall, and whoever opens it finds “tools” – 🔧 – for the bench beside it.`
/** For formats that this module writes with Latin letters only. */
const plainSentence = (word: string, at: number): string =>
  `Box ${word} leans on the ${wallOf(word, at)} wall, and whoever opens it finds the tools for the bench beside it.`

const header = ['Code', 'What it is', 'Price of a day']
const goods = Array.from({ length: 30 }, (_, at) => [`P${100 + at}`, `cargo trailer with ${at + 2} wheels`, `${at + 10}.50`])
const wordOf = ([word = '']: readonly string[]): string => word
const priceList = 'Prices'

const underBoth: readonly Place[] = sections.flatMap(({ chapter, title, words }) =>
  words.map((word) => ({ word, headings: [chapter, title] })),
)
const inPrices: readonly Place[] = goods.map((row) => ({ word: wordOf(row), headings: [priceList] }))

function zip(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))
}

function plainText(): CitableDocument {
  const paragraphs = sections.flatMap(({ words }) => words.map(sentence))
  const places = sections.flatMap(({ words }) => words.map((word) => ({ word, headings: [] })))
  return { mediaType: 'text/plain', fileName: 'a.txt', bytes: strToU8(paragraphs.join('\r\n\r\n')), places }
}

function markdown(): CitableDocument {
  const rows = [header, header.map(() => '---'), ...goods].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const body = sections.map(
    ({ chapter, title, words }, at) => `${at % 2 === 0 ? `# ${chapter}\n\n` : ''}## ${title}\n\n${words.map(sentence).join('\n\n')}`,
  )
  const bytes = strToU8(`${body.join('\n\n')}\n\n# ${priceList}\n\n${rows}\n`)
  return { mediaType: 'text/markdown', fileName: 'a.md', bytes, places: [...underBoth, ...inPrices] }
}

const htmlSections = (level: number): string =>
  sections
    .map(
      ({ chapter, title, words }, at) =>
        `${at % 2 === 0 ? `<h${level}>${chapter}</h${level}>` : ''}<h${level + 1}>${title}</h${level + 1}>${words.map((word, of) => `<p>${sentence(word, of)}</p>`).join('')}`,
    )
    .join('\n')
const htmlRow = (cell: string, row: readonly string[]): string => `<tr>${row.map((value) => `<${cell}>${value}</${cell}>`).join('')}</tr>`

/** Returns a web page with citable text among navigation and other boilerplate. */
export function citablePage(): { html: string; places: readonly Place[] } {
  const table = `<table>${htmlRow('th', header)}${goods.map((row) => htmlRow('td', row)).join('')}</table>`
  const html = `<!doctype html><html lang="en"><head><title>The yard</title></head><body><nav><a href="/">Home</a></nav>
    <main>${htmlSections(2)}<h2>${priceList}</h2>${table}</main><footer>All rights reserved.</footer></body></html>`
  return { html, places: [...underBoth, ...inPrices] }
}

function htmlDocument(): CitableDocument {
  const { html: page, places } = citablePage()
  return { mediaType: 'text/html', fileName: 'a.html', bytes: strToU8(page), places }
}

const inChapter = (chapter: string): readonly string[] =>
  sections.filter((section) => section.chapter === chapter).flatMap(({ words }) => words)
const onPages: readonly Place[] = chapters.flatMap((chapter, at) =>
  inChapter(chapter).map((word) => ({ word, page: at + 1, headings: [chapter] })),
)

function pdf(): CitableDocument {
  const pages = chapters.map((chapter) => [chapter, ...inChapter(chapter).flatMap((word, at) => [plainSentence(word, at), ''])])
  return {
    mediaType: 'application/pdf',
    fileName: 'a.pdf',
    bytes: makePdf(pages),
    places: onPages,
  }
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = (main: string, type: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  '_rels/.rels': relations([['r1', 'officeDocument', main]]),
})
const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`

function docx(): CitableDocument {
  const paragraph = (value: string, style = ''): string =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${value}</w:t></w:r></w:p>`
  const row = (cells: readonly string[]): string => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`
  const body = sections.map(
    ({ chapter, title, words }, at) =>
      (at % 2 === 0 ? paragraph(chapter, 'Heading1') : '') +
      paragraph(title, 'Heading2') +
      words.map((each, of) => paragraph(sentence(each, of))).join(''),
  )
  const table = `<w:tbl>${[header, ...goods].map(row).join('')}</w:tbl>`
  const style = (level: number): string =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`
  const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const bytes = zip({
    ...packaged('word/document.xml', 'wordprocessingml.document'),
    'word/_rels/document.xml.rels': relations([['r1', 'styles', 'styles.xml']]),
    'word/styles.xml': `<w:styles ${namespace}>${style(1)}${style(2)}</w:styles>`,
    'word/document.xml': `<w:document ${namespace}><w:body>${body.join('')}${paragraph(priceList, 'Heading1')}${table}</w:body></w:document>`,
  })
  const mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  return { mediaType, fileName: 'a.docx', bytes, places: [...underBoth, ...inPrices] }
}

function powerPoint(): CitableDocument {
  const paragraph = (value: string): string => `<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>${value}</a:t></a:r></a:p>`
  const shape = (place: string, paragraphs: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`
  const slides = chapters.map((chapter, at) => {
    const body = inChapter(chapter).map((each, of) => paragraph(sentence(each, of)))
    const shapes = shape('<p:ph type="title"/>', paragraph(chapter)) + shape('<p:ph idx="1"/>', body.join(''))
    return [`ppt/slides/slide${at + 1}.xml`, `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`] as const
  })
  const bytes = zip({
    ...packaged('ppt/presentation.xml', 'presentationml.presentation'),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(slides.map((_, at) => [`r${at + 1}`, 'slide', `slides/slide${at + 1}.xml`])),
    ...Object.fromEntries(slides),
  })
  const mediaType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  return { mediaType, fileName: 'a.pptx', bytes, places: onPages }
}

function odfPresentation(): CitableDocument {
  const frame = (inside: string, attributes = ''): string =>
    `<draw:frame${attributes}><draw:text-box>${inside}</draw:text-box></draw:frame>`
  const pages = chapters.map((chapter) => {
    const body = inChapter(chapter).map((each, at) => `<text:p>${sentence(each, at)}</text:p>`)
    return `<draw:page>${frame(`<text:p>${chapter}</text:p>`, ' presentation:class="title"')}${frame(body.join(''))}</draw:page>`
  })
  const mediaType = 'application/vnd.oasis.opendocument.presentation'
  const bytes = openDocument(mediaType, `<office:presentation>${pages.join('')}</office:presentation>`)
  return { mediaType, fileName: 'a.odp', bytes, places: onPages }
}

function openDocument(mimetype: string, body: string): Uint8Array {
  const namespaces = ['office', 'text', 'table', 'draw', 'presentation'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
  )
  return zip({
    mimetype,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': `<office:document-content ${namespaces.join(' ')}><office:body>${body}</office:body></office:document-content>`,
  })
}

function odfText(): CitableDocument {
  const heading = (level: number, title: string): string => `<text:h text:outline-level="${level}">${title}</text:h>`
  const paragraph = (value: string): string => `<text:p>${value}</text:p>`
  const row = (cells: readonly string[]): string =>
    `<table:table-row>${cells.map((cell) => `<table:table-cell>${paragraph(cell)}</table:table-cell>`).join('')}</table:table-row>`
  const body = sections.map(
    ({ chapter, title, words }, at) =>
      (at % 2 === 0 ? heading(1, chapter) : '') + heading(2, title) + words.map((each, of) => paragraph(sentence(each, of))).join(''),
  )
  const table = `<table:table>${[header, ...goods].map(row).join('')}</table:table>`
  const mediaType = 'application/vnd.oasis.opendocument.text'
  const bytes = openDocument(mediaType, `<office:text>${body.join('')}${heading(1, priceList)}${table}</office:text>`)
  return { mediaType, fileName: 'a.odt', bytes, places: [...underBoth, ...inPrices] }
}

function spreadsheet(bookType: 'xlsx' | 'biff8' | 'ods', extension: string, mediaType: string): CitableDocument {
  const book = utils.book_new()
  const kept = utils.aoa_to_sheet([
    ['Box', 'Wall', 'Hall'],
    ...sections.flatMap(({ title, words }) => words.map((each, at) => [each, wallOf(each, at), title])),
  ])
  utils.book_append_sheet(book, kept, 'Boxes')
  utils.book_append_sheet(book, utils.aoa_to_sheet([header, ...goods]), priceList)
  const bytes = new Uint8Array(write(book, { type: 'array', bookType }) as ArrayBuffer)
  const boxes = sections.flatMap(({ words }) => words.map((each) => ({ word: each, headings: ['Boxes'] })))
  return { mediaType, fileName: `a.${extension}`, bytes, places: [...boxes, ...inPrices] }
}

const csvText = [header, ...goods].map((row) => row.join(',')).join('\n')

function csv(): CitableDocument {
  return {
    mediaType: 'text/csv',
    fileName: 'a.csv',
    bytes: strToU8(csvText),
    places: goods.map((row) => ({ word: wordOf(row), headings: [] })),
  }
}

function signed(): CitableDocument {
  const { bytes, places } = markdown()
  const content = octetString(Buffer.from(bytes).toString())
  return { mediaType: 'application/pkcs7-mime', fileName: 'a.md.p7m', bytes: signedData(der, content), places }
}

function epub(): CitableDocument {
  const item = (at: number): string => `c${at + 1}.xhtml`
  const pages = chapters.map((chapter, at) => {
    const body = sections
      .filter((section) => section.chapter === chapter)
      .map(({ title, words }) => `<h2>${title}</h2>${words.map((each, of) => `<p>${sentence(each, of)}</p>`).join('')}`)
    return [
      `OEBPS/${item(at)}`,
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${chapter}</title></head><body><h1>${chapter}</h1>${body.join('')}</body></html>`,
    ] as const
  })
  const bytes = zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/content.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The yard</dc:title></metadata><manifest>${pages.map((_, at) => `<item id="i${at}" href="${item(at)}" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${pages.map((_, at) => `<itemref idref="i${at}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(pages),
  })
  return { mediaType: 'application/epub+zip', fileName: 'a.epub', bytes, places: underBoth }
}

function rtf(): CitableDocument {
  const paragraphs = sections.flatMap(({ words }) => words.map(plainSentence))
  const bytes = strToU8(String.raw`{\rtf1\ansi ` + paragraphs.map((each) => String.raw`\pard ${each}\par`).join('\n') + '}')
  return {
    mediaType: 'application/rtf',
    fileName: 'a.rtf',
    bytes,
    places: sections.flatMap(({ words }) => words.map((each) => ({ word: each, headings: [] }))),
  }
}

function json(): CitableDocument {
  const prices = goods.map(([code, what, price]) => ({ code, what, price }))
  const notes = sections.flatMap(({ words }) => words.map(sentence))
  const places = [...sections.flatMap(({ words }) => words), ...goods.map(wordOf)].map((each) => ({ word: each }))
  return { mediaType: 'application/json', fileName: 'a.json', bytes: strToU8(JSON.stringify({ notes, prices })), places }
}

function xmlDocument(): CitableDocument {
  const body = chapters.map((chapter) => {
    const inside = sections.filter((section) => section.chapter === chapter)
    const parts = inside.map(
      ({ title, words }) => `<part><title>${title}</title>${words.map((each, at) => `<p>${sentence(each, at)}</p>`).join('')}</part>`,
    )
    return `<chapter><title>${chapter}</title>${parts.join('')}</chapter>`
  })
  const bytes = strToU8(`<?xml version="1.0"?><book>${body.join('')}</book>`)
  return { mediaType: 'application/xml', fileName: 'a.xml', bytes, places: underBoth }
}

function feed(): CitableDocument {
  const items = chapters.map(
    (chapter) =>
      `<item><title>${chapter}</title><description>${inChapter(chapter)
        .map((each, at) => `&lt;p&gt;${sentence(each, at)}&lt;/p&gt;`)
        .join('')}</description></item>`,
  )
  const bytes = strToU8(`<?xml version="1.0"?><rss version="2.0"><channel><title>The yard</title>${items.join('')}</channel></rss>`)
  const places = chapters.flatMap((chapter) => inChapter(chapter).map((each) => ({ word: each, headings: ['The yard', chapter] })))
  return { mediaType: 'application/xml', fileName: 'feed.xml', bytes, places }
}

function email(): CitableDocument {
  const body = sections.flatMap(({ words }) => words.map(plainSentence))
  const lines = [
    'From: Front Desk <desk@example.com>',
    'Subject: The yard',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=B',
    '',
    '--B',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body.join('\n\n'),
    '--B',
    'Content-Type: text/csv',
    'Content-Disposition: attachment; filename=prices.csv',
    '',
    csvText,
    '--B--',
  ]
  const places = [
    ...sections.flatMap(({ words }) => words.map((each) => ({ word: each, headings: [] }))),
    ...goods.map((row) => ({ word: wordOf(row), headings: ['Attachment: prices.csv'] })),
  ]
  return { mediaType: 'message/rfc822', fileName: 'a.eml', bytes: strToU8(lines.join('\n')), places }
}

function outlook(): CitableDocument {
  const bytes = outlookItem({
    subject: 'The yard',
    from: { name: 'Front Desk', address: 'desk@example.com' },
    body: sections.flatMap(({ words }) => words.map(plainSentence)).join('\r\n\r\n'),
    attachments: [{ name: 'prices.csv', mediaType: 'text/csv', bytes: strToU8(csvText) }],
  })
  return { ...email(), mediaType: 'application/vnd.ms-outlook', fileName: 'a.msg', bytes }
}

function mailbox(): CitableDocument {
  const messages = sections.map(({ chapter, title, words }) =>
    [
      'From desk@example.com Mon Jan  5 09:30:00 2026',
      'From: desk@example.com',
      `Subject: ${chapter}, ${title}`,
      '',
      words.map(plainSentence).join('\n\n'),
      '',
      '',
    ].join('\n'),
  )
  const places = sections.flatMap(({ chapter, title, words }) => words.map((word) => ({ word, headings: [`${chapter}, ${title}`] })))
  return { mediaType: 'application/mbox', fileName: 'a.mbox', bytes: strToU8(messages.join('')), places }
}

function oldPowerPoint(): CitableDocument {
  const slides = sections.map(({ chapter, title, words }) => ({ title: `${chapter}, ${title}`, lines: words.map(sentence) }))
  const places = sections.flatMap(({ chapter, title, words }, at) =>
    words.map((word) => ({ word, page: at + 1, headings: [`${chapter}, ${title}`] })),
  )
  return { mediaType: 'application/vnd.ms-powerpoint', fileName: 'a.ppt', bytes: legacyPresentation(slides), places }
}

/** Spoken words, five seconds each, with silence between chapters. */
export const citableTalk: readonly { readonly word: string; readonly second: number; readonly text: string }[] = sections.flatMap(
  ({ words }, at) => words.map((each, of) => ({ word: each, second: 3 + at * 30 + of * 5, text: plainSentence(each, of) })),
)
export const citableTalkPlaces: readonly Place[] = citableTalk.map(({ word: each, second }) => ({ word: each, second, headings: [] }))

function captions(mark: string, first: string, fileName: string, mediaType: string): CitableDocument {
  const time = (second: number): string => `00:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}${mark}000`
  const cues = citableTalk.map(({ second, text: said }, at) => `${at + 1}\n${time(second)} --> ${time(second + 5)}\n${said}`)
  return { mediaType, fileName, bytes: strToU8(`${first}${cues.join('\n\n')}\n`), places: citableTalkPlaces }
}

/** Returns a document of each kind and format, long enough for many passages and for tables that span several. */
export function citableDocuments(): CitableDocument[] {
  return [
    plainText(),
    markdown(),
    htmlDocument(),
    pdf(),
    docx(),
    powerPoint(),
    odfPresentation(),
    odfText(),
    spreadsheet('xlsx', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    spreadsheet('biff8', 'xls', 'application/vnd.ms-excel'),
    spreadsheet('ods', 'ods', 'application/vnd.oasis.opendocument.spreadsheet'),
    csv(),
    epub(),
    rtf(),
    json(),
    xmlDocument(),
    feed(),
    email(),
    outlook(),
    mailbox(),
    signed(),
    oldPowerPoint(),
    captions('.', 'WEBVTT\n\n', 'a.vtt', 'text/vtt'),
    captions(',', '', 'a.srt', 'application/x-subrip'),
  ]
}

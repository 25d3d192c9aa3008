import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { zipSync, strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { evaluationPath } from '../../testing/evaluation-data.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'
import { parseDocument } from './parse.ts'

function read(text: string | Uint8Array, fileName: string, contentType?: string): Promise<ExtractedDocument> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return parseDocument({ bytes, fileName, ...(contentType && { contentType }) })
}

async function codeOf(input: ExtractInput): Promise<string> {
  return parseDocument(input).then(
    () => 'ok',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

function blocksOf(document: ExtractedDocument): (readonly [string, string])[] {
  return document.blocks.map(({ kind, start, end }) => [kind, document.text.slice(start, end)] as const)
}

/** Returns the violations of the extractor's contract and the database's limits in a document. */
function faultsOf(document: ExtractedDocument): string[] {
  const { text, blocks, pages } = document
  const texts = blocks.map(({ start, end }) => text.slice(start, end))
  const sound: Record<string, boolean> = {
    'blocks tile the text': texts.length > 0 && texts.join('\n\n') === text,
    'blocks stand in order': blocks.every(({ start }, at) => start === (at === 0 ? 0 : (blocks[at - 1]?.end ?? 0) + 2)),
    'blocks are tight': texts.every((part) => part.trim() !== '' && !/\s$/.test(part)),
    'only code holds empty lines': blocks.every(({ kind }, at) => kind === 'code' || !texts[at]?.includes('\n\n')),
    'headings are one line with a level': blocks.every(({ kind, level }, at) =>
      kind === 'heading' ? !!level && !texts[at]?.includes('\n') : level === undefined,
    ),
    'pages are of the document': blocks.every(({ page }) => page === undefined || (page >= 1 && page <= (pages ?? 0))),
    // oxlint-disable-next-line no-control-regex
    'nothing is invisible': !/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/u.test(text),
    'it is in NFC': text === text.normalize('NFC'),
  }
  return Object.keys(sound).filter((promise) => !sound[promise])
}

describe('every type', () => {
  const anyText = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '# ',
        '\n',
        '\n\n',
        '- ',
        '|',
        '```\n',
        '<p>',
        '</div>',
        '<table><tr><td>',
        '"',
        ',',
        ';',
        '\t',
        '\u0000',
        '\uD800',
        '\u202E',
        '<li>',
        '<h2>',
      ),
    ),
  )
  it.each(['a.txt', 'a.md', 'a.csv', 'a.html'])('returns spans that cover the text of any %s', async (fileName) => {
    await fc.assert(
      fc.asyncProperty(anyText, async (pieces) => {
        // A NUL in the bytes makes them binary, which is another test.
        const bytes = new TextEncoder().encode(`words ${pieces.join(' ').replaceAll('\u0000', '')}`)
        expect(faultsOf(await parseDocument({ bytes, fileName }))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('refuses documents without text', async () => {
    for (const text of ['', ' \n\t ', '\uFEFF', '\u200B\u202E'])
      expect(await codeOf({ bytes: new TextEncoder().encode(text), fileName: 'a.txt' })).toBe('empty_content')
    expect(await codeOf({ bytes: new TextEncoder().encode('<!doctype html><div id=root></div><noscript>Turn it on</noscript>') })).toBe(
      'empty_content',
    )
  })
})

describe('the type', () => {
  it('is detected from the content, independent of the name', async () => {
    expect((await read('<html><body><h1>Not Word</h1></body></html>', 'a.docx')).mediaType).toBe('text/html')
    expect((await read('<!-- x --><!DOCTYPE html><p>page</p>', 'a.txt', 'text/plain')).mediaType).toBe('text/html')
    expect((await read('{\\rtf1 rich}', 'a.txt')).mediaType).toBe('application/rtf')
  })

  it('follows the name or the declared type if the content is text', async () => {
    const text = 'a,b\n1,2\n'
    expect((await read(text, 'a.csv')).mediaType).toBe('text/csv')
    expect((await read(text, 'a.txt')).mediaType).toBe('text/plain')
    expect((await read(text, 'a', 'text/markdown; charset=utf-8')).mediaType).toBe('text/markdown')
    expect((await read('name;age\nAnn;31\nBob;42\n', 'upload')).mediaType).toBe('text/csv')
    expect((await read('# Title\n\nText, more, of it.\n', 'upload')).mediaType).toBe('text/markdown')
    expect((await read('One line, and more.\nAnother, as well.\n', 'upload')).mediaType).toBe('text/plain')
  })

  it('is named in the error if it is not supported', async () => {
    const png = Uint8Array.from([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
    ])
    await expect(read(png, 'a.txt')).rejects.toMatchObject({ code: 'unsupported_type', message: expect.stringContaining('image/png') })
    expect(await codeOf({ bytes: Buffer.from(`\x89PNG\r\n\x1a\n${'0'.repeat(100)}`, 'latin1') })).toBe('unsupported_type')
    expect(await codeOf({ bytes: Uint8Array.from({ length: 900 }, (_, at) => (at * 73) % 251) })).toBe('unsupported_type')
    expect(await codeOf({ bytes: zipSync({ 'a.txt': strToU8('hello') }), fileName: 'a.docx' })).toBe('unsupported_type')
  })
})

describe('text in any encoding', () => {
  it.each<[string, number[] | Uint8Array]>([
    ['Grüße, ça va', new TextEncoder().encode('Grüße, ça va')],
    ['Grüße, ça va', [0xef, 0xbb, 0xbf, ...new TextEncoder().encode('Grüße, ça va')]],
    ['Grüße aus Köln', [0xff, 0xfe, ...Buffer.from('Grüße aus Köln', 'utf16le')]],
    ['plain text without a mark', Buffer.from('plain text without a mark', 'utf16le')],
    ['Grüße aus Köln, ça va très bien', Buffer.from('Grüße aus Köln, ça va très bien', 'latin1')],
    ['Renée’s œuvre – 5 €', Buffer.from('Ren\xe9e\x92s \x9cuvre \x96 5 \x80', 'latin1')],
    ['名前,年齢', [0x96, 0xbc, 0x91, 0x4f, 0x2c, 0x94, 0x4e, 0x97, 0xee]],
  ])('reads %s', async (text, bytes) => expect((await read(Uint8Array.from(bytes), 'a.txt')).text).toBe(text))

  it('uses the declared charset unless the bytes are UTF-8', async () => {
    expect((await read(Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'a.txt', 'text/plain; charset=windows-1251')).text).toBe(
      'Привет',
    )
    expect((await read('Привет', 'a.txt', 'text/plain; charset=iso-8859-1')).text).toBe('Привет')
    const page = Buffer.concat([Buffer.from('<html><meta charset="windows-1251"><p>'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])])
    expect((await read(page, 'a.html')).text).toBe('Привет')
  })

  it('keeps the valid parts of malformed UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('good grüße '), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(' good end')])
    expect((await read(bytes, 'a.txt')).text).toMatch(/^good grüße .* good end$/)
  })

  it('drops invisible characters except those that spelling needs', async () => {
    expect((await read('a\u0007b\u202Ec\u200Bd\u00ADe f\uFEFFg می\u200Cخواهم 👩\u200D🚀', 'a.txt')).text).toBe(
      'abcde fg می\u200Cخواهم 👩\u200D🚀',
    )
    expect((await read('key\u200Cboard, 2\u200D4, Auf\u034Flage, 鍵\u200D盤', 'a.txt')).text).toBe('keyboard, 24, Auflage, 鍵盤')
  })

  it('reads text with a few NUL bytes', async () => {
    const log = `${'2026-01-05 10:00:01 pump started\n'.repeat(40)}\0\0\0\n2026-01-05 10:07:44 pump restarted\n`
    const { mediaType, text } = await read(log, 'pump.log')
    expect(mediaType).toBe('text/plain')
    expect(text.endsWith('pump started\n2026-01-05 10:07:44 pump restarted')).toBe(true)
  })
})

describe('the language', () => {
  const prose = [
    'Die Pumpe wird erst eingeschaltet, wenn der untere Behälter mindestens halb gefüllt ist.',
    'Danach prüfen Sie bitte den Druck am Ventil und tragen den Wert in das Protokoll ein.',
    'Bei einem Fehler wird die Anlage sofort abgeschaltet und der Dienst benachrichtigt.',
  ]
  const code = [
    'for (const valve of valves.filter((valve) => valve.isOpen)) { await valve.close({ force: true }) }',
    'if (pressure.value > limits.maximum) throw new PressureError(`The pressure is too high: ${pressure.value}`)',
    'export function readPressure(sensor: Sensor, options: ReadOptions = {}): Promise<Reading> {',
    'return sensor.read({ timeout: options.timeout ?? defaultTimeout, retries: options.retries ?? 3 });',
  ]

  it('of a technical document is that of its prose', async () => {
    const text = Array.from({ length: 30 }, (_, at) => [...code, prose[at % prose.length] ?? '']).flat()
    expect((await read(text.join('\n\n'), 'manual.txt')).language).toBe('de')
  })

  it('of a document without sentences is that of its words', async () => {
    expect((await read('Schraubenschlüssel\n\nUnterlegscheibe\n\nGewindestange\n\nSechskantmutter', 'a.txt')).language).toBe('de')
  })
})

describe('Markdown', () => {
  it('becomes blocks', async () => {
    const source =
      '---\ntitle: "The title"\n---\n# One *two*\n\nText with [a link](http://x/) and `code`\nwrapped.\n\n- a\n  - b\n\n  more\n- c\n\n3. x\n4. y\n\n| A | B |\n|---|---|\n| 1 | 2\\|3 |\n\n```js\nlet a\n\nlet b\n```\n\n> quoted\n\n<div>raw <b>html</b></div>\n'
    const document = await read(source, 'a.md')
    expect(faultsOf(document)).toEqual([])
    expect(document.title).toBe('The title')
    expect(blocksOf(document)).toEqual([
      ['heading', 'One two'],
      ['paragraph', 'Text with a link and code\nwrapped.'],
      ['list', '- a\n  - b\n  more\n- c'],
      ['list', '3. x\n4. y'],
      ['table', '| A | B |\n| --- | --- |\n| 1 | 2\\|3 |'],
      ['code', 'let a\n\nlet b'],
      ['paragraph', 'quoted'],
      ['paragraph', 'raw html'],
    ])
  })
})

describe('Markdown as GitHub writes it', () => {
  it('has task lists, strikethrough, and footnotes in place', async () => {
    const source =
      '# Plan\n\n- [ ] to do\n- [x] done ~~late~~\n\nA claim[^1] and ![a chart](c.png)<br>of it; 1 &lt; 2 \\*.\n\n[^1]: Its source,\n    twice.\n[^2]: Of nothing.\n\nThe end.\n'
    expect(blocksOf(await read(source, 'a.md'))).toEqual([
      ['heading', 'Plan'],
      ['list', '- to do\n- done ~~late~~'],
      ['paragraph', 'A claim and a chart\nof it; 1 < 2 *.'],
      ['paragraph', 'Its source,\ntwice.'],
      ['paragraph', 'Of nothing.'],
      ['paragraph', 'The end.'],
    ])
  })
})

describe('struck text and addresses of links', () => {
  it('of HTML', async () => {
    const html = `<html><body><main><p>Price: <del>1<b>00</b> </del><ins>80</ins> <span style="color:red; text-decoration: line-through">60</span> euros.</p>
      <del><p>The shop is closed.</p></del><ul><li><s>50</s> 40</li></ul>
      <p><a href="tel:+442071838750">Call us</a>, <a href="tel:+442071838750">020 7183 8750</a>, <a href="mailto:desk%40example.com?subject=Hi">mail us</a>,
      <a href="mailto:desk@example.com">Desk@example.com</a>, <a href="mailto:?body=Read">share</a>, <a href="https://example.com">prices</a></p>
      <table><tr><th>Who</th><th>How</th></tr><tr><td>Desk</td><td><a href="tel:+442071838750">call</a></td></tr></table></main></body></html>`
    expect(blocksOf(await read(html, 'a.html'))).toEqual([
      ['paragraph', 'Price: ~~100~~ 80 ~~60~~ euros.'],
      ['paragraph', 'The shop is closed.'],
      ['list', '- ~~50~~ 40'],
      ['paragraph', 'Call us (+442071838750), 020 7183 8750, mail us (desk@example.com), Desk@example.com, share, prices'],
      ['table', '| Who | How |\n| --- | --- |\n| Desk | call (+442071838750) |'],
    ])
  })

  it('of Markdown', async () => {
    const source =
      'Price: ~~100~~ <del>90</del> 80. [Call **us**](tel:+442071838750) or [mail](mailto:desk@example.com), <desk@example.com>.'
    expect((await read(source, 'a.md')).text).toBe(
      'Price: ~~100~~ ~~90~~ 80. Call us (+442071838750) or mail (desk@example.com), desk@example.com.',
    )
  })
})

describe('CSV', () => {
  it.each([',', ';', '\t', '|'])('with %j as delimiter becomes a table', async (delimiter) => {
    const rows = [
      ['Name', 'Note'],
      ['"Ann"', `"a${delimiter}b ""c""\nd"`],
      ['Bob', ''],
    ]
    const document = await read(`\uFEFF${rows.map((row) => row.join(delimiter)).join('\r\n')}\r\n`, 'a.csv')
    const inner = `a${delimiter === '|' ? '\\|' : delimiter === '\t' ? ' ' : delimiter}b "c" d`
    expect(blocksOf(document)).toEqual([['table', `| Name | Note |\n| --- | --- |\n| Ann | ${inner} |\n| Bob |  |`]])
  })

  it('survives an unclosed quote', async () => {
    const document = await read('a,b\n1,"never closed\n2,x\n'.repeat(200), 'a.csv')
    expect(document.text.split('\n').length).toBeGreaterThan(400)
  })
})

describe('HTML', () => {
  it.each([
    '<!doctype html><body>',
    '<html><meta charset="utf-8"><body>',
    '<meta charset="utf-8"><title>Prices</title><body>',
    '<!doctype html><head><title>Prices</title><body>',
    '<html lang="en"><head><title>Prices</title></head><script>"<body>"</script><noscript>x</noscript><body class="a">',
    '<html><head><script>document.write("<body><p>x")</script></head><body>',
    '<!doctype html><title>Prices</title>',
    '',
  ])('is complete after the optional tags %s', async (start) => {
    const { text } = await read(`${start}<h1>Bicycle hire</h1><p>A day costs twelve euros.</p>`, 'page.html')
    expect(text.replace(/^x\s*/, '')).toBe('Bicycle hire\n\nA day costs twelve euros.')
  })

  const long = 'This sentence is long enough to count as running text of the article, and says so at length. '.repeat(4)
  it('is reduced to its main content', async () => {
    const html = `<!doctype html><html lang="en-GB"><head><title>Page</title><script>var x</script></head><body>
      <nav><a href="/">Home</a> <a href="/b">Shop</a></nav>
      <article><h1>Returns</h1><p>${long}</p><h2>How</h2><p>First<br>second <b>bo</b>ld.</p><p>${long}</p>
      <ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><pre>a  b\n\n c</pre>
      <table><tr><th>K</th><th>V</th></tr><tr><td rowspan=2>k</td><td>1</td></tr><tr><td>2</td></tr></table></article>
      <div style="color:red; display : none">HIDDEN</div><p hidden>HIDDEN</p><!-- HIDDEN --><footer>Imprint</footer></body></html>`
    const document = await read(html, 'a.html')
    expect(faultsOf(document)).toEqual([])
    expect(document).toMatchObject({ title: 'Page', language: 'en' })
    expect(document.text).not.toMatch(/HIDDEN|Imprint|Shop|var x/)
    expect(blocksOf(document).map(([kind]) => kind)).toEqual(expect.arrayContaining(['heading', 'paragraph', 'list', 'code', 'table']))
    expect(document.text).toContain('First\nsecond bold.')
    expect(document.text).toContain('- one\n  - inner\n- two')
    expect(document.text).toContain('a  b\n\n c')
    expect(document.text).toContain('| K | V |\n| --- | --- |\n| k | 1 |\n| k | 2 |')
  })

  it('keeps the contact details in the footer of a home page', async () => {
    const details = '<p>1 Quay Road</p><p>Phone: <a href="tel:+442071838750">020 7183 8750</a></p><p>Open from 9 to 17.</p>'
    const page = (footer: string): string =>
      `<html><body><header><nav><a href="/b">Shop</a></nav></header><main><h1>Bicycles</h1><p>${long}</p><p>${long}</p></main>
      <footer><nav><a href="/imprint">Imprint</a></nav><ul><li><a href="/terms">Terms</a></li></ul>${footer}</footer></body></html>`
    const textAt = async (url: string, footer = details): Promise<string> =>
      (await parseDocument({ bytes: Buffer.from(page(footer)), contentType: 'text/html', url })).text
    for (const path of ['', '/', '/index.html', '/de/', '/en-gb?a=b']) {
      const text = await textAt(`https://example.com${path}`)
      expect(text).toMatch(/at length\.\n\n1 Quay Road\n\nPhone: 020 7183 8750\n\nOpen from 9 to 17\.$/)
      expect(text).not.toMatch(/Shop|Imprint|Terms/)
    }
    expect(await textAt('https://example.com/prices')).not.toContain('Quay Road')
    expect(await textAt('https://example.com/', '<p>© Example</p>')).not.toContain('Example')
    expect(await textAt('https://example.com/', details.repeat(40))).not.toContain('Quay Road')
  })

  it('survives deep nesting', async () => {
    const deep = (tag: string) => `<html><body>${`<${tag}>`.repeat(60_000)}deep text${`</${tag}>`.repeat(60_000)}</body></html>`
    for (const tag of ['div', 'b', 'ul', 'table']) expect((await read(deep(tag), 'a.html')).text).toContain('deep text')
  })

  it('separates paragraphs with unclosed tags', async () => {
    const document = await read(
      `<html><body>${Array.from({ length: 400 }, (_, at) => `<p>Paragraph ${at}`).join('\n')}</body></html>`,
      'a.html',
    )
    expect(document.blocks).toHaveLength(400)
  })
})

describe('Word', () => {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
  const rels =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
  const docx = (body: string, doctype = '') =>
    zipSync({
      '[Content_Types].xml': strToU8(types),
      '_rels/.rels': strToU8(rels),
      'word/document.xml': strToU8(
        `<?xml version="1.0"?>${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
      ),
    })
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

  it('becomes blocks', async () => {
    const table = `<w:tbl>${['A,B', '1,2']
      .map(
        (row) =>
          `<w:tr>${row
            .split(',')
            .map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`)
            .join('')}</w:tr>`,
      )
      .join('')}</w:tbl>`
    const heading = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>'
    const document = await read(docx(heading + paragraph('Text') + table), 'a.docx')
    expect(faultsOf(document)).toEqual([])
    expect(document.mediaType).toContain('wordprocessingml')
    expect(blocksOf(document)).toContainEqual(['paragraph', 'Text'])
    expect(blocksOf(document)).toContainEqual(['table', '| A | B |\n| --- | --- |\n| 1 | 2 |'])
  })

  it('omits hidden text', async () => {
    const run = (text: string, properties = '') => `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t>${text}</w:t></w:r>`
    const hidden = run('SECRET', '<w:b/><w:vanish/>') + run('SECRET', '<w:vanish w:val="true"/>')
    const shown = run(', and seen', '<w:vanish w:val="0"/>')
    expect((await read(docx(`<w:p>${run('Seen')}${hidden}${shown}</w:p>`), 'a.docx')).text).toBe('Seen, and seen')
  })

  it('is refused if it is truncated, a zip bomb, or declares entities', async () => {
    const whole = docx(paragraph('Text'))
    expect(await codeOf({ bytes: whole.subarray(0, whole.length - 100) })).toBe('corrupt_file')
    expect(await codeOf({ bytes: docx('<w:p/>'.repeat(6_000_000)) })).toBe('too_large')
    expect(await codeOf({ bytes: docx(paragraph('&x;'), '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>') })).toBe('corrupt_file')
  })
})

describe('PDF', () => {
  const handbook = new URL('../../../examples/handbook.pdf', import.meta.url)
  it('has pages and headings', async () => {
    const document = await read(readFileSync(handbook), 'a.txt')
    expect(faultsOf(document)).toEqual([])
    expect(document.mediaType).toBe('application/pdf')
    expect(document.pages).toBeGreaterThan(1)
    expect(new Set(document.blocks.map(({ page }) => page)).size).toBe(document.pages)
    expect(document.blocks.filter(({ kind }) => kind === 'heading').length).toBeGreaterThan(2)
  })

  it('is refused if it is damaged or a decompression bomb', async () => {
    expect(await codeOf({ bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5_000, 'noise')]) })).toBe('corrupt_file')
  })
})

describe('the expansion of small files', () => {
  it('is limited for overlapping cell spans', async () => {
    const cells = '<td rowspan=1000 colspan=1000>x</td>'.repeat(50)
    const { text } = await parseDocument({ bytes: Buffer.from(`<table>${`<tr>${cells}</tr>`.repeat(50)}</table>`), fileName: 'a.html' })
    expect(text.length).toBeLessThan(100_000)
  })

  it('is limited for a whole document', async () => {
    await expect(parseDocument({ bytes: Buffer.alloc(2 ** 26 + 1, 'key ') })).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('64 MB') as string,
    })
  })
})

/** Folders of documents with a manifest. */
const folders = [join(import.meta.dirname, '../../../e2e/documents'), evaluationPath('docs')].filter((folder) => folder !== null)
const readable = new Set(['pdf', 'docx', 'html', 'md', 'txt', 'csv', 'odt', 'epub', 'rtf'])
const wholeDocuments = folders.flatMap((folder) => {
  const [, ...rows] = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n')
  const paths = rows.map((row) => row.split('\t')).filter(([, kind]) => kind !== undefined && readable.has(kind))
  return paths.map(([path = '']) => ({ path, file: join(folder, path) }))
})
describe('whole documents', () => {
  it.each(wholeDocuments)(
    '$path satisfies the contract',
    async ({ path, file }) => {
      expect(faultsOf(await parseDocument({ bytes: readFileSync(file), fileName: path }))).toEqual([])
    },
    240_000,
  )
})

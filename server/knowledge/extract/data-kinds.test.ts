import { describe, expect, it } from 'vitest'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'

function read(text: string, fileName = 'upload'): Promise<ExtractedDocument> {
  return parseDocument({ bytes: new TextEncoder().encode(text), fileName })
}

function blocksOf({ blocks, text }: ExtractedDocument): string[][] {
  return blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])
}

describe('JSON', () => {
  it('becomes lines under their key paths, and tables for uniform objects', async () => {
    const order = {
      id: 1,
      customer: { name: 'Yard desk', tags: ['new', 'trade'], note: null },
      lines: [
        { item: 'Box trailer', days: 2 },
        { item: 'Ramp', days: 1 },
      ],
      mixed: [{ a: { b: true } }, 'x'],
    }
    const document = await read(JSON.stringify({ order }))
    expect(document.mediaType).toBe('application/json')
    expect(blocksOf(document)).toEqual([
      ['paragraph', 'order.id: 1'],
      ['paragraph', 'order.customer.name: Yard desk\norder.customer.tags: new, trade'],
      ['paragraph', 'order.lines:'],
      ['table', '| item | days |\n| --- | --- |\n| Box trailer | 2 |\n| Ramp | 1 |'],
      ['paragraph', 'order.mixed[0].a.b: true'],
      ['paragraph', 'order.mixed[1]: x'],
    ])
  })

  it('keeps the fields of a record together', async () => {
    expect(blocksOf(await read('{"id":1,"by":{"name":"Ada"}}\n{"id":2,"by":{"name":"Bo"}}', 'a.jsonl'))).toEqual([
      ['paragraph', '[0].id: 1\n[0].by.name: Ada'],
      ['paragraph', '[1].id: 2\n[1].by.name: Bo'],
    ])
  })

  it('has one value per line with all digits, at any depth', async () => {
    expect((await read('{"id":12345678901234567890,"t":"say \\"123456789012345678\\""}\n{"id":2,"t":"x"}\n')).text).toContain(
      '| 12345678901234567890 | say "123456789012345678" |',
    )
    expect((await read(`${'['.repeat(3000)}"deep"${']'.repeat(3000)}`)).text).toContain('deep')
    expect((await read('{"a": 1, broken', 'a.json')).mediaType).toBe('text/plain')
  })
})

describe('a table with more rows than arguments fit on the stack', () => {
  const rows = 150_000
  const last = `| ${rows - 1} | x${rows - 1} |`
  const numbers = Array.from({ length: rows }, (_, row) => row)

  it.each([
    ['csv', `id,name\n${numbers.map((row) => `${row},x${row}`).join('\n')}`],
    ['json', JSON.stringify(numbers.map((id) => ({ id, name: `x${id}` })))],
    ['jsonl', numbers.map((id) => JSON.stringify({ id, name: `x${id}` })).join('\n')],
  ])('is read from %s', async (kind, content) => {
    const { text } = await read(content, `large.${kind}`)
    expect(text.split('\n')).toHaveLength(rows + 2)
    expect([text.slice(0, 38), text.endsWith(last)]).toEqual(['| id | name |\n| --- | --- |\n| 0 | x0 |', true])
  })
})

describe('XML', () => {
  it('becomes headings and paragraphs for text, and key paths for data', async () => {
    const document = await read(
      '<?xml version="1.0"?><book><title>Towing</title><para>Check the <em>hitch</em> first.</para><part no="7"><name>Hitch</name><price>40 &amp; up</price></part></book>',
    )
    expect(document.mediaType).toBe('application/xml')
    expect(blocksOf(document)).toEqual([
      ['heading', 'Towing'],
      ['paragraph', 'Check the hitch first.'],
      ['paragraph', 'book.part.no: 7\nbook.part.name: Hitch\nbook.part.price: 40 & up'],
    ])
  })

  it('resolves no custom entities', async () => {
    const bomb = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY x SYSTEM "file:///etc/passwd">]>`
    const { text } = await read(`<?xml version="1.0"?>${bomb}<d><p>kept &b; &x;</p></d>`)
    expect(text).toContain('kept')
    expect(text).not.toMatch(/haha|root:/)
    await expect(read(`<?xml version="1.0"?>${'<a>'.repeat(2_000)}x`)).rejects.toMatchObject({ code: 'corrupt_file' })
  })

  it('of a feed becomes its entries', async () => {
    const document = await read(
      `<?xml version="1.0"?><rss><channel><title>News</title><item><title>Open late</title><dc:creator>Desk</dc:creator><pubDate>Mon, 5 Jan 2026</pubDate>
       <description>short</description><content:encoded><![CDATA[<p>Until <b>nine</b>.</p>]]></content:encoded></item></channel></rss>`,
    )
    expect(blocksOf(document)).toEqual([
      ['heading', 'News'],
      ['heading', 'Open late'],
      ['paragraph', 'Desk\nMon, 5 Jan 2026'],
      ['paragraph', 'Until nine.'],
    ])
  })

  it('of an article becomes its sections, tables and references', async () => {
    const document = await read(
      `<?xml version="1.0"?><article><front><article-meta><title-group><article-title>Brakes</article-title></title-group>
       <contrib-group><contrib contrib-type="author"><name><surname>Desk</surname><given-names>North</given-names></name></contrib></contrib-group>
       <abstract><p>Short.</p></abstract></article-meta></front>
       <body><sec><title>Method</title><p>Of 10<sup>6</sup> stops.<table-wrap><label>Table 1</label><caption><p>Stops</p></caption><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></table-wrap></p></sec></body>
       <back><ref-list><ref><element-citation><name><surname>Yard</surname><given-names>S</given-names></name><article-title>Axles</article-title><source>Tow</source><year>2020</year></element-citation></ref></ref-list></back></article>`,
    )
    expect(document.title).toBe('Brakes')
    expect(blocksOf(document)).toEqual([
      ['heading', 'Brakes'],
      ['paragraph', 'North Desk'],
      ['heading', 'Abstract'],
      ['paragraph', 'Short.'],
      ['heading', 'Method'],
      ['paragraph', 'Of 10^6 stops.'],
      ['paragraph', 'Table 1 Stops'],
      ['table', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
      ['heading', 'References'],
      ['list', '- S Yard. Axles. Tow (2020)'],
    ])
  })
})

describe('email', () => {
  const attachment = Buffer.from('part,price\nhitch,40\nramp,20\n').toString('base64')
  const message = [
    'From: Front Desk <desk@example.com>',
    'To: "Yard" <yard@example.com>, office@example.com',
    'Date: Mon, 5 Jan 2026 09:30:00 +0100',
    'Subject: =?utf-8?q?Return_of_the_tr=C3=A4iler?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=B',
    '',
    '--B',
    'Content-Type: multipart/alternative; boundary=C',
    '',
    '--C',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Please view as HTML.',
    '--C',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>It comes back on Monday.</p><p style="display:none">HIDDEN</p><ul><li>${'keys '.repeat(20)}</li></ul>`,
    '--C--',
    '--B',
    'Content-Type: text/csv; name=prices.csv',
    'Content-Disposition: attachment; filename=prices.csv',
    'Content-Transfer-Encoding: base64',
    '',
    attachment,
    '--B',
    'Content-Type: application/zip; name=a.zip',
    'Content-Disposition: attachment; filename=a.zip',
    'Content-Transfer-Encoding: base64',
    '',
    'UEsDBAAA',
    '--B--',
  ]

  it.each(['\n', '\r\n'])('has its headers as title, the longer body and its attachments (line ends %j)', async (end) => {
    const document = await read(message.join(end), 'a.txt')
    expect(document).toMatchObject({
      mediaType: 'message/rfc822',
      title: 'Return of the träiler (from Front Desk <desk@example.com>, to Yard, office@example.com, 2026-01-05 08:30 UTC)',
    })
    expect(document.text).not.toMatch(/HIDDEN|view as HTML/)
    expect(blocksOf(document)).toEqual([
      ['paragraph', 'It comes back on Monday.'],
      ['list', `- ${'keys '.repeat(20).trim()}`],
      ['heading', 'Attachment: prices.csv'],
      ['table', '| part | price |\n| --- | --- |\n| hitch | 40 |\n| ramp | 20 |'],
    ])
    expect(document.warnings).toEqual([expect.stringMatching(/^The attachment a\.zip is left out/)])
  })

  it('keeps the sender of an attached message, and a subject without a body', async () => {
    const inner = ['From: yard@example.com', 'Subject: Keys', 'MIME-Version: 1.0', 'Content-Type: text/plain', '', 'They are in the box.']
    const outer = [
      'From: desk@example.com',
      'Subject: Keys are in the box',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=B',
      '',
      '--B',
      'Content-Type: message/rfc822; name=keys.eml',
      'Content-Disposition: attachment; filename=keys.eml',
      '',
      ...inner,
      '--B--',
    ]
    expect(blocksOf(await read(outer.join('\n')))).toEqual([
      ['heading', 'Attachment: keys.eml: Keys (from yard@example.com)'],
      ['paragraph', 'They are in the box.'],
    ])
    expect(blocksOf(await read(`${outer.slice(0, 3).join('\n')}\n\n`))).toEqual([['heading', 'Keys are in the box']])
  })

  it('is not detected by its beginning alone', async () => {
    expect((await read('From: here to there\nwe went on.\n')).mediaType).toBe('text/plain')
    expect((await read('Note: a\nDate: b\n\nText')).mediaType).toBe('text/plain')
  })
})

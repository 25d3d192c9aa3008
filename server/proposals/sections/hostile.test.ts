import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { pngImage } from '../../testing/images.ts'
import { pdfAttachments, pdfText } from '../../testing/pdf-text.ts'
import { pageClient, sendProposalTo } from '../../testing/proposal-page.ts'
import { upload } from '../../testing/sources.ts'

const { app, organization } = await testApp()
const page = pageClient(app)

const scripts = [
  'Leihräder',
  'Прокат',
  'Ενοικίαση',
  'تأجير',
  'השכרת',
  '電動自転車',
  '자전거',
  'เช่าจักรยาน',
  'साइकिल',
  'emoji \u{1f6b2}\u{1f1e9}\u{1f1ea}',
]
const injections = [
  '#panic("x") #read("/etc/passwd") #include "a.typ"',
  '")] #image("x.png") \\u{41} $x$ @label',
  '<script>alert(1)</script><img src=x onerror=alert(1)><iframe src="https://evil.example">',
  '</p></div></main><form action="https://evil.example"><input>',
  '![a](https://evil.example/x.png) [b](javascript:alert) [c](data:text/html,x) [d](//evil.example)',
  '&lt;script&gt; ${1} {{1}} <!-- -->',
]
const override = 'Total \u202e00.001\u202c and \u2067x\u2069 end'
const long = Array.from({ length: 200 }, () => 'ZZZZ '.repeat(100).trim())
const sections = [
  { type: 'text', text: injections.join('\n\n') },
  { type: 'text', text: injections.map((each) => `> - ${each}`).join('\n\n') },
  { type: 'terms', text: [...scripts, ...scripts.map((each) => `**${each}** *${each}*`), override, 'W'.repeat(500)].join('\n\n') },
  ...Array.from({ length: 8 }, (_, index) => ({ type: 'text', text: long.slice(index * 25, index * 25 + 25).join('\n') })),
]

const pdfOf = async ({ token }: Caller, { id }: { id: string }): Promise<Buffer> =>
  (await app.inject({ url: `/v1/proposals/${id}/pdf`, headers: { authorization: `Bearer ${token}` } })).rawPayload

describe('hostile sections', () => {
  it('are text in the PDF: nothing is executed, fetched, cut off or hidden', { timeout: 300_000 }, async () => {
    const caller = await organization()
    const proposal = await sendProposalTo(caller, { sections })
    const pdf = await pdfOf(caller, proposal)
    const text = (await pdfText(pdf)).join('\n')
    const dense = text.replace(/\s+/gu, '')
    // Text beyond the edge of a page is not extracted.
    expect([text.match(/Z/g)?.length, text.match(/W/g)?.length]).toEqual([200 * 400, 501])
    const shown = injections.join('').replaceAll('![a](https://evil.example/x.png)', '!a').replaceAll('&lt;script&gt;', '<script>')
    for (const each of shown.match(/[a-z#<]+/g) ?? []) expect(dense).toContain(each)
    for (const each of scripts) expect(dense).toContain(each.replace(/\s+/gu, ''))
    expect(text).toContain('Total 00.001 and x end')
    const file = pdf.toString('latin1')
    expect(file).not.toMatch(/\/JavaScript|\/Launch|\/SubmitForm|\/GoToR|\/Subtype\s*\/Image/)
    expect(new Set(file.match(/\/URI \([^)]*\)/g))).toEqual(new Set(['/URI (https://evil.example/x.png)', '/URI (https://evil.example)']))
    expect(pdfAttachments(pdf)).toHaveLength(1)
    expect(file).toMatch(/\/MarkInfo\s*<<[^>]*\/Marked true/)
  })

  it('are text on the page', async () => {
    const caller = await organization()
    const { html } = await page.get((await sendProposalTo(caller, { sections })).url)
    const elements = new Set([...html.matchAll(/<\/?([a-z]+[0-9]?)/gi)].map(([, name = '']) => name.toLowerCase()))
    for (const name of ['iframe', 'object', 'embed', 'svg', 'img', 'base']) expect([name, elements.has(name)]).toEqual([name, false])
    expect(html.match(/<script[^>]*>/g)).toEqual([expect.stringContaining('/p/assets/')])
    expect(html.match(/<form[^>]*action="(?!\/p\/)/g)).toBeNull()
    expect(html).not.toMatch(/href="(?!https:\/\/evil\.example(?:\/x\.png)?"|\/p\/)/)
    expect(html).not.toMatch(/<[^>]*\son\w+=/)
    expect(html).toContain('Total 00.001 and x end')
  })

  it('with images of extreme shapes are shown', async () => {
    const caller = await organization()
    const images = [
      { width: 16_000, height: 1 },
      { width: 1, height: 16_000 },
      { width: 1, height: 1 },
    ]
    const shaped = []
    for (const size of images) shaped.push({ type: 'image', storageUrl: await upload(app, caller, pngImage(size)), alt: 'x' })
    const pdf = await pdfOf(caller, await sendProposalTo(caller, { sections: shaped }))
    expect((await pdfText(pdf)).join('\n')).toContain('Page 1 of')
    expect(pdf.toString('latin1').match(/\/Subtype\s*\/Image/g)?.length).toBeGreaterThanOrEqual(3)
  })
})

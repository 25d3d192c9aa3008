import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deleteStoredFilesWork } from '../../files/stored-files.ts'
import { newId } from '../../lib/ids.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { endDelays } from '../../testing/delayed-jobs.ts'
import { exifData, jpegImage, pngImage } from '../../testing/images.ts'
import { makePdf } from '../../testing/make-pdf.ts'
import { pdfAttachments } from '../../testing/pdf-text.ts'
import { pageClient, proposeTo } from '../../testing/proposal-page.ts'
import { upload } from '../../testing/sources.ts'

const { app, platform, database, organization } = await testApp({
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})
const page = pageClient(app)

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const get = async ({ token }: Caller, url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } })
const draftWith = async (caller: Caller, sections: object[]) => proposeTo(caller, { sections, draft: true })

/** Returns the keys of the stored files of an organization, except its uploads. */
async function storedFiles({ organizationId }: Caller): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of platform.storage.files()) if (key.startsWith(`${organizationId}/files/`)) keys.push(key)
  return keys
}

const deletions = (): Promise<void> => endDelays(database, deleteStoredFilesWork.name)

describe('an image of a proposal', () => {
  it('is a copy without metadata, part of the hash, and shown on the page and in the PDF', async () => {
    const caller = await organization()
    const storageUrl = await upload(app, caller, jpegImage([0xe1, exifData(6)]))
    const proposal = await proposeTo(caller, { sections: [{ type: 'image', storageUrl, alt: 'A <bicycle>' }] })
    const [section] = proposal.sections
    expect(section).toMatchObject({ type: 'image', alt: 'A <bicycle>', mediaType: 'image/jpeg', width: 4, height: 6 })
    const file = await get(caller, `/v1/proposals/${proposal.id}/files/${section.sha256}`)
    expect(file.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': String(section.sizeBytes),
    })
    expect([sha256(file.rawPayload), file.rawPayload.includes('GPS')]).toEqual([section.sha256, false])
    const { html } = await page.get(proposal.url)
    const source = `${new URL(proposal.url).pathname}/files/${section.sha256}`
    expect(html).toContain(`<img src="${source}" width="4" height="6" alt="A &lt;bicycle&gt;" loading="lazy" />`)
    const shown = await app.inject({ url: source })
    expect([shown.statusCode, shown.headers['cache-control'], shown.headers['x-content-type-options']]).toEqual([
      200,
      'no-store',
      'nosniff',
    ])
    expect(shown.rawPayload.equals(file.rawPayload)).toBe(true)
    const pdf = (await get(caller, `/v1/proposals/${proposal.id}/pdf`)).rawPayload.toString('latin1')
    expect(pdf).toMatch(/\/Subtype\s*\/Image/)
    expect(pdf).toContain('/Alt (A <bicycle>)')
  })

  it('is only at the link of its own proposal, and not at that of a withdrawn one', async () => {
    const caller = await organization()
    const sections = async () => [{ type: 'image', storageUrl: await upload(app, caller, pngImage()), alt: 'x' }]
    const one = await proposeTo(caller, { sections: await sections() })
    const other = await proposeTo(caller)
    const path = (proposal: { url: string }, hash: string): string => `${new URL(proposal.url).pathname}/files/${hash}`
    const { sha256: hash } = one.sections[0]
    const statusOf = async (url: string) => (await app.inject({ url })).statusCode
    expect([await statusOf(path(one, hash)), await statusOf(path(other, hash)), await statusOf(path(one, 'x'))]).toEqual([200, 404, 404])
    await caller.call('POST', `/v1/proposals/${one.id}/void`, { reason: 'No longer offered' })
    expect(await statusOf(path(one, hash))).toBe(404)
    const stranger = await organization()
    expect((await get(stranger, `/v1/proposals/${one.id}/files/${hash}`)).statusCode).toBe(404)
  })

  it('can be uploaded with the scope of proposals alone, which adds no source', async () => {
    const caller = await organization()
    const sender = await organization({ scopes: ['contacts:write', 'proposals:write'] })
    const storageUrl = await upload(app, sender, pngImage())
    const sections = [{ type: 'image', storageUrl, alt: 'One' }]
    expect((await draftWith(sender, sections)).sections).toEqual([expect.objectContaining({ type: 'image', alt: 'One' })])
    expect(await draftWith(caller, sections)).toMatchObject({ error: { code: 'validation_error', field: 'sections.0.storageUrl' } })
    const source = { name: 'x', type: 'file', storageUrl }
    expect((await sender.call('POST', `/v1/bases/kb_${newId()}/sources`, source)).body.error).toMatchObject({
      code: 'forbidden',
      message: 'The API token lacks the scope sources:write.',
    })
    const reader = await organization({ scopes: ['proposals:read', 'sources:read'] })
    const { body } = await reader.call('POST', '/v1/uploads', { fileName: 'a.png', sizeBytes: 5 })
    expect(body.error.message).toBe('The API token lacks the scope sources:write or proposals:write or contacts:write.')
  })

  it('stays in a draft that names its hash, and is deleted with the last section and with the draft', async () => {
    const caller = await organization()
    const storageUrl = await upload(app, caller, pngImage())
    const draft = await draftWith(caller, [{ type: 'image', storageUrl, alt: 'One' }])
    const { sha256: hash } = draft.sections[0]
    const files = await storedFiles(caller)
    expect(files).toHaveLength(1)
    const patch = (sections: object[] | null) => caller.call('PATCH', `/v1/proposals/${draft.id}`, { sections })
    expect((await patch([{ type: 'image', sha256: hash, alt: 'Two' }])).body.sections).toEqual([{ ...draft.sections[0], alt: 'Two' }])
    const again = await draftWith(caller, [{ type: 'image', storageUrl, alt: 'Same upload' }])
    await patch(null)
    await deletions()
    // The other draft still uses the file.
    expect(await storedFiles(caller)).toEqual(files)
    expect(await patch([{ type: 'image', sha256: hash, alt: 'x' }])).toMatchObject({
      status: 422,
      body: { error: { field: 'sections.0.sha256' } },
    })
    expect((await get(caller, `/v1/proposals/${draft.id}/files/${hash}`)).statusCode).toBe(404)
    expect((await caller.call('DELETE', `/v1/proposals/${again.id}`)).status).toBe(204)
    await deletions()
    expect(await storedFiles(caller)).toEqual([])
    // Nobody can bring the content back with the former upload.
    expect(await patch([{ type: 'image', storageUrl, alt: 'x' }])).toMatchObject({
      status: 422,
      body: { error: { field: 'sections.0.storageUrl' } },
    })
  })

  it('is in duplicates and revisions too, and deleted with the last draft', async () => {
    const caller = await organization()
    const storageUrl = await upload(app, caller, pngImage())
    const draft = await draftWith(caller, [
      { type: 'text', text: 'Hello' },
      { type: 'image', storageUrl, alt: 'One' },
    ])
    const { body: copy } = await caller.call('POST', `/v1/proposals/${draft.id}/duplicate`)
    expect(copy).toMatchObject({ sections: draft.sections, contentVersion: 3, contentHash: draft.contentHash })
    await caller.call('DELETE', `/v1/proposals/${draft.id}`)
    await deletions()
    const file = `/v1/proposals/${copy.id}/files/${draft.sections[1].sha256}`
    expect((await get(caller, file)).rawPayload.equals(pngImage())).toBe(true)
    await caller.call('DELETE', `/v1/proposals/${copy.id}`)
    await deletions()
    expect([(await get(caller, file)).statusCode, await storedFiles(caller)]).toEqual([404, []])
  })

  it('is checked and not stored by a preview', async () => {
    const caller = await organization()
    const storageUrl = await upload(app, caller, pngImage())
    const draft = await draftWith(caller, [])
    const body = { title: 'Website', contactId: draft.contactId, totalAmount: '1', sections: [{ type: 'image', storageUrl, alt: 'x' }] }
    const preview = await caller.call('POST', '/v1/proposals/preview', body)
    expect(preview.body.sections).toMatchObject([{ type: 'image', width: 6 }])
    expect(await storedFiles(caller)).toEqual([])
    expect((await caller.call('POST', '/v1/proposals', { ...body, draft: true })).body.contentHash).not.toBe(draft.contentHash)
  })

  it.each([
    ['a bomb', pngImage({ width: 15_000, height: 15_000 }, Buffer.alloc(10)), /pixels/],
    ['pixels that cannot be decoded', pngImage({}, Buffer.alloc(3)), /damaged/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /PNG or JPEG/],
    ['a PDF', Buffer.from(makePdf([['x']])), /PNG or JPEG/],
    ['more than 10 MB', Buffer.alloc(10_000_001), /larger than 10 MB/],
  ])('cannot be %s', async (_kind, bytes, message) => {
    const caller = await organization()
    const refusal = await draftWith(caller, [{ type: 'image', storageUrl: await upload(app, caller, bytes), alt: 'x' }])
    expect(refusal.error).toMatchObject({
      code: 'validation_error',
      field: 'sections.0.storageUrl',
      message: expect.stringMatching(message),
    })
    expect(await storedFiles(caller)).toEqual([])
  })

  it('needs an upload of the organization', async () => {
    const [caller, stranger] = [await organization(), await organization()]
    const storageUrl = await upload(app, stranger, pngImage())
    const refusal = await draftWith(caller, [
      { type: 'text', text: 'a' },
      { type: 'image', storageUrl, alt: 'x' },
    ])
    expect(refusal.error).toMatchObject({ code: 'validation_error', field: 'sections.1.storageUrl' })
  })
})

describe('an attached PDF', () => {
  it('can be downloaded from the page, and is in the PDF of the proposal', async () => {
    const caller = await organization()
    const bytes = Buffer.from(makePdf([['Data sheet']]))
    const storageUrl = await upload(app, caller, bytes)
    const proposal = await proposeTo(caller, { sections: [{ type: 'attachment', storageUrl, name: 'Data "sheet" <1>' }] })
    const [section] = proposal.sections
    expect(section).toEqual({
      type: 'attachment',
      name: 'Data "sheet" <1>',
      sha256: sha256(bytes),
      mediaType: 'application/pdf',
      sizeBytes: bytes.length,
    })
    const path = `${new URL(proposal.url).pathname}/files/${section.sha256}`
    expect((await page.get(proposal.url)).html).toContain(`<a href="${path}"><bdi>Data &quot;sheet&quot; &lt;1&gt;</bdi></a> (PDF, 0.1 MB)`)
    const download = await app.inject({ url: path })
    expect(download.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment/),
    })
    expect(download.rawPayload.equals(bytes)).toBe(true)
    const pdf = (await get(caller, `/v1/proposals/${proposal.id}/pdf`)).rawPayload
    expect(pdfAttachments(pdf)).toContain(bytes.toString())
    expect(pdf.toString('latin1')).toContain('attachment-1.pdf')
  })

  it('must be a PDF, and all files together have at most 10 MB', async () => {
    const caller = await organization()
    const attached = async (bytes: Buffer) => ({ type: 'attachment', storageUrl: await upload(app, caller, bytes), name: 'x' })
    const html = await draftWith(caller, [await attached(Buffer.from('<html>%PDF-%%EOF'))])
    expect(html.error).toMatchObject({ field: 'sections.0.storageUrl', message: 'The file must be a PDF.' })
    const large = (fill: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(6_000_000, fill), Buffer.from('%%EOF')])
    const one = await attached(large(1))
    const twice = await draftWith(caller, [one, one])
    expect(twice.sections).toHaveLength(2)
    const two = await draftWith(caller, [one, await attached(large(2))])
    expect(two.error).toMatchObject({ field: 'sections', message: 'The files of a proposal can have at most 10 MB in all.' })
  })
})

describe('the logo of an organization', () => {
  it('is shown on pages and in PDFs, and deleted with the next one', async () => {
    const caller = await organization()
    const set = async (logo: object | null) => caller.call('PATCH', '/v1/organization', { logo })
    expect((await get(caller, '/v1/organization/logo')).statusCode).toBe(404)
    const first = await set({ storageUrl: await upload(app, caller, pngImage({ chunks: [['tEXt', Buffer.from('GPS')]] })) })
    expect(first.body.logo).toEqual({
      sha256: sha256(pngImage()),
      mediaType: 'image/png',
      sizeBytes: pngImage().length,
      width: 6,
      height: 4,
    })
    const proposal = await proposeTo(caller)
    const path = `${new URL(proposal.url).pathname}/logo`
    expect((await page.get(proposal.url)).html).toContain(`<img class="logo" src="${path}" width="6" height="4" alt="" />`)
    const shown = await app.inject({ url: path })
    expect([shown.statusCode, shown.headers['content-type'], shown.rawPayload.equals(pngImage())]).toEqual([200, 'image/png', true])
    const pdf = (await get(caller, `/v1/proposals/${proposal.id}/pdf`)).rawPayload.toString('latin1')
    expect(pdf).toMatch(/\/Subtype\s*\/Image/)
    // The content of the proposal does not depend on the logo.
    const storageUrl = await upload(app, caller, jpegImage())
    expect((await set({ storageUrl })).body.logo).toMatchObject({ mediaType: 'image/jpeg' })
    expect((await set({ storageUrl })).status).toBe(200)
    expect((await caller.call('GET', `/v1/proposals/${proposal.id}`)).body.contentHash).toBe(proposal.contentHash)
    await deletions()
    expect(await storedFiles(caller)).toHaveLength(1)
    expect((await get(caller, '/v1/organization/logo')).headers['content-type']).toBe('image/jpeg')
    expect((await set(null)).body.logo).toBeNull()
    await deletions()
    expect([await storedFiles(caller), (await app.inject({ url: path })).statusCode]).toEqual([[], 404])
  })

  it('can have at most 4 megapixels', async () => {
    const caller = await organization()
    const bytes = pngImage({ width: 2001, height: 2000 })
    const refusal = await caller.call('PATCH', '/v1/organization', { logo: { storageUrl: await upload(app, caller, bytes) } })
    expect(refusal).toMatchObject({
      status: 422,
      body: { error: { field: 'logo.storageUrl', message: 'The logo can have at most 4 megapixels.' } },
    })
  })
})

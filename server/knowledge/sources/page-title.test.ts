import type { Source } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled, upload } from '../../testing/sources.ts'

const site = await startSite()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()
const base = await newBase(owner)
const origin = `http://${site.host}`

function page(path: string, title: string, head = ''): void {
  const html = `<html><head><title>${title}</title>${head}</head><body><main><p>The lamp ${path} is lit at dusk.</p></main></body></html>`
  site.pages.set(path, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
}

async function cited(source: Source): Promise<{ url: string; title: string | null; name: string }> {
  const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'lamp', sourceIds: [source.id] })
  const [{ url, citation, sourceName }] = body.data
  return { url, title: citation.title, name: sourceName }
}

describe('a source of type url', () => {
  it('keeps its name and shows the title and canonical URL of its page', async () => {
    page('/lamp?ref=7', 'Our lamp', '<link rel="canonical" href="/lamp">')
    const url = `${origin}/lamp?ref=7`
    const source = await settled(owner, await addPage(owner, base, url, { name: 'Mine' }))
    expect(source).toMatchObject({ name: 'Mine', url, title: 'Our lamp', canonicalUrl: `${origin}/lamp` })
    expect(await cited(source)).toEqual({ name: 'Mine', title: 'Our lamp', url: `${origin}/lamp` })
  })

  it('is called in the audit log by the title of its page, or by the name that it was given', async () => {
    page('/audited', 'The audited lamp')
    for (const [name, called] of [
      [`${site.host}/audited`, 'The audited lamp'],
      ['Mine', 'Mine'],
    ] as const) {
      const source = await settled(owner, await addPage(owner, base, `${origin}/audited`, { name }))
      const { body } = await owner.call('GET', `/v1/audit?targetId=${source.id}`)
      expect(body.data[0].targetName).toBe(called)
    }
  })

  it('is cited with the URL after redirects, but not with that of another site', async () => {
    site.pages.set('/old', (response) => response.writeHead(301, { location: '/new' }).end())
    page('/new', 'Moved', '<link rel="canonical" href="https://elsewhere.example/new">')
    const source = await settled(owner, await addPage(owner, base, `${origin}/old`))
    expect(source).toMatchObject({ url: `${origin}/old`, canonicalUrl: `${origin}/new`, title: 'Moved' })
    expect((await cited(source)).url).toBe(`${origin}/new`)
  })

  it('shows the new title after a sync, and the previous one if that fails', async () => {
    page('/lantern', 'Lantern')
    const source = await settled(owner, await addPage(owner, base, `${origin}/lantern`))
    const sync = async (): Promise<Source> => {
      await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/sync`)
      return settled(owner, source)
    }
    page('/lantern', 'Lantern, revised', '<link rel="canonical" href="/lanterns/1">')
    expect(await sync()).toMatchObject({ title: 'Lantern, revised', canonicalUrl: `${origin}/lanterns/1` })
    site.pages.delete('/lantern')
    expect(await sync()).toMatchObject({ errorCode: 'not_found', title: 'Lantern, revised', canonicalUrl: `${origin}/lanterns/1` })
  })
})

describe('the language of a knowledge base', () => {
  const add = async (baseId: string, text: string): Promise<Source> => {
    const storageUrl = await upload(app, owner, Buffer.from(text))
    return settled(owner, (await owner.call('POST', `/v1/bases/${baseId}/sources`, { name: 'f', type: 'file', storageUrl })).body)
  }

  it('only applies to texts without a detectable language', async () => {
    const { body } = await owner.call('POST', '/v1/bases', { name: 'B', language: 'DE-at' })
    expect(body.language).toBe('de-AT')
    expect((await add(body.id, 'WLAN: 4711')).language).toBe('de')
    expect((await add(body.id, 'The opening hours of the office are listed on the door beside the bell.')).language).toBe('en')
    expect((await add(base, 'WLAN: 4711')).language).toBeNull()
  })

  it('can be changed and cleared, and is a BCP 47 tag', async () => {
    const id = await newBase(owner)
    const change = (language: unknown) => owner.call('PATCH', `/v1/bases/${id}`, { language })
    expect((await change('pt-br')).body.language).toBe('pt-BR')
    expect((await owner.call('PATCH', `/v1/bases/${id}`, { name: 'C' })).body.language).toBe('pt-BR')
    expect((await change(null)).body.language).toBeNull()
    expect(await change('not a tag')).toMatchObject({ status: 422, body: { error: { field: 'language' } } })
  })
})

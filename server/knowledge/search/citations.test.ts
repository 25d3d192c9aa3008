import type { SearchHit, Source, SourceContent } from '@groundwork/api'
import { readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { citableDocuments, citablePage, citableTalk, citableTalkPlaces, type Place } from '../../testing/citable-documents.ts'
import { evaluationPath } from '../../testing/evaluation-data.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { startSite } from '../../testing/site.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'
import { fakeVideos } from '../../testing/videos.ts'
import { kinds } from '../extract/kinds.ts'

const talk = { languageCode: 'en', said: citableTalk.map(({ second, text }) => [second * 1000, 5000, text] as const) }
const service = fakeVideos(new Map([['citable-vid', { title: 'The yard', tracks: [talk] }]]))
const site = await startSite()
const guarded = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization } = await testApp({
  embedder: unitEmbedder,
  worker: { outbound: { ...guarded, trustedFetch: () => service.fetch } },
  youtubeUrl: service.baseUrl,
})
const owner = await organization()
const origin = `http://${site.host}`
const examples = join(import.meta.dirname, '../../../examples')
const root = join(import.meta.dirname, '../../..')
const kindNames = new Set('csv docx eml epub html json md odp ods odt pdf pptx rtf txt xlsx xml captions'.split(' '))
const { html, places: placesOfPage } = citablePage()
for (const [path, body] of [
  ['/robots.txt', 'User-agent: *\nCrawl-delay: 0'],
  ['/yard', html],
] as const)
  site.pages.set(path, (response) => response.writeHead(200, { 'content-type': path === '/yard' ? 'text/html' : 'text/plain' }).end(body))

const documents = citableDocuments()

/** Uses the shortest allowed passages, so that nearly every possible citation error has a chunk boundary. */
async function completed(source: object, ragSettings: object): Promise<Source> {
  const base = await newBase(owner, { chunkSize: 64, ...ragSettings })
  const { status, body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'S', ...source })
  expect(status).toBe(201)
  const found = await settled(owner, body)
  expect([found.status, found.error]).toEqual(['completed', null])
  return found
}

const file = async (bytes: Uint8Array, fileName: string, ragSettings: object = {}): Promise<Source> =>
  completed({ type: 'file', storageUrl: await upload(app, owner, Buffer.from(bytes), fileName) }, ragSettings)

async function search({ baseId }: Source, query: string, more: object = {}): Promise<SearchHit[]> {
  const { status, body } = await owner.call('POST', `/v1/bases/${baseId}/search`, { query, ...more })
  expect(status).toBe(200)
  return body.data
}

async function contentOf({ baseId, id, type }: Source, url: string | null): Promise<SourceContent> {
  const source = `/v1/bases/${baseId}/sources/${id}`
  if (type !== 'scrape') return (await owner.call('GET', `${source}/content`)).body
  const { data } = (await owner.call('GET', `${source}/pages`)).body as { data: { id: string; url: string }[] }
  return (await owner.call('GET', `${source}/pages/${data.find((page) => page.url === url)?.id}/content`)).body
}

/** Expects the text at the cited location to be the text of the passage. Returns the cited text without repeated header rows. */
function verify({ text, citation }: Pick<SearchHit, 'text' | 'citation'>, content: SourceContent): string {
  const cited = content.text.slice(citation.start, citation.end)
  expect(cited.trim()).toBe(cited)
  expect(cited).not.toBe('')
  expect(text.endsWith(cited)).toBe(true)
  const repeated = text.slice(0, -cited.length)
  if (repeated !== '') {
    const header = content.text.lastIndexOf(repeated, citation.start - repeated.length)
    expect(header).toBeGreaterThanOrEqual(0)
    const rowsBetween = content.text.slice(header, citation.start).trimEnd().split('\n')
    expect(rowsBetween.filter((row) => !row.startsWith('|'))).toEqual([])
    expect(rowsBetween[1]).toMatch(/^[|\s:-]+$/)
  }
  let above = 0
  for (const title of citation.headingPath) {
    const at = headingAt(content.text, title, above)
    expect([title, at >= 0 && at < citation.end]).toEqual([title, true])
    above = at
  }
  return cited
}

/** Where this title stands, from the start of a line on and however it is broken, with or without Markdown's mark. */
function headingAt(text: string, title: string, from: number): number {
  const words = title
    .replace(/…$/, '')
    .split(' ')
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const pattern = new RegExp(`^(?:#{1,6}\\s+)?${words.join('\\s+')}${title.endsWith('…') ? '' : '\\s*#*\\s*$'}`, 'gmu')
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/** The titles that stand above all of them. */
function shared(places: readonly Place[]): string[] {
  const [first = [], ...others] = places.map(({ headings = [] }) => headings)
  const end = first.findIndex((title, at) => others.some((path) => path[at] !== title))
  return first.slice(0, end < 0 ? undefined : end)
}

function verifyPlaces({ citation, url }: SearchHit, cited: string, places: readonly Place[]): void {
  const inside = places
    .filter(({ word }) => new RegExp(`\\b${word}\\b`).test(cited))
    .toSorted((a, b) => cited.indexOf(a.word) - cited.indexOf(b.word))
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) return
  expect({ cited, page: citation.page, pageEnd: citation.pageEnd }).toEqual({ cited, page: first.page ?? null, pageEnd: last.page ?? null })
  if (first.headings !== undefined) {
    const above = shared(inside)
    const opening = above.indexOf(cited.split('\n', 1)[0]?.replace(/^#+ /, '') ?? '')
    expect({ cited, above: citation.headingPath }).toEqual({ cited, above: opening < 0 ? above : above.slice(0, opening + 1) })
  }
  if (first.second === undefined) expect(citation.startSecond).toBeNull()
  else {
    expect(citation.startSecond).toBeGreaterThanOrEqual(first.second)
    expect(citation.startSecond).toBeLessThan(first.second + 5)
    if (url !== null) expect(new URL(url).searchParams.get('t')).toBe(`${citation.startSecond}s`)
  }
}

/** Every passage of the source, each found by a word of its own and cited where that stands. */
async function verifyAll(source: Source, places: readonly Place[]): Promise<SearchHit[]> {
  const contents = new Map<string | null, SourceContent>()
  const found: SearchHit[] = []
  for (const { word } of places) {
    const [hit] = await search(source, word, { topK: 1, neighbours: 1 })
    expect([word, hit?.text]).toEqual([word, expect.stringMatching(new RegExp(`\\b${word}\\b`))])
    if (hit === undefined) continue
    const key = source.type === 'scrape' ? hit.url : null
    const content = contents.get(key) ?? (await contentOf(source, hit.url))
    contents.set(key, content)
    const cited = verify(hit, content)
    expect(cited).toContain(word)
    verifyPlaces(hit, cited, places)
    for (const beside of [...(hit.neighbours?.before ?? []), ...(hit.neighbours?.after ?? [])]) verify(beside, content)
    found.push(hit)
  }
  return found
}

describe('the location in a citation contains the passage', () => {
  it.each(documents)('$fileName', async ({ mediaType, fileName, bytes, places }) => {
    const source = await file(bytes, fileName)
    expect(source.mediaType).toBe(mediaType)
    const hits = await verifyAll(source, places)
    expect(new Set(hits.map(({ chunkId }) => chunkId)).size).toBeGreaterThan(5)
    const split = hits.filter(({ text, citation }) => text.length > citation.end - citation.start)
    // Thirty rows under one header are more than one passage.
    expect(split.length > 0).toBe(places.some(({ word }) => word === 'P129'))
  })

  it.each(['sentence', 'fixed', 'markdown'])('with each chunking strategy (%s)', async (chunkingStrategy) => {
    for (const { fileName, bytes, places } of documents.filter((each) => /\.(md|pdf|vtt)$/.test(each.fileName))) {
      const source = await file(bytes, fileName, { chunkingStrategy })
      const contents = await contentOf(source, null)
      for (const { word } of places) {
        const [hit] = await search(source, word, { topK: 1 })
        expect([word, hit && verify(hit, contents)]).toEqual([word, expect.stringMatching(new RegExp(`\\b${word}\\b`))])
      }
    }
  })

  it('in every generated document type', () => {
    const withoutMaker = ['application/msword']
    const read = Object.entries(kinds).filter(([, { parser }]) => parser !== undefined)
    expect([...new Set([...documents.map(({ mediaType }) => mediaType), ...withoutMaker])].toSorted()).toEqual(
      read.map(([mediaType]) => mediaType).toSorted(),
    )
  })

  it.each([
    ['a page by its address', { type: 'url', url: `${origin}/yard` }, placesOfPage],
    ['a site, page by page', { type: 'scrape', url: `${origin}/yard` }, placesOfPage],
    ['a video', { type: 'youtube', url: 'https://youtu.be/citable-vid' }, citableTalkPlaces],
  ])('of %s', async (_, source, places) => {
    expect(await verifyAll(await completed(source, {}), places)).toHaveLength(places.length)
  })

  it('in the examples, on the pages of their questions', async () => {
    const questions = (await readFile(join(examples, 'questions.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { question: string; file: string; page?: number; contains: string })
    const elsewhere: unknown[] = []
    for (const name of new Set(questions.map((each) => each.file))) {
      const source = await file(await readFile(join(examples, name)), name)
      const content = await contentOf(source, null)
      for (const { contains, page } of questions.filter((each) => each.file === name)) {
        const hits = await search(source, contains, { topK: 20 })
        for (const hit of hits) verify(hit, content)
        const flat = (text: string): string => text.replace(/\s+/g, ' ')
        const answering = hits.find(({ text }) => flat(text).includes(flat(contains)))?.citation
        const there = page === undefined || (Number(answering?.page) <= page && page <= Number(answering?.pageEnd))
        if (!there) elsewhere.push({ name, contains, page, answering })
      }
    }
    expect(elsewhere).toEqual([])
  })
})

describe('the location in a citation contains the passage', () => {
  const realDocuments = evaluationPath('docs')
  const foldersOfReal =
    realDocuments === null
      ? []
      : readdirSync(realDocuments)
          .filter((name) => kindNames.has(name))
          .map((name) => [name, join(realDocuments, name)] as const)
  const folders = ['examples', 'e2e/documents'].map((name) => [name, join(root, name)] as const)

  it.each([...folders, ...foldersOfReal])(
    'in real documents (%s)',
    async (_, folder) => {
      for (const name of readdirSync(folder).toSorted()) {
        const entry = await stat(join(folder, name))
        if (!entry.isFile() || entry.size === 0 || entry.size > 500_000) continue
        const base = await newBase(owner, { chunkSize: 128 })
        const storageUrl = await upload(app, owner, await readFile(join(folder, name)), name)
        const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name, type: 'file', storageUrl })
        const source = await settled(owner, body)
        if (source.status === 'failed') continue
        const content = await contentOf(source, null)
        const hits = await search(source, content.text.slice(0, 100), { topK: 100 })
        expect(hits.length).toBeGreaterThan(0)
        for (const hit of hits) {
          verify(hit, content)
          const { page, pageEnd } = hit.citation
          if (content.pages === null) expect([page, pageEnd]).toEqual([null, null])
          else
            expect([name, 1 <= Number(page) && Number(page) <= Number(pageEnd) && Number(pageEnd) <= content.pages]).toEqual([name, true])
        }
      }
    },
    300_000,
  )
})

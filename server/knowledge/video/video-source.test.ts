import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { fakeVideos, type FakeVideo, type Said } from '../../testing/videos.ts'
import { openBundledEmbedder } from '../embed/bundled.ts'
import type { Embedder } from '../embed/embedder.ts'

const talk: Said = [
  [1_500, 3_000, '[Music]'],
  [5_000, 4_000, 'welcome to the yard today we talk about'],
  [8_000, 4_000, 'the pump of the ferry and how its valves'],
  [11_000, 4_000, 'are kept from freezing in a long winter'],
  [64_000, 4_000, 'so the second thing is the bilge alarm which'],
  [67_000, 4_000, 'rings when the water stands at nine inches'],
  [70_000, 4_000, 'and not before that because of the waves'],
  [131_000, 4_000, 'last the colour of the hull is navy blue'],
  [134_000, 4_000, 'and we paint it once in every five years'],
]
const german: Said = [[2_000, 5_000, 'Der Alarm der Bilge läutet, sobald das Wasser neun Zoll hoch steht.']]

const videos = new Map<string, FakeVideo>([
  [
    'ferry-talk1',
    {
      title: 'How we keep the ferry afloat',
      author: 'The Yard',
      lengthSeconds: '140',
      description: '0:00 Pump\n1:00 Alarm\n2:10 Paint',
      tracks: [
        { languageCode: 'en', kind: 'asr', said: talk },
        { languageCode: 'de-AT', said: german },
      ],
    },
  ],
  ['no-captions', {}],
])
const service = fakeVideos(videos)
const outbound = { ...createOutbound({ allowHosts: [], userAgent: 'test' }), trustedFetch: () => service.fetch }
const bundled = await openBundledEmbedder({ processes: 1 })
/** Action of the next call to embed passages. */
let beforeEmbedding = (): void => undefined
const embedder: Embedder = {
  ...bundled,
  async embed(texts, purpose, signal) {
    if (purpose === 'passage') beforeEmbedding()
    return bundled.embed(texts, purpose, signal)
  },
}
const { app, organization } = await testApp({ embedder, worker: { outbound }, youtubeUrl: service.baseUrl })
const owner = await organization()

const baseOf = async ({ call }: Caller): Promise<string> => (await call('POST', '/v1/bases', { name: 'B' })).body.id

const add = (base: string, source: object) =>
  owner.call('POST', `/v1/bases/${base}/sources`, { name: 'A talk', type: 'youtube', ragSettingsOverride: { chunkSize: 64 }, ...source })

async function upload(fileName: string, text: string): Promise<string> {
  const bytes = Buffer.from(text)
  const { body } = await owner.call('POST', '/v1/uploads', { fileName, sizeBytes: bytes.length })
  await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: bytes })
  return body.storageUrl
}

async function settled(base: string, id: string) {
  for (;;) {
    const { body } = await owner.call('GET', `/v1/bases/${base}/sources/${id}`)
    if (body.status !== 'processing') return body
    await new Promise((next) => setTimeout(next, 30))
  }
}

const added = async (base: string, source: object) => settled(base, (await add(base, source)).body.id)

const search = async (base: string, query: string) =>
  (await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 1 })).body.data[0]

describe('a youtube source', () => {
  it('is indexed from its captions, found, and cited with seconds', async () => {
    const base = await baseOf(owner)
    const { status, body } = await add(base, { url: 'youtu.be/ferry-talk1?t=7', metadata: { topic: 'boats' } })
    expect([status, body.url]).toEqual([201, 'https://www.youtube.com/watch?v=ferry-talk1'])
    expect(body.video).toMatchObject({ id: 'ferry-talk1', title: null, captions: null, requestedLanguage: null })
    expect(await settled(base, body.id)).toMatchObject({
      status: 'completed',
      error: null,
      language: 'en',
      mediaType: 'text/vtt',
      metadata: { topic: 'boats' },
      warnings: [],
      video: {
        id: 'ferry-talk1',
        title: 'How we keep the ferry afloat',
        author: 'The Yard',
        durationSeconds: 140,
        captions: 'automatic',
        captionLanguage: 'en',
        captionLanguages: ['en', 'de-AT'],
        requestedLanguage: null,
      },
    })
    // Passages cite the start of their chapter.
    expect(await search(base, 'When does the bilge alarm ring?')).toMatchObject({
      text: expect.stringContaining('rings when the water stands at nine inches and not before'),
      url: 'https://www.youtube.com/watch?v=ferry-talk1&t=60s',
      citation: { startSecond: 60, page: null, headingPath: ['Alarm'] },
    })
    expect((await search(base, 'colour of the hull')).citation).toMatchObject({ startSecond: 130, headingPath: ['Paint'] })
    // Title and channel are searched too, although they are not spoken.
    expect(await search(base, 'afloat')).toMatchObject({ scores: { lexical: expect.any(Number) } })
  })

  it('uses the requested language, and warns if there are no captions in it', async () => {
    const base = await baseOf(owner)
    const source = await added(base, { url: 'https://youtu.be/ferry-talk1', language: 'de' })
    expect(source).toMatchObject({
      language: 'de',
      warnings: [],
      video: { captions: 'manual', captionLanguage: 'de-AT', requestedLanguage: 'de' },
    })
    expect((await search(base, 'Alarm der Bilge')).text).toContain('neun Zoll')
    const other = await added(base, { url: 'https://youtu.be/ferry-talk1', language: 'ja' })
    expect(other).toMatchObject({
      language: 'en',
      warnings: ['There are no captions in ja, so those in en are used. Available: en, de-AT.'],
    })
  })

  it('uses the language of its knowledge base by default, or else the spoken language', async () => {
    const base = (await owner.call('POST', '/v1/bases', { name: 'B', language: 'de' })).body.id
    const source = await added(base, { url: 'https://youtu.be/ferry-talk1' })
    expect(source).toMatchObject({ warnings: [], video: { captionLanguage: 'de-AT', requestedLanguage: null } })
    expect(source.title).toBe('How we keep the ferry afloat – The Yard')
    const own = await added(base, { url: 'https://youtu.be/ferry-talk1', language: 'en' })
    expect(own.video.captionLanguage).toBe('en')
    await owner.call('PATCH', `/v1/bases/${base}`, { language: 'ja' })
    expect(await added(base, { url: 'https://youtu.be/ferry-talk1' })).toMatchObject({ warnings: [], video: { captionLanguage: 'en' } })
  })

  it('fails with the reason if there is no transcript', async () => {
    const base = await baseOf(owner)
    expect(await added(base, { url: 'https://youtu.be/no-captions' })).toMatchObject({
      status: 'failed',
      errorCode: 'no_transcript',
      error: expect.stringContaining('Upload a transcript file'),
      chunksCount: 0,
    })
    expect(await added(base, { url: 'https://youtu.be/gone-gone-1' })).toMatchObject({ status: 'failed', errorCode: 'not_found' })
  })

  it('is retried while the service fails', async () => {
    videos.set('later-later', { statuses: [503, 429], tracks: [{ languageCode: 'en', said: talk }] })
    expect(await added(await baseOf(owner), { url: 'https://youtu.be/later-later' })).toMatchObject({ status: 'completed' })
  })

  it('is fetched once even if processing is interrupted', async () => {
    videos.set('interrupted', {
      title: 'Twice',
      tracks: [{ languageCode: 'en', said: [[0, 4_000, 'A tale that was interrupted and went on.']] }],
    })
    beforeEmbedding = () => {
      beforeEmbedding = () => undefined
      videos.delete('interrupted')
      throw new Error('the power went out')
    }
    const source = await added(await baseOf(owner), { url: 'https://youtu.be/interrupted' })
    expect(source).toMatchObject({ status: 'completed', video: { title: 'Twice', captions: 'manual' } })
  })

  it.each([
    ['the URL of a playlist', { url: 'https://www.youtube.com/playlist?list=PL1' }, 'url'],
    ['another site', { url: 'https://example.com/watch?v=ferry-talk1' }, 'url'],
    ['no URL', {}, 'url'],
    ['an invalid language tag', { url: 'https://youtu.be/ferry-talk1', language: 'german please' }, 'language'],
    ['a language for a source that is no video', { type: 'url', url: 'https://example.com/', language: 'de' }, 'language'],
    ['an upload that does not exist', { url: 'https://youtu.be/ferry-talk1', storageUrl: 'groundwork://uploads/x' }, 'storageUrl'],
    ['a URL without a scheme for a source that is no video', { type: 'url', url: 'example.com' }, 'url'],
  ])('is refused with %s', async (_what, source, field) => {
    expect(await add(await baseOf(owner), source)).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field } } })
  })
})

describe('a transcript that is uploaded with the URL', () => {
  it.each([
    ['talk.vtt', 'WEBVTT\n\n00:40.000 --> 00:44.000\nThe harbour master keeps the key of the crane.\n', 40],
    ['talk.srt', '1\n00:01:05,000 --> 00:01:09,000\nThe harbour master keeps the key of the crane.\n', 65],
    ['talk.txt', 'The harbour master keeps the key of the crane.\n', null],
  ])('%s is cited with a link to the video, which is not requested', async (fileName, text, startSecond) => {
    const base = await baseOf(owner)
    const before = service.requests.length
    const source = await added(base, { url: 'https://youtu.be/no-captions', storageUrl: await upload(fileName, text) })
    expect(source).toMatchObject({
      status: 'completed',
      storageUrl: expect.any(String),
      video: { id: 'no-captions', captions: 'uploaded' },
    })
    expect(await search(base, 'Who has the key of the crane?')).toMatchObject({
      url: `https://www.youtube.com/watch?v=no-captions${startSecond === null ? '' : `&t=${startSecond}s`}`,
      citation: { startSecond },
    })
    expect(service.requests.length).toBe(before)
  })

  it('is refused if it is not a transcript', async () => {
    const storageUrl = await upload('talk.html', '<html><body><p>Not what was said.</p></body></html>')
    const source = await added(await baseOf(owner), { url: 'https://youtu.be/no-captions', storageUrl })
    expect(source).toMatchObject({ status: 'failed', errorCode: 'unsupported_type', error: expect.stringContaining('VTT') })
  })
})

it('captions uploaded as a file are cited with seconds, without a video link', async () => {
  const base = await baseOf(owner)
  const storageUrl = await upload('meeting.vtt', 'WEBVTT\n\n01:00:12.500 --> 01:00:15.000\nThe crane is out of order until May.\n')
  await added(base, { type: 'file', storageUrl })
  expect(await search(base, 'crane out of order')).toMatchObject({ url: null, citation: { startSecond: 3612 } })
})

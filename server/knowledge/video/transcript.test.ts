import { describe, expect, it } from 'vitest'
import { fakeVideos, type FakeTrack, type FakeVideo } from '../../testing/videos.ts'
import { fetchTranscript } from './transcript.ts'

const never = new AbortController().signal

const track = (languageCode: string, kind?: 'asr'): FakeTrack => ({
  languageCode,
  ...(kind && { kind }),
  said: [[1_000, 2_000, `said in ${languageCode}${kind ? ' as recognized' : ''}`]],
})

async function transcriptOf(video: FakeVideo, ...wanted: string[]) {
  const service = fakeVideos(new Map([['one', video]]))
  return { transcript: await fetchTranscript(service, 'one', wanted, never), requests: service.requests }
}

async function failureOf(video?: FakeVideo) {
  const service = fakeVideos(new Map(video && [['one', video]]))
  const error = await fetchTranscript(service, 'one', [], never).then(() => null, Object)
  return { code: error?.code, message: error?.message, retryable: error?.retryable, requests: service.requests }
}

describe('the selected captions', () => {
  const { said: _, ...many } = {
    said: null,
    tracks: [track('de'), track('en'), track('en', 'asr'), track('pt-PT'), track('pt-BR'), track('fr', 'asr')],
  }

  it.each([
    ['the spoken language, written before recognized', [], 'said in en'],
    ['the wanted language', ['de'], 'said in de'],
    ['the exact tag', ['pt-BR'], 'said in pt-BR'],
    ['another tag of the language', ['de-AT'], 'said in de'],
    ['recognized ones, where there are no others', ['fr'], 'said in fr as recognized'],
    ['the next wanted language', ['ja', 'de'], 'said in de'],
    ['the spoken language, where nothing is wanted that there is', ['ja'], 'said in en'],
  ])('are those in %s', async (_what, wanted, text) => {
    expect((await transcriptOf(many, ...wanted)).transcript.cues.map((cue) => cue.text)).toEqual([text])
  })

  it('are the default ones if no automatic captions reveal the spoken language', async () => {
    const { transcript } = await transcriptOf({ tracks: [track('de'), track('nl')], defaultTrack: 1 })
    expect([transcript.language, transcript.automatic, transcript.languages]).toEqual(['nl', false, ['de', 'nl']])
  })

  it('come with the metadata of the video', async () => {
    const description = 'All about pumps.\n0:00 Welcome\n(1:05) – Valves & seals\n1:02:03 Questions\nhttps://example.com/1:2'
    const video = { title: ' Pumps\u0000\ud800', author: 'The Yard', lengthSeconds: '3900', description, tracks: [track('en', 'asr')] }
    const { transcript, requests } = await transcriptOf(video)
    expect(transcript).toMatchObject({ title: 'Pumps\ufffd', author: 'The Yard', durationSeconds: 3900, automatic: true })
    expect(transcript.chapters).toEqual([
      { title: 'Welcome', startSecond: 0 },
      { title: 'Valves & seals', startSecond: 65 },
      { title: 'Questions', startSecond: 3723 },
    ])
    expect(requests).toEqual(['/youtubei/v1/player ANDROID', '/api/timedtext'])
  })

  it('are words with times, without sounds, ending at the last word or the next cue', async () => {
    const said = [
      [500, 4_000, '[Music]'],
      [5_000, 6_000, 'so the first\nthing'],
      [9_000, 6_000, 'is  oil'],
      [12_000, 5_000, '♪ (applause)'],
    ] as const
    const { transcript } = await transcriptOf({ tracks: [{ languageCode: 'en', kind: 'asr', said }] })
    expect(transcript.cues).toEqual([
      { start: 5, end: 6.6, text: 'so the first thing' },
      { start: 9, end: 10.6, text: 'is oil' },
    ])
    const written = await transcriptOf({ tracks: [{ languageCode: 'en', said }] })
    expect(written.transcript.cues.map(({ end }) => end)).toEqual([9, 12])
  })

  it('are requested as the next client if the first one gets none', async () => {
    const { transcript, requests } = await transcriptOf({
      tracks: [track('en')],
      playability: { ANDROID: { status: 'UNPLAYABLE', reason: 'Not available on this app' } },
    })
    expect(transcript.cues).toHaveLength(1)
    expect(requests).toEqual(['/youtubei/v1/player ANDROID', '/youtubei/v1/player IOS', '/api/timedtext'])
  })
})

describe('a video without a transcript', () => {
  const tracks = [track('en')]
  const instead = /Upload a transcript file/

  it.each<[string, FakeVideo | undefined, string, RegExp]>([
    ['has no captions', {}, 'no_transcript', /has no captions/],
    ['is live', { live: true }, 'no_transcript', /has not ended/],
    ['is to begin', { playability: { status: 'LIVE_STREAM_OFFLINE', reason: 'Starts in 3 hours' } }, 'no_transcript', /3 hours/],
    ['has captions without a word', { tracks: [{ languageCode: 'en', said: [[0, 9, '[Music]']] }] }, 'no_transcript', /not a word/],
    ['asks for a token', { tracks: [{ ...track('en'), exp: 'xpe' }] }, 'transcript_blocked', /none of them to this server/],
    ['answers empty captions', { tracks: [{ ...track('en'), answer: { status: 200, body: '' } }] }, 'transcript_blocked', /none of them/],
    ['refuses captions', { tracks: [{ ...track('en'), answer: { status: 403, body: 'no' } }] }, 'transcript_blocked', /none of them/],
    [
      'takes us for a robot',
      { playability: { status: 'LOGIN_REQUIRED', reason: 'Sign in: are you a bot?' } },
      'transcript_blocked',
      /robot/,
    ],
    ['is for adults', { playability: { status: 'LOGIN_REQUIRED', reason: 'May be inappropriate' } }, 'transcript_blocked', /adults/],
    ['is private', { playability: { status: 'LOGIN_REQUIRED', reason: 'This video is private' } }, 'transcript_blocked', /private/],
    [
      'is not played',
      { playability: { status: 'UNPLAYABLE', reason: 'No.', subreason: 'Not in your country' } },
      'transcript_blocked',
      /No\. Not in your country\./,
    ],
    ['wants consent', { playability: { status: 'ERROR' }, page: { status: 302, body: '' } }, 'transcript_blocked', /consent/],
    [
      'wants consent on its page',
      { playability: { status: 'ERROR' }, page: { status: 200, body: '<form action="https://consent.youtube.com/s">' } },
      'transcript_blocked',
      /consent/,
    ],
  ])('that %s has its own error code and remedy', async (_what, video, code, message) => {
    expect(await failureOf(video)).toMatchObject({ code, message: expect.stringMatching(message), retryable: false })
    expect((await failureOf(video)).message).toMatch(instead)
  })

  it('that does not exist is not found', async () => {
    expect(await failureOf()).toMatchObject({
      code: 'not_found',
      message: 'YouTube has no such video. This video is unavailable.',
      requests: ['/youtubei/v1/player ANDROID', '/youtubei/v1/player IOS', '/watch'],
    })
  })

  it('that only one client finds is refused', async () => {
    const playability = { ANDROID: { status: 'ERROR' }, IOS: { status: 'LOGIN_REQUIRED', reason: 'not a bot' } }
    expect((await failureOf({ tracks, playability })).code).toBe('transcript_blocked')
  })

  it.each<[string, FakeVideo, string]>([
    ['too many requests', { statuses: [429] }, 'transcript_blocked'],
    ['too many requests of its page', { playability: { status: 'ERROR' }, page: { status: 429, body: '' } }, 'transcript_blocked'],
    ['too many requests of captions', { tracks: [{ ...track('en'), answer: { status: 429, body: '' } }] }, 'transcript_blocked'],
    ['trouble of the service', { statuses: [503] }, 'fetch_failed'],
    ['a page instead of captions', { tracks: [{ ...track('en'), answer: { status: 200, body: '<html>' } }] }, 'fetch_failed'],
  ])('is retried after %s', async (_what, video, code) => {
    expect(await failureOf(video)).toMatchObject({ code, retryable: true })
  })

  it('is one with an invalid player response', async () => {
    expect(await failureOf({ statuses: [200] })).toMatchObject({ code: 'fetch_failed', retryable: false })
  })

  it('has the cause if the service is unreachable, and the reason of an abort', async () => {
    const service = {
      baseUrl: 'https://videos.test',
      fetch: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })),
    }
    await expect(fetchTranscript(service, 'one', [], never)).rejects.toMatchObject({ code: 'fetch_failed', retryable: true })
    await expect(fetchTranscript(service, 'one', [], AbortSignal.abort(new Error('the lease is lost')))).rejects.toThrow(
      'the lease is lost',
    )
  })
})

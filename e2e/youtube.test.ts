import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client, type Hit, type SourceRecord } from './client.ts'
import { evaluationFolder, withEvaluationData } from './evaluation-documents.ts'
import { createToken, freePort, program } from './program.ts'
import { inventedTalks, startVideoService } from './video-service.ts'

const recorded = join(evaluationFolder, 'bin/youtube_peer.mjs')

/** Serves recorded replies of YouTube, which are not part of the repository. */
async function startRecordedService(): Promise<string> {
  const port = await freePort()
  const peer = spawn(process.execPath, [recorded, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void peer.kill())
  await new Promise((listening) => peer.stdout.once('data', listening))
  return `http://127.0.0.1:${port}`
}

interface Cue {
  start: number
  /** Start of the next cue. */
  end: number
  text: string
}

/** Returns the captions of a video, as the service publishes them. */
async function cuesOf(service: string, id: string): Promise<Cue[]> {
  const reply = await fetch(`${service}/api/timedtext?vid=${id}&fmt=json3`)
  const { events } = (await reply.json()) as { events: { tStartMs: number; segs: { utf8: string }[] }[] }
  return events.map(({ tStartMs, segs }, at) => ({
    start: tStartMs / 1000,
    end: (events[at + 1]?.tStartMs ?? Infinity) / 1000,
    text: segs.map(({ utf8 }) => utf8).join(''),
  }))
}

/** Returns the words of a text in lower case, without punctuation. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []

/** Returns the cues at which the sequence of words begins. */
function spokenIn(cues: readonly Cue[], words: readonly string[]): Cue[] {
  const spoken = cues.flatMap((cue) => wordsOf(cue.text).map((word) => ({ word, cue })))
  return spoken.flatMap(({ cue }, at) => (words.every((word, offset) => spoken[at + offset]?.word === word) ? [cue] : []))
}

const recordedTalks = {
  '9LfmrkyP81M': ['Are we software engineers or software writers?', 'test driven development', 'What makes a program clear to read?'],
  F75k4Oc6g9Q: ['How do turbo frames and streams work together?', 'pagination', 'Should I open a modal with turbo?'],
  Md90cwnmGc8: ['What is an associated object?', 'What are fixtures and seeds in Oaken?', 'writing a gem'],
}

const services = [
  { name: 'with invented talks', start: () => startVideoService(onTestFinished), talks: inventedTalks },
  ...(withEvaluationData ? [{ name: 'with recorded replies (peers/youtube)', start: startRecordedService, talks: recordedTalks }] : []),
]

describe.each(services)('videos of a service $name', ({ start, talks }) => {
  test('three talks complete, and every passage links to the second at which it begins', async () => {
    const service = await start()
    const groundwork = await program(onTestFinished, { LOG_LEVEL: 'warn', YOUTUBE_URL: service })
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const base = await client.createBase('talks')
    for (const [id, asked] of Object.entries(talks)) {
      const url = `https://www.youtube.com/watch?v=${id}`
      const { id: sourceId } = await client.call<SourceRecord>('POST', `/v1/bases/${base.id}/sources`, {
        name: id,
        type: 'youtube',
        url: `https://youtu.be/${id}?si=x`,
      })
      const source = await client.settled(base.id, sourceId)
      expect(source).toMatchObject({ status: 'completed', error: null, url, language: 'en', video: { id, captionLanguage: 'en' } })
      const cues = await cuesOf(service, id)
      for (const question of asked) {
        const hits = await client.search(base.id, question, { topK: 5, sourceIds: [sourceId] })
        expect(hits).toHaveLength(5)
        for (const hit of hits) expectSpoken(hit, url, cues)
      }
    }
  }, 600_000)

  test('nine failures have distinct error codes', async () => {
    const groundwork = await program(onTestFinished, { LOG_LEVEL: 'error', YOUTUBE_URL: await start() })
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const base = await client.createBase('videos')
    const expected: Record<string, [errorCode: string, error: RegExp]> = {
      age_restricted: ['transcript_blocked', /signed-in adults/],
      disabled: ['no_transcript', /no captions/],
      nocaptions: ['no_transcript', /no captions/],
      po_token: ['transcript_blocked', /gives none of them to this server/],
      blocked: ['transcript_blocked', /takes this server for a robot/],
      unavailable: ['not_found', /no such video/],
      unplayable: ['transcript_blocked', /does not play this video here\. Custom Reason\. Sub Reason 1 Sub Reason 2\./],
      consent: ['transcript_blocked', /consent/],
      toomany: ['transcript_blocked', /too many requests/],
    }
    const sources = await Promise.all(
      Object.keys(expected).map((id) =>
        client.call<SourceRecord>('POST', `/v1/bases/${base.id}/sources`, {
          name: id,
          type: 'youtube',
          url: `https://www.youtube.com/watch?v=${id}`,
        }),
      ),
    )
    for (const { id, name } of sources) {
      const { status, errorCode, error } = await client.settled(base.id, id)
      const [code, sentence] = expected[name] ?? []
      expect([name, status, errorCode, error]).toEqual([name, 'failed', code, expect.stringMatching(sentence ?? '')])
    }
  }, 600_000)
})

/** Expects the first words of the passage in a cue that is shown at the linked second or within three seconds of it. */
function expectSpoken({ text, url, citation }: Hit, watch: string, cues: readonly Cue[]): void {
  const second = citation.startSecond ?? -1
  expect(url).toBe(`${watch}&t=${second}s`)
  const opening = wordsOf(text).slice(0, 8)
  const shown = spokenIn(cues, opening).some(({ start, end }) => start <= second + 3 && second <= end)
  expect([opening.join(' '), shown]).toEqual([opening.join(' '), true])
}

import { blocked, refusalOf } from './playability.ts'
import { SourceError } from '../../lib/errors.ts'
import { cleanLine } from '../extract/clean.ts'
import { cuesOf, type SpokenCue } from './captions.ts'
import { chaptersOf, type Chapter } from './chapters.ts'
import { askPlayer, jsonOf, playerClients, type PlayerReply, type Track } from './player.ts'
import { askService, uploadHint, type VideoService } from './service.ts'
import { chooseTrack, isAutomatic } from './tracks.ts'
import { refusalOfPage } from './watch-page.ts'

export interface Transcript {
  readonly title: string | null
  readonly author: string | null
  readonly durationSeconds: number | null
  readonly chapters: readonly Chapter[]
  /** BCP 47 tag of the captions. */
  readonly language: string
  /** Whether they are automatic. */
  readonly automatic: boolean
  /** Distinct tags of all available captions. */
  readonly languages: readonly string[]
  readonly cues: readonly SpokenCue[]
}

/**
 * Fetches the captions of a video with their times from YouTube's player endpoint. Sends the requests as one YouTube app after
 * another, because YouTube withholds captions from some.
 * @param wanted BCP 47 tags by preference; if none is available, the captions in the spoken language are used
 * @throws SourceError `no_transcript`; `transcript_blocked` if captions may exist but are withheld from this server;
 * `not_found` for a video that does not exist; `fetch_failed`, `timeout`
 */
export async function fetchTranscript(
  service: VideoService,
  videoId: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Transcript> {
  const refusals: SourceError[] = []
  for (const client of playerClients) {
    const reply = await askPlayer(service, client, videoId, signal)
    const track = chooseTrack(reply, wanted)
    const refusal = refusalOf(reply)
    if (refusal?.code === 'no_transcript') throw refusal
    if (refusal === null && track !== undefined) {
      const cues = await askCaptions(service, track, client.userAgent, signal)
      if (cues !== null) return transcriptOf(reply, track, cues)
    }
    refusals.push(refusal ?? withheld())
  }
  // Some apps are told that an existing video does not exist.
  const refusal = refusals.find(({ code }) => code !== 'not_found') ?? (await refusalOfPage(service, videoId, signal)) ?? refusals[0]
  throw refusal ?? withheld()
}

const withheld = (): SourceError => blocked('YouTube lists captions for this video and gives none of them to this server.')

/** @returns null if the captions are listed but withheld, usually for lack of a token that only a browser can create */
async function askCaptions(service: VideoService, { baseUrl }: Track, userAgent: string, signal: AbortSignal): Promise<SpokenCue[] | null> {
  const address = new URL(baseUrl, service.baseUrl)
  // This experiment of YouTube requires such a token.
  if (address.searchParams.get('exp') === 'xpe') return null
  address.searchParams.set('fmt', 'json3')
  const { status, text } = await askService(service, address.pathname + address.search, { headers: { 'user-agent': userAgent } }, signal)
  if (status !== 200 || text.trim() === '') return null
  const cues = cuesOf(jsonOf(text))
  if (cues === null) throw new SourceError('fetch_failed', 'YouTube answered with something other than captions.', { retryable: true })
  if (cues.length === 0) throw new SourceError('no_transcript', `There is not a word in the captions of this video. ${uploadHint}`)
  return cues
}

function transcriptOf({ videoDetails, captions }: PlayerReply, track: Track, cues: readonly SpokenCue[]): Transcript {
  const tags = (captions?.playerCaptionsTracklistRenderer?.captionTracks ?? []).map(({ languageCode }) => languageCode)
  return {
    title: cleanOrNull(videoDetails?.title),
    author: cleanOrNull(videoDetails?.author),
    durationSeconds: videoDetails?.lengthSeconds ?? null,
    chapters: chaptersOf(videoDetails?.shortDescription ?? ''),
    language: track.languageCode,
    automatic: isAutomatic(track),
    languages: [...new Set(tags)],
    cues,
  }
}

const cleanOrNull = (text = ''): string | null => cleanLine(text.slice(0, 300)) || null

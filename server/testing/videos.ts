import type { VideoService } from '../knowledge/video/service.ts'

/** Spoken text by start time; automatic captions if word times are given. */
export type Said = readonly (readonly [startMs: number, durationMs: number, text: string])[]

export interface FakeTrack {
  languageCode: string
  kind?: 'asr'
  said: Said
  /** Replaces the captions. */
  answer?: { status: number; body: string }
  /** Parameter in the URL of captions that YouTube withholds from servers. */
  exp?: string
}

export interface FakeVideo {
  title?: string
  author?: string
  description?: string
  lengthSeconds?: string
  live?: boolean
  tracks?: readonly FakeTrack[]
  defaultTrack?: number
  /** A playability status other than OK, by client name or for all clients. */
  playability?: { status: string; reason?: string; subreason?: string } | Readonly<Record<string, { status: string; reason?: string }>>
  /** HTTP statuses that replace the first player replies. */
  statuses?: number[]
  page?: { status: number; body: string }
}

/** A fake video service with these videos by id. `requests` lists what it received. */
export function fakeVideos(videos: Map<string, FakeVideo>): VideoService & { requests: string[] } {
  const requests: string[] = []
  const baseUrl = 'https://videos.test/youtube'
  return {
    baseUrl,
    requests,
    async fetch(input, init) {
      const url = new URL(input)
      const sent = typeof init?.body === 'string' ? (JSON.parse(init.body) as PlayerRequest) : undefined
      const id = sent?.videoId ?? url.searchParams.get('v') ?? ''
      const video = videos.get(id)
      const path = url.pathname.replace('/youtube', '')
      requests.push(`${path} ${sent?.context.client.clientName ?? ''}`.trim())
      if (path === '/youtubei/v1/player') return playerReply(id, video, sent?.context.client.clientName ?? '')
      if (path === '/watch') return new Response(video?.page?.body ?? '<html></html>', { status: video?.page?.status ?? 200 })
      const track = video?.tracks?.[Number(url.searchParams.get('track'))]
      if (path !== '/api/timedtext' || track === undefined || url.searchParams.get('fmt') !== 'json3')
        return new Response('', { status: 404 })
      return new Response(track.answer?.body ?? json3(track), { status: track.answer?.status ?? 200 })
    },
  }
}

interface PlayerRequest {
  videoId: string
  context: { client: { clientName: string } }
}

function playerReply(id: string, video: FakeVideo | undefined, client: string): Response {
  const failed = video?.statuses?.shift()
  if (failed !== undefined) return new Response('<html>busy</html>', { status: failed })
  if (video === undefined) return Response.json({ playabilityStatus: { status: 'ERROR', reason: 'This video is unavailable' } })
  const { tracks = [], playability = { status: 'OK' } } = video
  const { status, reason, subreason } = ('status' in playability ? playability : (playability[client] ?? { status: 'OK' })) as {
    status: string
    reason?: string
    subreason?: string
  }
  return Response.json({
    playabilityStatus: {
      status,
      reason,
      ...(subreason !== undefined && { errorScreen: { playerErrorMessageRenderer: { subreason: { runs: [{ text: subreason }] } } } }),
    },
    ...(status === 'OK' && {
      videoDetails: {
        videoId: id,
        title: video.title,
        author: video.author,
        lengthSeconds: video.lengthSeconds,
        shortDescription: video.description,
        isLive: video.live,
      },
      ...(tracks.length > 0 && {
        captions: {
          playerCaptionsTracklistRenderer: {
            captionTracks: tracks.map(({ languageCode, kind, exp = '0' }, track) => ({
              baseUrl: `https://www.youtube.com/api/timedtext?v=${id}&track=${track}&lang=${languageCode}&exp=${exp}&fmt=srv3`,
              languageCode,
              kind,
            })),
            audioTracks: [{ captionTrackIndices: tracks.map((_, index) => index), defaultCaptionTrackIndex: video.defaultTrack }],
            defaultAudioTrackIndex: 0,
          },
        },
      }),
    }),
  })
}

/** Formats captions like YouTube: automatic ones word by word, with the line feed between two rolling lines as a separate event. */
function json3({ said, kind }: FakeTrack): string {
  const events = said.flatMap(([tStartMs, dDurationMs, text]) =>
    kind === 'asr'
      ? [
          { tStartMs, dDurationMs, wWinId: 1, segs: text.split(/(?= )/).map((utf8, at) => ({ utf8, tOffsetMs: at * 300 })) },
          { tStartMs: tStartMs + 10, dDurationMs, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
        ]
      : [{ tStartMs, dDurationMs, segs: [{ utf8: text }] }],
  )
  return JSON.stringify({ wireMagic: 'pb3', events: [{ tStartMs: 0, id: 1, wpWinPosId: 1 }, ...events] })
}

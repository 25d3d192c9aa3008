import { z } from 'zod'
import { SourceError } from '../../lib/errors.ts'
import { askService, type VideoService } from './service.ts'

const Text = z
  .object({ simpleText: z.string().optional(), runs: z.array(z.object({ text: z.string() })).optional() })
  .transform(({ simpleText, runs }) => simpleText ?? (runs ?? []).map(({ text }) => text.trim()).join(' '))

const Track = z.object({
  baseUrl: z.string(),
  languageCode: z.string().regex(/^[\w-]{1,35}$/),
  kind: z.string().optional(),
})
export type Track = z.output<typeof Track>

/** The part of the player's reply that is used here. */
const PlayerReply = z.object({
  playabilityStatus: z
    .object({
      status: z.string().default(''),
      reason: z.string().optional(),
      errorScreen: z
        .object({ playerErrorMessageRenderer: z.object({ subreason: Text.optional() }).optional() })
        .optional()
        .catch(undefined),
    })
    .default({ status: '' }),
  captions: z
    .object({
      playerCaptionsTracklistRenderer: z
        .object({
          captionTracks: z.array(Track).default([]),
          audioTracks: z
            .array(z.object({ captionTrackIndices: z.array(z.number()).default([]), defaultCaptionTrackIndex: z.number().optional() }))
            .default([]),
          defaultAudioTrackIndex: z.number().default(0),
        })
        .optional(),
    })
    .optional(),
  videoDetails: z
    .object({
      videoId: z.string().optional(),
      title: z.string().optional(),
      author: z.string().optional(),
      lengthSeconds: z.coerce.number().optional().catch(undefined),
      shortDescription: z.string().optional(),
      isLive: z.boolean().optional(),
    })
    .optional(),
})
export type PlayerReply = z.output<typeof PlayerReply>

/** A player that YouTube serves captions to without a proof-of-origin token. The version is that of a released program. */
interface PlayerClient {
  readonly userAgent: string
  readonly context: Readonly<Record<string, string | number>>
}

/** In the order of requests. */
export const playerClients: readonly PlayerClient[] = [
  {
    userAgent: 'com.google.android.youtube/20.10.38 (Linux; U; Android 14) gzip',
    context: { clientName: 'ANDROID', clientVersion: '20.10.38', androidSdkVersion: 34, hl: 'en' },
  },
  {
    userAgent: 'com.google.ios.youtube/20.10.4 (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X)',
    context: { clientName: 'IOS', clientVersion: '20.10.4', deviceModel: 'iPhone16,2', hl: 'en' },
  },
]

/** @throws SourceError `transcript_blocked`, `fetch_failed`, `timeout` */
export async function askPlayer(service: VideoService, client: PlayerClient, videoId: string, signal: AbortSignal): Promise<PlayerReply> {
  const { status, text } = await askService(
    service,
    '/youtubei/v1/player?prettyPrint=false',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': client.userAgent },
      body: JSON.stringify({ context: { client: client.context }, videoId, contentCheckOk: true, racyCheckOk: true }),
    },
    signal,
  )
  const reply = PlayerReply.safeParse(jsonOf(text))
  if (status !== 200 || !reply.success)
    throw new SourceError('fetch_failed', `YouTube's player answered with status ${status} and not as expected.`, { cause: reply.error })
  return reply.data
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { PlayerReply, Track } from './player.ts'

/**
 * The captions to read: of the first wanted language that there are any in, else of the one that is spoken. What people
 * wrote comes before what was recognized, an exact tag before another of the language. Translations by machine are no
 * tracks of their own and never come up.
 * @param wanted BCP 47 tags, the most wanted first
 */
export function chooseTrack(reply: PlayerReply, wanted: readonly string[]): Track | undefined {
  const tracks = reply.captions?.playerCaptionsTracklistRenderer?.captionTracks ?? []
  for (const tag of [...wanted, spokenLanguage(reply)]) {
    const [best] = tracks
      .filter(({ languageCode }) => languageOf(languageCode) === languageOf(tag))
      .toSorted((a, b) => Number(isAutomatic(a)) - Number(isAutomatic(b)) || Number(isTag(b, tag)) - Number(isTag(a, tag)))
    if (best) return best
  }
  return tracks[0]
}

/** Only what is spoken is recognized, so automatic captions tell its language; without any, the default captions do. */
function spokenLanguage(reply: PlayerReply): string {
  const { captionTracks = [], audioTracks = [], defaultAudioTrackIndex = 0 } = reply.captions?.playerCaptionsTracklistRenderer ?? {}
  const audio = audioTracks[defaultAudioTrackIndex]
  const heard = (audio?.captionTrackIndices ?? []).flatMap((index) => captionTracks[index] ?? [])
  const told = [...heard, ...captionTracks].find(isAutomatic) ?? captionTracks[audio?.defaultCaptionTrackIndex ?? 0]
  return told?.languageCode ?? ''
}

export const isAutomatic = ({ kind }: Track): boolean => kind === 'asr'

const isTag = ({ languageCode }: Track, tag: string): boolean => languageCode.toLowerCase() === tag.toLowerCase()

/** The language of a tag without script and region, withdrawn codes replaced: `he` of `iw`, `pt` of `pt-BR`. */
export function languageOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return tag.toLowerCase()
  }
}

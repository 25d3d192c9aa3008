import type { PlayerReply, Track } from './player.ts'

/**
 * Returns the captions to read: of the first preferred language that has any, else of the spoken language. Captions by people
 * precede automatic ones, an exact tag precedes another variant of the language. Machine translations are not tracks and are
 * never chosen.
 * @param wanted BCP 47 tags by preference
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

/** Returns the spoken language: that of automatic captions, else that of the default captions. */
function spokenLanguage(reply: PlayerReply): string {
  const { captionTracks = [], audioTracks = [], defaultAudioTrackIndex = 0 } = reply.captions?.playerCaptionsTracklistRenderer ?? {}
  const audio = audioTracks[defaultAudioTrackIndex]
  const heard = (audio?.captionTrackIndices ?? []).flatMap((index) => captionTracks[index] ?? [])
  const told = [...heard, ...captionTracks].find(isAutomatic) ?? captionTracks[audio?.defaultCaptionTrackIndex ?? 0]
  return told?.languageCode ?? ''
}

export const isAutomatic = ({ kind }: Track): boolean => kind === 'asr'

const isTag = ({ languageCode }: Track, tag: string): boolean => languageCode.toLowerCase() === tag.toLowerCase()

/** Returns the language of a tag without script and region, with withdrawn codes replaced: `he` for `iw`, `pt` for `pt-BR`. */
export function languageOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return tag.toLowerCase()
  }
}

import { SourceError } from '../../lib/errors.ts'
import { cleanLine } from '../extract/clean.ts'
import type { PlayerReply } from './player.ts'
import { uploadHint } from './service.ts'

/** Returns the reason that a player's reply has no captions; null if it has some. */
export function refusalOf({ playabilityStatus, captions, videoDetails }: PlayerReply): SourceError | null {
  if ((captions?.playerCaptionsTracklistRenderer?.captionTracks.length ?? 0) > 0) return null
  const { status, reason, errorScreen } = playabilityStatus
  const said = [reason, errorScreen?.playerErrorMessageRenderer?.subreason].filter(Boolean).map(sentence).join(' ')
  switch (status) {
    case 'OK':
      if (videoDetails?.isLive) return missing('This video is a live stream that has not ended: it has no captions yet.')
      return missing('This video has no captions: they are turned off, or nobody has made any.')
    case 'LIVE_STREAM_OFFLINE':
      return missing(`This live stream has not begun. ${said}`)
    case 'ERROR':
      return new SourceError('not_found', `YouTube has no such video. ${said}`.trim())
    case 'AGE_VERIFICATION_REQUIRED':
    case 'CONTENT_CHECK_REQUIRED':
      return blocked(`YouTube shows this video to signed-in adults only. ${said}`)
    case 'LOGIN_REQUIRED':
      if (/\bbot\b/i.test(said)) return blocked(`YouTube takes this server for a robot and shows it nothing. ${said}`)
      if (/\bage\b|inappropriate/i.test(said)) return blocked(`YouTube shows this video to signed-in adults only. ${said}`)
      return blocked(`YouTube shows this video to some signed-in viewers only. ${said}`)
    default:
      return blocked(`YouTube does not play this video here. ${said}`)
  }
}

const missing = (message: string): SourceError => new SourceError('no_transcript', `${message.trim()} ${uploadHint}`)
export const blocked = (message: string): SourceError => new SourceError('transcript_blocked', `${message.trim()} ${uploadHint}`)

function sentence(text = ''): string {
  const line = cleanLine(text.slice(0, 200))
  return /[.!?]$/.test(line) ? line : `${line}.`
}

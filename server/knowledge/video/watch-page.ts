import type { SourceError } from '../../lib/errors.ts'
import { blocked } from './playability.ts'
import { askService, type VideoService } from './service.ts'

/**
 * Returns the true reason when the player reports that a video does not exist: the service requires consent or limits requests
 * (thrown, as it may be temporary). Null if the page names neither.
 */
export async function refusalOfPage(service: VideoService, videoId: string, signal: AbortSignal): Promise<SourceError | null> {
  const headers = { 'accept-language': 'en' }
  const { status, text } = await askService(service, `/watch?v=${encodeURIComponent(videoId)}&hl=en`, { headers }, signal)
  const wantsConsent = (status >= 300 && status < 400) || text.includes('action="https://consent.youtube.com/')
  return wantsConsent ? blocked('YouTube asks for consent to its cookies before it shows this video, which a server cannot give.') : null
}

import type { SourceError } from '../../lib/errors.ts'
import { blocked } from './playability.ts'
import { askService, type VideoService } from './service.ts'

/**
 * What the page of a video tells of a request that the player called a video without existence: that the service wants
 * consent first, or takes no more requests (thrown, as it may pass). Null where it tells neither.
 */
export async function refusalOfPage(service: VideoService, videoId: string, signal: AbortSignal): Promise<SourceError | null> {
  const headers = { 'accept-language': 'en' }
  const { status, text } = await askService(service, `/watch?v=${encodeURIComponent(videoId)}&hl=en`, { headers }, signal)
  const wantsConsent = (status >= 300 && status < 400) || text.includes('action="https://consent.youtube.com/')
  return wantsConsent ? blocked('YouTube asks for consent to its cookies before it shows this video, which a server cannot give.') : null
}

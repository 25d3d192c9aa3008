const hosts = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/
const idOfService = /^[\w-]{11}$/
/** Ids of other video services, which may have another form. */
const foreignVideoId = /^[\w-]{6,64}$/

/**
 * Returns the video id of a YouTube URL in any form; null if it has none (a playlist, a channel, an id of another length,
 * another site).
 * @param ownService whether YOUTUBE_URL is a service other than YouTube
 */
export function videoIdOf(address: string, ownService = false): string | null {
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `https://${address}`
  if (!URL.canParse(absolute)) return null
  const { protocol, username, password, port, hostname, pathname, searchParams } = new URL(absolute)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '' || port !== '' || !hosts.test(hostname)) return null
  const id =
    hostname === 'youtu.be'
      ? /^\/([^/]+)\/?$/.exec(pathname)?.[1]
      : pathname === '/watch' || pathname === '/watch/'
        ? searchParams.get('v')
        : /^\/(?:embed|shorts|live|v|e)\/([^/]+)\/?$/.exec(pathname)?.[1]
  return id && (ownService ? foreignVideoId : idOfService).test(id) ? id : null
}

/** Returns the canonical URL of a video, which is stored and cited. */
export function watchUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`
}

/** Returns the URL that starts the video at a second. */
export function watchUrlAt(url: string, second: number | null): string {
  return second === null ? url : `${url}&t=${second}s`
}

/** Returns whether YOUTUBE_URL is YouTube itself. */
export function isYouTube(baseUrl: string): boolean {
  return hosts.test(new URL(baseUrl).hostname)
}

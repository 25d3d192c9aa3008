const hosts = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/
const idOfService = /^[\w-]{11}$/
/** A service of the operator's own may name its recordings otherwise. */
const idOfAnother = /^[\w-]{6,64}$/

/**
 * The id of the video that an address of YouTube names, in any of its forms; null where it names none (a playlist, a
 * channel, an id of another length, another site).
 * @param ownService whether YOUTUBE_URL names a service other than YouTube
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
  return id && (ownService ? idOfAnother : idOfService).test(id) ? id : null
}

/** The one address of a video that is kept and cited. */
export function watchUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`
}

/** The address at which a player begins at that second. */
export function watchUrlAt(url: string, second: number | null): string {
  return second === null ? url : `${url}&t=${second}s`
}

/** Whether YOUTUBE_URL names YouTube itself. */
export function isYouTube(baseUrl: string): boolean {
  return hosts.test(new URL(baseUrl).hostname)
}

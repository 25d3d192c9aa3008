/** Returns the origin of a website as people write its address, with https by default; null if it is no address of a website. */
export function siteOrigin(address: string): string | null {
  const typed = address.trim()
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|\/|$)/.test(typed) ? 'http' : 'https'
  const url = /^[a-z]+:\/\//i.test(typed) ? typed : `${scheme}://${typed}`
  if (!URL.canParse(url)) return null
  const { protocol, origin, hostname, username } = new URL(url)
  const isSite = /^https?:$/.test(protocol) && username === '' && (hostname.includes('.') || hostname === 'localhost')
  return isSite ? origin : null
}

/** Returns whether an Accept header (RFC 9110, section 12.5.1) lists text/plain with a higher weight than application/json. */
export function prefersPlainText(header: string): boolean {
  const weights = new Map(
    header.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [type, q === undefined ? 1 : Number(q) || 0]
    }),
  )
  const plain = weights.get('text/plain') ?? 0
  const json = weights.get('application/json') ?? 0
  return plain > 0 && plain > json
}

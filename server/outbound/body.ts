import { Writable, type Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './error.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
export const acceptEncoding = 'gzip, deflate, br'

/**
 * Reads and decompresses the body of a response. `maxBytes` counts decoded bytes as they arrive, so a decompression bomb stops
 * at the limit: a longer body is truncated (`cut`) or refused.
 * @throws OutboundError too_large, fetch_failed
 */
export async function readBody(body: Readable, contentEncoding: string, limit: { maxBytes: number; cut: boolean }): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  const full = new AbortController()
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const remaining = limit.maxBytes - size
      chunks.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk)
      size += Math.min(chunk.length, remaining)
      if (chunk.length > remaining) full.abort(tooLarge(limit.maxBytes))
      done()
    },
  })
  try {
    await pipeline([body, ...decodersOf(contentEncoding), sink], { signal: full.signal })
  } catch (error) {
    if (!full.signal.aborted) throw error
    if (!limit.cut) throw full.signal.reason
  }
  return Buffer.concat(chunks, size)
}

export function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError(
    'too_large',
    `The response is larger than ${maxBytes / 1_000_000} MB, the maximum size of a page or file that is fetched.`,
  )
}

function decodersOf(contentEncoding: string): Transform[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
  if (names.length > 2) throw new OutboundError('fetch_failed', 'The reply is compressed more than twice.')
  return names.toReversed().map((name) => {
    const decoder = decoders[name]
    if (!decoder) throw new OutboundError('fetch_failed', `The Content-Encoding ${name} is not supported.`)
    return decoder()
  })
}

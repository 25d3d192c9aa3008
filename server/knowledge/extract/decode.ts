import { eld } from 'eld/medium'
import { decodeBytes } from '../../lib/decode-bytes.ts'
import { SourceError } from '../../lib/errors.ts'
import { guessEncoding } from '../../lib/guess-encoding.ts'

const sniffedBytes = 64 * 1024
/** Enough for a guess, which decodes them in each encoding. */
const guessedBytes = 16 * 1024

/**
 * Decodes bytes: by byte order mark, UTF-16 by its zeros, strict UTF-8, the declared charset, then detection. UTF-8 precedes
 * the declaration, since wrong declarations occur and text that is valid UTF-8 by accident does not.
 * @returns null if the bytes are not text
 * @throws SourceError too_large if there is too little memory for the text
 */
export function decodeText(bytes: Uint8Array, declared: string | null): string | null {
  const wide = utf16Of(bytes)
  if (wide) return decode(bytes, wide, false)
  if (hasManyZeros(bytes)) return null
  const strict = decode(bytes, 'utf-8', true)
  if (strict !== null) return strict
  if (controlShare(bytes) > 0.02) return null
  const said = declared === null || /^utf-?8$/i.test(declared) ? null : decode(bytes, declared, false)
  return said ?? decode(bytes, guessEncoding(fromFirstLetter(bytes), scoresOf), false)
}

const scoresOf = (text: string): Record<string, number> => eld.detect(text).getScores()

/** Returns the text around the first bytes above 7F, which are the only ones that depend on the encoding. */
function fromFirstLetter(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f)
  const start = Math.max(0, first - 500)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(start, start + guessedBytes)
}

/** Returns `charset=` of the Content-Type or of an HTML `meta` element, or `encoding=` of an XML declaration, whichever comes first. */
export function declaredCharset(bytes: Uint8Array, contentType: string | undefined): string | null {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1')
  const said = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '') ?? /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)
  return (said ?? /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head))?.[1] ?? null
}

/** @throws SourceError unsupported_type, too_large */
export function textOf(bytes: Uint8Array, contentType: string | undefined): string {
  const text = decodeText(bytes, declaredCharset(bytes, contentType))
  if (text === null) throw new SourceError('unsupported_type', 'The file holds binary data of an unknown type.')
  return text
}

function decode(bytes: Uint8Array, label: string, fatal: boolean): string | null {
  try {
    return decodeBytes(bytes, label, { fatal })
  } catch (error) {
    // Node also takes a lack of memory for invalid bytes; without `fatal`, no bytes are invalid.
    if (!fatal && error instanceof TypeError)
      throw new SourceError('too_large', 'The text of the file takes too much memory to decode. Split it.', { cause: error })
    return null
  }
}

function utf16Of(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length * 0.2 && even * 10 < odd) return 'utf-16le'
  return even > sample.length * 0.2 && odd * 10 < even ? 'utf-16be' : null
}

/** A few zeros are damage of a text, as in logs after a crash; more are binary data. */
function hasManyZeros(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sniffedBytes)
  let zeros = 0
  for (const byte of sample) if (byte === 0) zeros++
  return zeros > Math.max(1, sample.length * 0.01)
}

function controlShare(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, sniffedBytes)
  let controls = 0
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls++
  return controls / sample.length
}

import { analyse } from 'chardet'
import { decodeBytes } from '../../lib/decode-bytes.ts'
import { SourceError } from '../../lib/errors.ts'

const sniffedBytes = 64 * 1024

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
  for (const label of [declared, mostlyUtf8(bytes) ? 'utf-8' : null, eastAsianOf(bytes), likelyEncoding(bytes), 'windows-1252']) {
    const text = label === null || (label === declared && /^utf-?8$/i.test(label)) ? null : decode(bytes, label, false)
    if (text !== null) return text
  }
  return null
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

/** Byte statistics fail on a few lines of these encodings; their decoded text is conclusive. */
function eastAsianOf(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, sniffedBytes)
  if (decode(sample, 'shift_jis', bytes.length <= sniffedBytes) !== null && leadsOfShiftJis(sample) > 0.7) return 'shift_jis'
  if (share(decode(sample, 'euc-kr', false) ?? '', /[\uAC00-\uD7A3]/g) > 0.8) return 'euc-kr'
  return share(decode(sample, 'euc-jp', false) ?? '', /[\u3040-\u30FF]/g) > 0.3 ? 'euc-jp' : null
}

/** Counts bytes from 81 to 98, which begin kana and everyday kanji and hardly occur in the letters of other encodings. */
function leadsOfShiftJis(bytes: Uint8Array): number {
  let [usual, all] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    all++
    if (byte > 0x98) continue
    usual++
    at++
  }
  return usual / all
}

function share(text: string, letters: RegExp): number {
  // oxlint-disable-next-line no-control-regex
  const foreign = text.match(/[^\u0000-\u007F]/g)?.length ?? 0
  return foreign === 0 ? 0 : (text.match(letters)?.length ?? 0) / foreign
}

function controlShare(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, sniffedBytes)
  let controls = 0
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls++
  return controls / sample.length
}

/**
 * Guesses the encoding by byte statistics. Prefers Western European if it is nearly as likely, since its neighbours win by
 * chance on a few lines.
 */
function likelyEncoding(bytes: Uint8Array): string | null {
  const found = analyse(bytes.subarray(0, sniffedBytes))
  const western = found.find(({ name }) => name === 'windows-1252' || name === 'ISO-8859-1')
  const [best] = found
  return western && best && western.confidence >= best.confidence - 15 ? 'windows-1252' : (best?.name ?? null)
}

/** Returns whether the bytes are UTF-8 with few invalid sequences: at most as many as valid ones, or hardly any. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sniffedBytes))
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  // oxlint-disable-next-line no-control-regex
  const whole = text.match(/[^\u0000-\u007F\uFFFD]/g)?.length ?? 0
  return broken <= whole
}

import PostalMime, { type Email } from 'postal-mime'
import { SourceError } from '../../lib/errors.ts'
import { fixTextDecoder } from '../../lib/fix-text-decoder.ts'
import { decodeText } from './decode.ts'
import type { Draft, ExtractInput, ParseNested } from './draft.ts'
import { messageDraft, type MailMessage } from './mail-message.ts'

fixTextDecoder()

/**
 * Extracts an email message (RFC 5322, MIME): the body, then the text of each readable attachment under its name. The title
 * consists of subject, sender, recipients and date. The text body is preferred to an equal HTML body.
 * @throws SourceError corrupt_file, encrypted_file
 */
export async function extractEmail({ bytes }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  return messageDraft(await parseEmail(bytes), parseNested)
}

/** @throws SourceError corrupt_file */
export async function parseEmail(bytes: Uint8Array): Promise<MailMessage> {
  const { subject, from, to, cc, date, text, html, attachments } = await parse(withCharset(bytes))
  return {
    subject,
    from,
    to: to ?? [],
    cc: cc ?? [],
    date,
    text: text ?? '',
    html: html ?? '',
    attachments: attachments.map(({ content, filename, mimeType, related }) => ({
      name: filename,
      mediaType: mimeType,
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
      isEmbedded: related === true,
    })),
  }
}

function parse(bytes: Uint8Array): Promise<Email> {
  return PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' }).catch((cause: unknown) => {
    throw new SourceError('corrupt_file', 'The message is damaged: its parts do not follow its format.', { cause })
  })
}

const charsets = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?\bcharset\s*=\s*"?([\w.:-]+)"?/gim
const isAscii = (charset: string | undefined): boolean => /^(?:us-)?ascii$/i.test(charset ?? '')

/** Returns a message that names no charset, or US-ASCII, for text with other bytes as UTF-8, which is what its parser assumes. */
function withCharset(bytes: Uint8Array): Uint8Array {
  if (!bytes.some((byte) => byte > 0x7f)) return bytes
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (Array.from(raw.matchAll(charsets), ([, charset]) => charset).some((charset) => !isAscii(charset))) return bytes
  const text = decodeText(bytes, null)
  if (text === null) return bytes
  return Buffer.from(text.replace(charsets, (header, charset: string) => (isAscii(charset) ? header.replace(charset, 'utf-8') : header)))
}

import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, ParseNested, Part } from './draft.ts'
import { htmlParts } from './html-parts.ts'
import { textParagraphs } from './text.ts'

const limits = { attachments: 20, attachedBytes: 25 * 2 ** 20 }
const maxRecipients = 5

/**
 * Extracts an e-mail message (RFC 5322, MIME): the body, then the text of each readable attachment under its name. The title
 * consists of subject, sender, recipients and date. The text body is preferred to an equal HTML body.
 * @throws SourceError corrupt_file
 */
export async function extractEmail({ bytes }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  const email = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' }).catch((cause: unknown) => {
    throw new SourceError('corrupt_file', 'The message is damaged: its parts do not follow its format.', { cause })
  })
  const attached = await attachmentParts(email.attachments, parseNested)
  const title = titleOf(email)
  const parts = [...bodyParts(email), ...attached.parts]
  // Some messages consist of a subject only.
  const alone = parts.every(({ text }) => text.trim() === '') && email.subject
  return { parts: alone ? [{ kind: 'heading', level: 1, text: email.subject ?? '' }] : parts, title, warnings: attached.warnings }
}

/** Returns the title of a message: its subject, sender, recipients and date. */
function titleOf({ subject, from, to, cc, date }: Email): string | null {
  const sender = from && (from.name && from.address ? `${from.name} <${from.address}>` : nameOf(from))
  const recipients = [...(to ?? []), ...(cc ?? [])].map(nameOf).filter(Boolean)
  const shown = recipients.slice(0, maxRecipients).join(', ') + (recipients.length > maxRecipients ? ' and others' : '')
  const about = [sender && `from ${sender}`, shown && `to ${shown}`, readableTime(date)].filter(Boolean).join(', ')
  return [subject, about && `(${about})`].filter(Boolean).join(' ') || null
}

function nameOf({ name, address }: Address): string {
  return name || (address ?? '')
}

/** Formats a time to the minute; returns it unchanged if it is not a time. */
function readableTime(time = ''): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d.*Z$/, '$1 $2 UTC')
}

/** A text body that is much shorter than the HTML body only refers to it. */
function bodyParts({ text = '', html = '' }: Email): Part[] {
  const plain = textParagraphs(text)
  const rich = html ? htmlParts(html) : []
  return lengthOf(plain) >= 0.3 * lengthOf(rich) && plain.length > 0 ? plain : rich
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.trim().length, 0)
}

async function attachmentParts(
  attachments: readonly Attachment[],
  parseNested: ParseNested,
): Promise<{ parts: Part[]; warnings: string[] }> {
  const parts: Part[] = []
  const warnings: string[] = []
  let room = limits.attachedBytes
  for (const [order, { content, filename, mimeType, related }] of attachments.entries()) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
    if (related || mimeType.startsWith('image/')) continue
    const name = filename ?? mimeType
    room -= bytes.length
    const read =
      order >= limits.attachments || room < 0
        ? new SourceError('too_large', 'The message has more attachments than are read.')
        : await parseNested({ bytes, fileName: name, contentType: mimeType }).catch(refusal)
    if (read instanceof SourceError) warnings.push(`The attachment ${name} is left out: ${read.message}`)
    else {
      parts.push({ kind: 'heading', level: 2, text: ['Attachment', name, read.title].filter(Boolean).join(': ') })
      for (const part of read.parts) parts.push(below(part))
    }
  }
  return { parts, warnings }
}

/** Places a part below the attachment's heading. Pages and seconds of an attachment do not apply to the message. */
function below({ kind, text, level }: Part): Part {
  return { kind, text, ...(level !== undefined && { level: level + 2 }) }
}

/** An unexpected error fails the message, so that it is logged. */
function refusal(error: unknown): SourceError {
  if (!(error instanceof SourceError)) throw error
  return error
}

import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, ParseNested, Part } from './draft.ts'
import { htmlParts } from './html-parts.ts'
import { textParagraphs } from './text.ts'

const limits = { attachments: 20, attachedBytes: 25 * 2 ** 20 }

/**
 * An e-mail message (RFC 5322, MIME): subject as heading, sender, recipients and date, the body, then the text of each attachment that
 * can be read, under its name. Of a text and an HTML body that say the same the text is taken.
 * @throws SourceError corrupt_file
 */
export async function extractEmail({ bytes }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  const email = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' }).catch((cause: unknown) => {
    throw new SourceError('corrupt_file', 'The message is damaged: its parts do not follow its format.', { cause })
  })
  const attached = await attachmentParts(email.attachments, parseNested)
  return {
    parts: [...headParts(email), ...bodyParts(email), ...attached.parts],
    title: email.subject ?? null,
    warnings: attached.warnings,
  }
}

function headParts(email: Email): Part[] {
  const lines = [
    ['From', addresses(email.from ? [email.from] : [])],
    ['To', addresses(email.to)],
    ['Cc', addresses(email.cc)],
    ['Date', readableTime(email.date)],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return [
    ...(email.subject ? [{ kind: 'heading' as const, level: 1, text: email.subject }] : []),
    ...(lines.length > 0 ? [{ kind: 'paragraph' as const, text: lines.join('\n') }] : []),
  ]
}

/** To the minute, or as it stands where it is no time. */
function readableTime(time = ''): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d.*Z$/, '$1 $2 UTC')
}

function addresses(list: readonly Address[] = []): string {
  return list
    .map((entry) => {
      if (entry.group) return `${entry.name}: ${addresses(entry.group)}`
      return entry.name ? `${entry.name} <${entry.address}>` : entry.address
    })
    .join(', ')
}

/** A text body that is far shorter than the HTML one says only that there is one. */
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
    else parts.push({ kind: 'heading', level: 2, text: `Attachment: ${name}` }, ...read.parts.map(below))
  }
  return { parts, warnings }
}

/** Under the attachment's heading; pages and seconds of an attachment are none of the message's. */
function below({ kind, text, level }: Part): Part {
  return { kind, text, ...(level !== undefined && { level: level + 2 }) }
}

function refusal(error: unknown): SourceError {
  return error instanceof SourceError ? error : new SourceError('corrupt_file', 'It is damaged and cannot be read.', { cause: error })
}

import { sourceWarning, type SourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ParseNested, Part } from './draft.ts'
import { isCryptographic, isEncryptedMessage, withoutPgp } from './encrypted-mail.ts'
import { htmlParts } from './html-parts.ts'
import { asMessage, isSignedData, signedContent } from './signed-content.ts'
import { textParagraphs } from './text.ts'

export interface MailAddress {
  readonly name?: string | undefined
  readonly address?: string | undefined
}

export interface MailAttachment {
  readonly name: string | null
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** Whether it is part of the body, such as a picture. */
  readonly isEmbedded: boolean
}

/** A mail message in any format. */
export interface MailMessage {
  readonly subject?: string | undefined
  readonly from?: MailAddress | undefined
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  /** ISO 8601, or as the message has it. */
  readonly date?: string | undefined
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
}

/** The attachments that may still be read, of a message or of a mailbox. */
export interface AttachmentBudget {
  attachments: number
  bytes: number
  /** Sentence for users when it is spent. */
  readonly spent: string
}

const maxRecipients = 5

/** Returns the budget of one message. */
export const budgetOfMessage = (): AttachmentBudget => ({
  attachments: 20,
  bytes: 25 * 2 ** 20,
  spent: 'At most 20 attachments with 25 MB in total are read from a message.',
})

/** The parts of a message: its body, then the text of each readable attachment under its name. */
export interface MessageParts {
  readonly parts: Part[]
  readonly warnings: SourceWarning[]
}

/**
 * Returns the body and the readable attachments, also those inside a signature. Encrypted parts and signatures are left out.
 * @throws SourceError encrypted_file if the message has no other content
 */
export async function readMessage(
  { text, html, attachments }: Pick<MailMessage, 'text' | 'html' | 'attachments'>,
  parseNested: ParseNested,
  budgets: readonly AttachmentBudget[] = [budgetOfMessage()],
): Promise<MessageParts> {
  const [plain, rich] = [withoutPgp(text), withoutPgp(html)]
  const body = bodyParts(plain.text, rich.text)
  const content = attachments.filter(
    ({ isEmbedded, mediaType, bytes }) => !isEmbedded && !mediaType.startsWith('image/') && !isCryptographic(mediaType, bytes),
  )
  const encrypted = content.filter(({ bytes }) => isEncryptedMessage(bytes))
  const signed = new Map<MailAttachment, Uint8Array>()
  for (const attachment of content) {
    const inner = signedMessage(attachment)
    if (inner !== null) signed.set(attachment, inner)
  }
  const attached = await attachmentParts(
    content.filter((attachment) => !encrypted.includes(attachment) && !signed.has(attachment)),
    parseNested,
    budgets,
  )
  const drafts = await Promise.all(Array.from(signed.values(), (bytes) => parseNested({ bytes })))
  const parts = [...body, ...drafts.flatMap((draft) => draft.parts), ...attached.parts]
  const warnings = [...drafts.flatMap((draft) => draft.warnings ?? []), ...attached.warnings]
  if (encrypted.length === 0 && !plain.isEncrypted && !rich.isEncrypted) return { parts, warnings }
  if (parts.every((part) => part.text.trim() === '')) throw new SourceError('encrypted_file', 'The message is encrypted.')
  return { parts, warnings: [sourceWarning('message_part_encrypted'), ...warnings] }
}

/** Returns the message inside a signature (S/MIME, opaque-signed); null if the attachment is not one. */
function signedMessage({ bytes }: MailAttachment): Uint8Array | null {
  try {
    const content = isSignedData(bytes) ? signedContent(bytes) : null
    return content === null ? null : asMessage(content)
  } catch (error) {
    // Read as an attachment, it is left out with a warning.
    refusal(error)
    return null
  }
}

/** Returns the draft of a single message. Its title consists of subject, sender, recipients and date. */
export async function messageDraft(message: MailMessage, parseNested: ParseNested): Promise<Draft> {
  const { parts, warnings } = await readMessage(message, parseNested)
  // Some messages consist of a subject only.
  const alone = parts.every(({ text }) => text.trim() === '') && message.subject
  return { parts: alone ? [{ kind: 'heading', level: 1, text: message.subject ?? '' }] : parts, title: titleOf(message), warnings }
}

function titleOf({ subject, ...message }: MailMessage): string | null {
  const { from, to, date } = envelopeOf(message)
  const about = [from && `from ${from}`, to && `to ${to}`, date].filter(Boolean).join(', ')
  return [subject, about && `(${about})`].filter(Boolean).join(' ') || null
}

/** Returns sender, recipients and date as text; empty if unknown. */
export function envelopeOf({
  from,
  to,
  cc,
  date,
}: Pick<MailMessage, 'from' | 'to' | 'cc' | 'date'>): Record<'from' | 'to' | 'date', string> {
  const sender = from && (from.name && from.address ? `${from.name} <${from.address}>` : nameOf(from))
  const recipients = [...to, ...cc].map(nameOf).filter(Boolean)
  const shown = recipients.slice(0, maxRecipients).join(', ') + (recipients.length > maxRecipients ? ' and others' : '')
  return { from: sender ?? '', to: shown, date: readableTime(date) }
}

function nameOf({ name, address }: MailAddress): string {
  return name || (address ?? '')
}

/** Formats a time to the minute; returns it unchanged if it is not a time. */
function readableTime(time = ''): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d.*Z$/, '$1 $2 UTC')
}

/** A text body that is much shorter than the HTML body only refers to it. */
function bodyParts(text: string, html: string): Part[] {
  const plain = textParagraphs(text)
  const rich = html ? htmlParts(html) : []
  return lengthOf(plain) >= 0.3 * lengthOf(rich) && plain.length > 0 ? plain : rich
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.trim().length, 0)
}

async function attachmentParts(
  attachments: readonly MailAttachment[],
  parseNested: ParseNested,
  budgets: readonly AttachmentBudget[],
): Promise<MessageParts> {
  const parts: Part[] = []
  const warnings: SourceWarning[] = []
  for (const { name: fileName, mediaType, bytes } of attachments) {
    const name = fileName ?? mediaType
    const read = spend(budgets, bytes.length) ?? (await parseNested({ bytes, fileName: name, contentType: mediaType }).catch(refusal))
    if (read instanceof SourceError) warnings.push(sourceWarning('attachment_left_out', { name, reason: read.message }))
    else {
      parts.push({ kind: 'heading', level: 2, text: ['Attachment', name, read.title].filter(Boolean).join(': ') })
      for (const part of read.parts) parts.push(below(part))
    }
  }
  return { parts, warnings }
}

/** Takes an attachment of this size from the budgets. @returns the reason why it is not read */
function spend(budgets: readonly AttachmentBudget[], size: number): SourceError | null {
  for (const budget of budgets) {
    if (budget.attachments < 1 || budget.bytes < size) return new SourceError('too_large', budget.spent)
  }
  for (const budget of budgets) {
    budget.attachments--
    budget.bytes -= size
  }
  return null
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

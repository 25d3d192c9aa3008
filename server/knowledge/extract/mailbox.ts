import { sourceWarning, type SourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, ParseNested, Part } from './draft.ts'
import { parseEmail } from './email.ts'
import { messageStarts } from './mailbox-messages.ts'
import { budgetOfMessage, envelopeOf, readMessage, type AttachmentBudget } from './mail-message.ts'

/**
 * Extracts a mailbox (mbox, RFC 4155): each message with its subject as a heading, its sender, recipients and date, its body and
 * its attachments. Damaged and encrypted messages are left out.
 * @throws SourceError encrypted_file if all of its messages are encrypted
 */
export async function extractMailbox({ bytes, fileName }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  const starts = messageStarts(bytes)
  const parts: Part[] = []
  const left: SourceError[] = []
  const attachmentWarnings: SourceWarning[] = []
  const budget: AttachmentBudget = {
    attachments: 200,
    bytes: 100 * 2 ** 20,
    spent: 'At most 200 attachments with 100 MB in total are read from a mailbox.',
  }
  for (const [order, start] of starts.entries()) {
    const read = await messageParts(messageAt(bytes, start, starts[order + 1] ?? bytes.length), parseNested, budget)
    if (read instanceof SourceError) {
      left.push(read)
      continue
    }
    for (const part of read.parts) parts.push(part)
    attachmentWarnings.push(...read.warnings)
  }
  const encrypted = left.filter(({ code }) => code === 'encrypted_file').length
  if (parts.length === 0 && encrypted > 0) throw new SourceError('encrypted_file', 'The messages of the mailbox are encrypted.')
  return {
    parts,
    title: titleOf(fileName),
    warnings: [...warningsOf(encrypted, left.length - encrypted), ...shortened(attachmentWarnings)],
  }
}

const maxWarnings = 10

/** Returns a message without its separator line; `>From` at the beginning of a line stands for `From`. */
function messageAt(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
  return Buffer.from(text.slice(text.indexOf('\n') + 1).replace(/^>(?=>*From )/gm, ''), 'latin1')
}

async function messageParts(bytes: Uint8Array, parseNested: ParseNested, budget: AttachmentBudget) {
  try {
    const message = await parseEmail(bytes)
    const { parts, warnings } = await readMessage(message, parseNested, [budgetOfMessage(), budget])
    const { from, to, date } = envelopeOf(message)
    const envelope = [from && `From: ${from}`, to && `To: ${to}`, date && `Date: ${date}`].filter(Boolean).join('\n')
    const heading: Part = { kind: 'heading', level: 1, text: message.subject?.trim() || 'Message without a subject' }
    const below = parts.map((part) => (part.level === undefined ? part : { ...part, level: part.level + 1 }))
    return { parts: [heading, { kind: 'paragraph' as const, text: envelope }, ...below], warnings }
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
}

/** Messages have titles of their own, so the mailbox is named like its file. */
function titleOf(fileName = ''): string {
  return fileName.replace(/\.\w+$/, '') || 'Mailbox'
}

function warningsOf(encrypted: number, damaged: number): SourceWarning[] {
  return [
    ...(encrypted > 0 ? [sourceWarning('messages_encrypted', { count: encrypted })] : []),
    ...(damaged > 0 ? [sourceWarning('messages_damaged', { count: damaged })] : []),
  ]
}

function shortened(warnings: readonly SourceWarning[]): SourceWarning[] {
  if (warnings.length <= maxWarnings) return [...warnings]
  return [...warnings.slice(0, maxWarnings), sourceWarning('attachments_left_out', { count: warnings.length - maxWarnings })]
}
